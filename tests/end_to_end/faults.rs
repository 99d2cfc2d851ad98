//! What goes wrong on a cluster, one fixture each: the cause and the object are named in at most
//! fifteen lines, and the exit status tells whether waiting could help (interface §1.4, §7).

use serde_json::{Value, json};

use crate::support::space::{Space, is_long};

/// A workload of one pod, as a chart's template.
fn deployment(pod: &Value) -> String {
    let labels = json!({"app.kubernetes.io/instance": "{{ .Release.Name }}"});
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "{{ .Release.Name }}"},
        "spec": {"selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod}},
    })
    .to_string()
}

/// A pod's one container that runs this script.
fn runs(script: &str) -> Value {
    json!({"name": "main", "image": "svc.test/redis:7", "command": ["/bin/sh", "-c", script]})
}

fn pod(container: &Value) -> Value {
    json!({"terminationGracePeriodSeconds": 1, "automountServiceAccountToken": false,
        "containers": [container]})
}

/// A container with more than its script.
fn with(script: &str, more: &Value) -> Value {
    let mut container = runs(script);
    let more = more.as_object().expect("a map").clone();
    container.as_object_mut().expect("a map").extend(more);
    container
}

struct Fault {
    name: &'static str,
    /// What an administrator did to the namespace.
    before: &'static str,
    template: String,
    /// What the class says beside its chart.
    class: Value,
    timeout: &'static str,
    status: i32,
    tells: &'static [&'static str],
}

impl Fault {
    fn new(name: &'static str, template: String) -> Self {
        let (before, class, timeout) = ("true", json!({}), "60s");
        Self { name, before, template, class, timeout, status: 1, tells: &[] }
    }

    fn before(self, before: &'static str) -> Self {
        Self { before, ..self }
    }

    fn class(self, class: Value) -> Self {
        Self { class, ..self }
    }

    fn timeout(self, timeout: &'static str) -> Self {
        Self { timeout, ..self }
    }

    fn ends(self, status: i32, tells: &'static [&'static str]) -> Self {
        Self { status, tells, ..self }
    }

    fn check(&self) {
        let Some(space) = Space::new(&format!("fault-{}", self.name)) else { return };
        space.run(self.before).ok();
        let class = space.own_class(&self.template, |spec| {
            let more = self.class.as_object().expect("a map").clone();
            spec.as_object_mut().expect("a map").extend(more);
        });
        let said = space.svc(&format!("create mydb -c {class} --timeout {}", self.timeout));
        let error = said.stderr.find("error: ").map_or("", |at| &said.stderr[at..]);
        assert!(error.lines().count() <= 15, "{}: {said}", self.name);
        let said = said.ended(self.status).answers("");
        for words in self.tells {
            assert!(said.stderr.contains(words), "{}: {words}: {said}", self.name);
        }
    }
}

const SLEEPS: &str = "sleep 10000";

fn sleeper() -> Value {
    runs(SLEEPS)
}

/// The last of several objects.
fn after(first: &Value, last: &str) -> String {
    format!("{first}\n---\n{last}")
}

fn config() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "{{ .Release.Name }}"}})
}

fn images() -> Vec<Fault> {
    let image = |name: &str| json!({"name": "main", "image": name});
    let nothing = image("registry.svc.test:5000/nothing:1");
    let mut init = pod(&sleeper());
    init["initContainers"] =
        json!([{"name": "first", "image": "registry.svc.test:5000/nothing:1"}]);
    vec![
        Fault::new("image", deployment(&pod(&nothing))).ends(
            1,
            &["the image of Pod mydb-", " does not exist\n", "  image   registry.svc.test"],
        ),
        Fault::new("init", deployment(&init)).ends(1, &["the image of Pod mydb-", "not exist\n"]),
        Fault::new("registry-gone", deployment(&pod(&image("127.0.0.1:9/nothing:1"))))
            .ends(5, &["cannot pull image nothing:1\n", "connection refused\n"]),
    ]
}

