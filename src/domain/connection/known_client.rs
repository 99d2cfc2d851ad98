//! Client programs that svc knows: they start without a question, and where a class says nothing
//! of their arguments and environment they get the usual details.
//!
//! The names are those of their manuals: libpq's `PG…`, `MYSQL_PWD`, `REDISCLI_AUTH`.

use serde_json::Value as Json;

use crate::domain::class::{Client, EnvVar};

/// A program that is known.
struct Known {
    command: &'static str,
    args: &'static [Part],
    env: &'static [(&'static str, &'static str)],
}

/// Arguments that are given where the detail is there.
struct Part {
    detail: &'static str,
    args: &'static [&'static str],
}

const POSTGRES: Known = Known {
    command: "psql",
    args: &[],
    env: &[
        ("PGHOST", "host"),
        ("PGPORT", "port"),
        ("PGUSER", "username"),
        ("PGPASSWORD", "password"),
        ("PGDATABASE", "database"),
    ],
};
const MYSQL: &[Part] = &[
    Part { detail: "host", args: &["--protocol=tcp", "--host={{ host }}"] },
    Part { detail: "port", args: &["--port={{ port }}"] },
    Part { detail: "username", args: &["--user={{ username }}"] },
    Part { detail: "database", args: &["--database={{ database }}"] },
];
const REDIS: &[Part] = &[
    Part { detail: "host", args: &["-h", "{{ host }}"] },
    Part { detail: "port", args: &["-p", "{{ port }}"] },
    Part { detail: "username", args: &["--user", "{{ username }}"] },
    Part { detail: "database", args: &["-n", "{{ database }}"] },
];
const KNOWN: [Known; 6] = [
    POSTGRES,
    Known { command: "mysql", args: MYSQL, env: &[("MYSQL_PWD", "password")] },
    Known { command: "mariadb", args: MYSQL, env: &[("MYSQL_PWD", "password")] },
    Known { command: "redis-cli", args: REDIS, env: &[("REDISCLI_AUTH", "password")] },
    Known { command: "valkey-cli", args: REDIS, env: &[("REDISCLI_AUTH", "password")] },
    Known { command: MONGOSH, args: &[], env: &[] },
];
/// It takes a password from an argument, a prompt or a script: the script it is.
const MONGOSH: &str = "mongosh";

/// What stands in the place of the file that a client is started with.
pub const SCRIPT: &str = "{script}";

/// The script that connects, and the arguments that run it, for a client that takes its secrets in
/// no other way.
pub(super) fn script(client: &Client, uri: Option<&str>) -> Option<(String, Vec<String>)> {
    let bare = client.args.is_empty() && client.env.is_empty();
    let uri = uri.filter(|_| bare && client.command == MONGOSH)?;
    let args = ["--nodb", "--shell", SCRIPT].map(str::to_owned);
    Some((format!("db = connect({});\n", Json::from(uri)), args.to_vec()))
}

/// Whether a program starts without consent.
pub fn is_known(command: &str) -> bool {
    KNOWN.iter().any(|known| known.command == command)
}

/// The client with the arguments and the environment of its manual, where the class gives none.
pub(super) fn filled(client: &Client, has: impl Fn(&str) -> bool) -> Client {
    let known = KNOWN.iter().find(|known| known.command == client.command);
    let Some(known) = known.filter(|_| client.args.is_empty() && client.env.is_empty()) else {
        return client.clone();
    };
    let parts = known.args.iter().filter(|part| has(part.detail));
    let vars = known.env.iter().filter(|(_, detail)| has(detail));
    Client {
        command: client.command.clone(),
        args: parts.flat_map(|part| part.args).map(|&arg| arg.to_owned()).collect(),
        env: vars
            .map(|(name, detail)| EnvVar {
                name: (*name).to_owned(),
                value: format!("{{{{ {detail} }}}}"),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(command: &str) -> Client {
        Client { command: command.to_owned(), args: Vec::new(), env: Vec::new() }
    }

    #[test]
    fn known_clients_get_the_details_that_are_there() {
        let psql = filled(&client("psql"), |detail| ["host", "password"].contains(&detail));
        let names: Vec<_> = psql.env.iter().map(|variable| variable.name.as_str()).collect();
        assert_eq!(names, ["PGHOST", "PGPASSWORD"]);
        assert_eq!(psql.env[1].value, "{{ password }}");
        let redis = filled(&client("redis-cli"), |detail| detail != "username");
        assert_eq!(redis.args, ["-h", "{{ host }}", "-p", "{{ port }}", "-n", "{{ database }}"]);
    }

    #[test]
    fn a_password_is_never_an_argument() {
        for known in &KNOWN {
            let args = known.args.iter().flat_map(|part| part.args);
            assert!(args.into_iter().all(|arg| !arg.contains("password")), "{}", known.command);
        }
    }

    #[test]
    fn mongosh_connects_by_a_script() {
        let (text, args) = script(&client("mongosh"), Some("mongodb://a:\"b@c/")).unwrap();
        assert_eq!(text, "db = connect(\"mongodb://a:\\\"b@c/\");\n");
        assert_eq!(args, ["--nodb", "--shell", SCRIPT]);
        assert!(script(&client("psql"), Some("postgresql://")).is_none());
    }

    #[test]
    fn what_a_class_says_stays() {
        let mut own = client("psql");
        own.args.push("--quiet".to_owned());
        assert_eq!(filled(&own, |_| true), own);
        assert_eq!(filled(&client("other"), |_| true), client("other"));
    }
}
