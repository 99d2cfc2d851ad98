//! Tunnels to a real PostgreSQL, and what uses them (interface §12).

use std::process::{Child, Stdio};

use crate::support::Said;
use crate::support::space::{Space, is_long};

const CREATE: &str = "create mydb -c postgres --set database=orders --set max-connections=300 -q";

/// A tunnel in the background; its messages go to `told`.
struct Tunnel<'a> {
    space: &'a Space,
    process: Child,
}

impl<'a> Tunnel<'a> {
    fn open(space: &'a Space, arguments: &str) -> Self {
        let mut shell =
            space.shell(&format!("exec svc connect mydb --tunnel {arguments} >shown 2>told"));
        let process = shell.stdin(Stdio::null()).spawn().expect("bash starts");
        space.until("grep -q uri shown");
        Self { space, process }
    }

    fn port(&self) -> String {
        self.space.run("sed -n 's/^port *//p' shown").ok().stdout.trim().to_owned()
    }

    /// psql through the tunnel.
    fn ask(&self, query: &str) -> Said {
        let port = self.port();
        self.space.run(&format!(
            "PGPASSWORD=$(svc show mydb password) psql -h 127.0.0.1 -p {port} -U app orders -Atc \"{query}\""
        ))
    }

    fn told(&self) -> String {
        self.space.run("cat told").ok().stdout
    }

    /// Waits for its end, and gives its exit status.
    fn ended(mut self) -> Option<i32> {
        self.process.wait().expect("it ends").code()
    }

    /// Ends it with a signal, and gives its exit status.
    fn end(self, signal: &str) -> Option<i32> {
        self.space.run(&format!("kill -{signal} {}", self.process.id())).ok();
        self.ended()
    }
}

#[test]
fn a_command_gets_the_details_of_its_own_tunnel() {
    let Some(space) = Space::new("connecting_command") else { return };
    space.svc(CREATE).ok();
    let said = space.svc(
        "connect mydb -- bash -c 'echo $MYDB_HOST $MYDB_DATABASE; psql \"$MYDB_URI\" -Atc \"select 40 + 2\"; exit 7'",
    );
    assert_eq!((said.status, said.stdout.as_str()), (7, "127.0.0.1 orders\n42\n"), "{said}");
    let (before, after) = said.stderr.split_once(" -> ").expect("a tunnel is told");
    assert!(before.starts_with("tunnel 127.0.0.1:"), "{said}");
    assert_eq!(after, "mydb-postgresql:5432; it closes with bash\n");
    let said = space.svc("connect mydb -- bash -c 'kill -TERM $$'");
    assert_eq!(said.status, 128 + 15, "{said}");
    space
        .svc("connect mydb -- no-such-program")
        .fails(1, "error: no-such-program is not installed\n");
    // Nobody else sees the password: neither arguments nor what is told hold it.
    let password = space.svc("show mydb password").ok().stdout;
    let said =
        space.svc("connect mydb -vv -- bash -c 'tr \"\\0\" \" \" </proc/$PPID/cmdline'").ok();
    assert!(!format!("{}{}", said.stdout, said.stderr).contains(&password), "{said}");
}

#[test]
fn a_signal_reaches_the_program() {
    let Some(space) = Space::new("connecting_signal") else { return };
    space.svc(CREATE).ok();
    let script = "svc connect mydb -- bash -c 'trap \"echo told; exit 3\" TERM; echo ready >ready; \
                  while :; do sleep 0.1; done' & svc=$!; until [ -e ready ]; do sleep 0.1; done; \
                  kill -TERM $svc; wait $svc";
    let said = space.run(script);
    assert_eq!((said.status, said.stdout.as_str()), (3, "told\n"), "{said}");
}

#[test]
fn a_tunnel_outlives_its_pod() {
    let Some(space) = Space::new("connecting_pod") else { return };
    space.svc(CREATE).ok();
    let tunnel = Tunnel::open(&space, "");
    tunnel.ask("select 1").ok().answers("1\n");
    space.run("kubectl delete pod mydb-postgresql-0").ok();
    tunnel.ask("select 2").ok().answers("2\n");
    assert!(
        tunnel.told().ends_with("note: pod mydb-postgresql-0 was replaced; tunnel is back\n"),
        "{}",
        tunnel.told()
    );
    assert_eq!(tunnel.end("INT"), Some(130));
}