/// A pod with this volume.
fn mounts(volume: &Value) -> String {
    let mounts = json!({"volumeMounts": [{"name": "v", "mountPath": "/v"}]});
    let mut pod = pod(&with(SLEEPS, &mounts));
    pod["volumes"] = json!([volume]);
    deployment(&pod)
}

fn claims(storage_class: &str) -> String {
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim",
        "metadata": {"name": "{{ .Release.Name }}-data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": storage_class,
            "resources": {"requests": {"storage": "16Mi"}}},
    });
    let claims = json!({"claimName": "{{ .Release.Name }}-data"});
    after(&claim, &mounts(&json!({"name": "v", "persistentVolumeClaim": claims})))
}

const NOBODY: &str = "kubectl get storageclass nobody --context staging || \
    echo '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: nobody}, \
    provisioner: svc.test/nobody}' | kubectl apply --context staging -f -";

fn places() -> Vec<Fault> {
    let mut nowhere = pod(&sleeper());
    nowhere["nodeSelector"] = json!({"disk": "ssd"});
    let settings = json!({"name": "v", "configMap": {"name": "settings"}});
    vec![
        Fault::new("node", deployment(&nowhere))
            .ends(5, &["waiting for a node: didn't match Pod's node affinity/selector\n"]),
        Fault::new("storage-class", claims("fast-ssd")).ends(
            1,
            &["no storage class fast-ssd for its volume\n", "  volume  mydb-data, 16Mi, p"],
        ),
        Fault::new("volume", claims("nobody"))
            .before(NOBODY)
            .ends(5, &["  volume      mydb-data: waiting for a disk from svc.test/nobody\n"]),
        Fault::new("mount", mounts(&settings))
            .ends(5, &["cannot mount a volume: configmap \"settings\" not found\n"]),
    ]
}

const SMALL: &str = "echo '{apiVersion: v1, kind: LimitRange, metadata: {name: small}, \
    spec: {limits: [{type: Container, max: {memory: 32Mi}}]}}' | \
    kubectl apply --context staging -f -";

fn rules() -> Vec<Fault> {
    let quota = with(SLEEPS, &json!({"resources": {"requests": {"memory": "16Mi"}}}));
    let hungry = with(SLEEPS, &json!({"resources": {"limits": {"memory": "64Mi"}}}));
    vec![
        Fault::new("quota", deployment(&pod(&quota)))
            .before("kubectl create quota team --context staging --hard=requests.memory=8Mi")
            .ends(4, &["quota team of namespace fault-", "  needs   requests.memory 16Mi\n"]),
        Fault::new("limits", deployment(&pod(&hungry)))
            .before(SMALL)
            .ends(4, &["a limit range of namespace fault-", "maximum memory usage per Container"]),
        Fault::new("security", deployment(&pod(&sleeper())))
            .before(
                "kubectl label namespace $NS --context staging \
                 pod-security.kubernetes.io/enforce=restricted",
            )
            .ends(
                4,
                &["the pod security of namespace fault-", "violates PodSecurity \"restricted"],
            ),
    ]
}

fn pods() -> Vec<Fault> {
    let env = |source: Value| with(SLEEPS, &json!({"env": [{"name": "A", "valueFrom": source}]}));
    let secret = env(json!({"secretKeyRef": {"name": "other", "key": "token"}}));
    let config = env(json!({"configMapKeyRef": {"name": "kube-root-ca.crt", "key": "no"}}));
    let asks = ["/bin/sh", "-c", "echo no response; exit 2"];
    let probe = json!({"readinessProbe": {"periodSeconds": 2, "exec": {"command": asks}}});
    let probe = with("echo recovering; sleep 10000", &probe);
    vec![
        Fault::new("secret-key", deployment(&pod(&secret)))
            .ends(5, &["cannot start: secret \"other\" not found\n"]),
        Fault::new("config-key", deployment(&pod(&config)))
            .ends(5, &["cannot start: couldn't find key no in ConfigMap"]),
        Fault::new("probe", deployment(&pod(&probe)))
            .ends(5, &["  probe       readiness: no response\n", "  log         recovering\n"]),
    ]
}

/// A Job that fails, and the same as a hook.
fn jobs() -> Vec<Fault> {
    let fails = json!([runs("echo no table users; exit 3")]);
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "{{ .Release.Name }}-job"},
        "spec": {"backoffLimit": 0, "template": {"spec": {
            "restartPolicy": "Never", "containers": fails}}},
    });
    let mut hook = job.clone();
    hook["metadata"]["annotations"] = json!({"helm.sh/hook": "pre-install"});
    vec![
        Fault::new("job", after(&config(), &job.to_string()))
            .ends(1, &["Job mydb-job failed\n", "  log     no table users\n"]),
        Fault::new("hook", after(&config(), &hook.to_string()))
            .ends(1, &["its pre-install hook failed", "  log  no table users\n"]),
    ]
}

fn objects() -> Vec<Fault> {
    let cluster = json!({"apiVersion": "example.com/v1", "kind": "Cluster",
        "metadata": {"name": "{{ .Release.Name }}"}});
    let balancer = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "{{ .Release.Name }}"},
        "spec": {"type": "LoadBalancer", "ports": [{"port": 5432}],
            "selector": {"app.kubernetes.io/instance": "{{ .Release.Name }}"}},
    });
    let connection = |source: Value, from: Value| {
        let detail = json!({"name": "host", "from": from, "sensitive": false});
        json!({"connection": {"type": "own", "sources": [source], "details": [detail]}})
    };
    let front = json!({"name": "front", "service": {"name": "{{ release.name }}"}});
    let address = json!({"source": "front", "path": "status.loadBalancer.ingress[0].ip"});
    let auth =
        json!({"name": "auth", "secret": {"name": "{{ release.name }}-auth", "keys": ["a"]}});
    let blessed = json!({"readiness": {"conditions": [{"apiVersion": "apps/v1",
        "kind": "Deployment", "name": "{{ release.name }}", "type": "Blessed"}]}});
    let sleeps = deployment(&pod(&sleeper()));
    vec![
        Fault::new("kind", after(&config(), &cluster.to_string()))
            .ends(1, &["does not know Cluster of example.com/v1; its operator is not installed\n"]),
        Fault::new("balancer", after(&balancer, &sleeps))
            .class(connection(front, address))
            .ends(5, &["  service  mydb: "]),
        Fault::new("secret", sleeps.clone())
            .class(connection(auth, json!({"source": "auth", "key": "a"})))
            .ends(5, &["  secret  mydb-auth: not there yet\n"]),
        Fault::new("condition", sleeps)
            .class(blessed)
            .ends(5, &["  deployment  mydb: Blessed is not known yet\n"]),
    ]
}

/// Five crashes take minutes.
fn crashes() -> Vec<Fault> {
    let hungry = with(
        "head -c 200000000 /dev/zero | tail -c 100000000 | wc -c; exit 1",
        &json!({"resources": {"limits": {"memory": "32Mi"}}}),
    );
    vec![
        Fault::new("crash", deployment(&pod(&runs("echo wrong password; exit 3"))))
            .timeout("400s")
            .ends(1, &["crashed 5 times\n", "  exit   3\n", "  log    wrong password\n"]),
        Fault::new("memory", deployment(&pod(&hungry)))
            .timeout("400s")
            .ends(1, &["crashed 5 times\n"]),
    ]
}

#[test]
fn each_names_its_cause() {
    let mut faults: Vec<Fault> = Vec::new();
    faults.extend([images(), places(), rules(), pods(), jobs(), objects()].into_iter().flatten());
    if is_long() {
        faults.extend(crashes());
    }
    // Nearly all of the time is spent waiting.
    std::thread::scope(|scope| {
        for fault in &faults {
            scope.spawn(|| fault.check());
        }
    });
}