#[test]
fn two_hundred_connections_at_once() {
    let Some(space) = Space::new("connecting_many") else { return };
    space.svc(CREATE).ok();
    let tunnel = Tunnel::open(&space, "");
    let connections = if is_long() { 200 } else { 40 };
    let said = space.run(&format!(
        "export PGPASSWORD=$(svc show mydb password); for i in $(seq {connections}); do \
         psql -h 127.0.0.1 -p {} -U app orders -Atc \"select $i from pg_sleep(2)\" & done; wait",
        tunnel.port()
    ));
    let mut answers: Vec<u32> = said.stdout.lines().filter_map(|line| line.parse().ok()).collect();
    answers.sort_unstable();
    assert_eq!(answers, (1..=connections).collect::<Vec<_>>(), "{said}");
    assert_eq!(tunnel.end("TERM"), Some(143));
}

#[test]
fn everything_that_is_sent_arrives() {
    let Some(space) = Space::new("connecting_bytes") else { return };
    space.svc(CREATE).ok();
    let tunnel = Tunnel::open(&space, "");
    let megabytes = if is_long() { 256 } else { 16 };
    let script = format!(
        "export PGPASSWORD=$(svc show mydb password) PGHOST=127.0.0.1 PGPORT={} PGUSER=app; \
         psql orders -qc 'create table bytes (line text)'; \
         head -c {megabytes}M /dev/urandom | base64 -w 1000 >sent; \
         psql orders -qc '\\copy bytes from sent'; psql orders -qc '\\copy bytes to back'; \
         cmp sent back",
        tunnel.port()
    );
    space.run(&script).ok();
    tunnel.end("TERM");
}

#[test]
fn what_cannot_be_reached_is_told() {
    let Some(space) = Space::new("connecting_nowhere") else { return };
    space.svc(CREATE).ok();
    let tunnel = Tunnel::open(&space, "--port 17432");
    assert_eq!(tunnel.port(), "17432");
    space
        .svc("connect mydb --tunnel --port 17432")
        .fails(1, "error: port 17432 is in use\nWithout --port a free one is taken.\n");
    space.svc("delete mydb --yes --quiet").ok();
    let gone = tunnel.ask("select 1");
    assert_ne!(gone.status, 0);
    assert_eq!(tunnel.ended(), Some(1));
    let class = space.class("config", &[]);
    space.svc(&format!("create conf -c {class} -q")).ok();
    space.svc("connect conf").fails(
        1,
        &format!("error: class {class} names no port to open a tunnel to\ntry: svc show conf\n"),
    );
    space.svc("create late -c postgres --set database=orders --no-wait -q").ok();
    space.run("kubectl scale statefulset late-postgresql --replicas=0").ok();
    space.until("! kubectl get pod late-postgresql-0");
    let early = space.svc("connect late");
    assert!(
        early.stderr.contains("nothing to connect to") || early.stderr.contains("is ready"),
        "{early}"
    );
}

#[test]
fn a_tunnel_needs_its_rights() {
    let Some(space) = Space::new("connecting_rights") else { return };
    space.svc(CREATE).ok();
    space
        .run("kubectl create --context staging rolebinding viewer --clusterrole view --user dev-1")
        .ok();
    space
        .run(
            "kubectl create --context staging role secrets --verb get,list --resource secrets; \
             kubectl create --context staging rolebinding secrets --role secrets --user dev-1",
        )
        .ok();
    let namespace = &space.namespace;
    space.svc("connect mydb --context dev -- true").fails(
        4,
        &format!(
            "error: not allowed to open a tunnel\n  missing  get pods/portforward, create \
             pods/portforward, in namespace {namespace}\n  user     dev-1, context dev\n\
             try: svc doctor --context dev --rbac    the rules to ask your cluster's admin for\n"
        ),
    );
    space
        .run("kubectl create --context staging rolebinding editor --clusterrole edit --user dev-1")
        .ok();
    space.svc("connect mydb --context dev -- true").ok();
}
