//! A namespace of a test's own in the throwaway cluster, and people who may work in it.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::{Said, on_a_cluster, shell};

/// How long the cluster may take for what a test waits for: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// One namespace; it and the classes made for it are deleted when the test ends.
#[derive(Debug)]
pub struct Space {
    pub namespace: String,
    folder: TempDir,
    kubeconfig: PathBuf,
    variables: Vec<(String, String)>,
    classes: Mutex<Vec<String>>,
}

impl Space {
    /// None where there is no cluster, which is said.
    pub fn new(test: &str) -> Option<Self> {
        if !on_a_cluster(test) {
            return None;
        }
        let namespace = format!("{}-{}", test.replace('_', "-"), std::process::id());
        let folder = tempfile::tempdir().expect("a folder");
        let kubeconfig = folder.path().join("kubeconfig");
        let given = variable("KUBECONFIG").expect("the cluster has a kubeconfig");
        std::fs::copy(given, &kubeconfig).expect("the kubeconfig can be copied");
        let classes = Mutex::default();
        let space = Self { namespace, folder, kubeconfig, variables: Vec::new(), classes };
        let name = &space.namespace;
        space.run(&format!("kubectl create namespace {name}")).ok();
        for context in ["staging", "dev"] {
            space.run(&format!("kubectl config set-context {context} --namespace={name}")).ok();
        }
        Some(space)
    }

    /// The same with one more variable of the environment.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// The same with a chart cache that holds nothing.
    pub fn with_empty_cache(self) -> Self {
        let cache = self.folder.path().join("cache");
        self.with("SVC_CACHE_DIR", cache.to_str().expect("a path in UTF-8"))
    }

    /// The same with a bash script for helm, which has the real one as `$REAL_HELM`.
    pub fn with_helm(self, script: &str) -> Self {
        self.write("helm", script);
        let path = self.folder().join("helm");
        let real = self.run("chmod +x helm; readlink -f \"${SVC_HELM:-$(command -v helm)}\"").ok();
        self.with("REAL_HELM", real.stdout.trim())
            .with("SVC_HELM", path.to_str().expect("a path in UTF-8"))
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file into the folder where commands run.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("a file can be written");
    }

    /// A shell in the namespace, to be started.
    pub fn shell(&self, script: &str) -> std::process::Command {
        let mut command = shell(script, self.folder.path());
        for name in CLUSTER {
            if let Some(value) = variable(name) {
                command.env(name, value);
            }
        }
        command.env("KUBECONFIG", &self.kubeconfig).env("NS", &self.namespace);
        // Where a sentence is broken depends on the names in it.
        command.env("COLUMNS", "400");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a script with the namespace as its default.
    pub fn run(&self, script: &str) -> Said {
        self.shell(script).output().expect("bash starts").into()
    }

    /// Runs svc without a terminal.
    pub fn svc(&self, arguments: &str) -> Said {
        self.run(&format!("svc {arguments}"))
    }

    /// Starts scripts at the same moment and waits for all.
    pub fn at_once(&self, scripts: &[String]) -> Vec<Said> {
        let start = |script: &String| {
            let mut command = self.shell(script);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("bash starts")
        };
        let children: Vec<_> = scripts.iter().map(start).collect();
        let outputs = children.into_iter().map(|child| child.wait_with_output().expect("it ends"));
        outputs.map(Said::from).collect()
    }

    /// Sends manifests to the cluster as its administrator.
    pub fn apply(&self, manifests: &str) {
        self.write("manifests.yaml", manifests);
        self.run("kubectl apply --server-side --context staging -f manifests.yaml").ok();
    }

    /// An object of the cluster as it is now.
    pub fn get(&self, what: &str) -> Value {
        let said = self.run(&format!("kubectl get --context staging {what} -o json")).ok();
        serde_json::from_str(&said.stdout).expect("kubectl prints JSON")
    }

    /// Names of the objects of some kinds, without those that every namespace has.
    pub fn names(&self, kinds: &str) -> Vec<String> {
        let said = self.run(&format!("kubectl get --context staging {kinds} -o name")).ok();
        let names = said.stdout.lines().filter(|name| *name != "configmap/kube-root-ca.crt");
        names.map(str::to_owned).collect()
    }

    /// Waits until a script succeeds.
    pub fn until(&self, script: &str) -> Said {
        let started = Instant::now();
        loop {
            let said = self.run(script);
            if said.status == 0 {
                return said;
            }
            assert!(started.elapsed() < PATIENCE, "{script}: {said:#?}");
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// Publishes a class under a name of this test's own, which is handed back.
    ///
    /// `file` is one of the test classes; `changes` are applied to its text, each must be found.
    pub fn class(&self, file: &str, changes: &[(&str, &str)]) -> String {
        let mut text = test_class(file);
        for (old, new) in changes {
            assert!(text.contains(old), "{file} has no {old}");
            text = text.replacen(old, new, 1);
        }
        self.publish(file, &text)
    }

    /// The same for a class of the example catalog, as the cluster has it now.
    pub fn copy_of(&self, class: &str, change: impl FnOnce(&mut Value)) -> String {
        let mut object = self.get(&format!("serviceclass {class}"));
        object["metadata"] = serde_json::json!({"name": class});
        change(&mut object["spec"]);
        self.publish(class, &escaped(&object.to_string()))
    }

    /// Publishes a test class that a function has changed.
    pub fn class_like(&self, file: &str, change: impl FnOnce(&mut Value)) -> String {
        let mut object: Value = serde_yaml::from_str(&test_class(file)).expect("YAML");
        change(&mut object["spec"]);
        self.publish(file, &escaped(&object.to_string()))
    }

    fn publish(&self, class: &str, text: &str) -> String {
        let mut classes = self.classes.lock().expect("no test panicked here");
        let name = format!("{class}-{}-{}", self.namespace, classes.len());
        let old = [format!("name: {class}\n"), format!("\"name\":\"{class}\"")];
        let text = text.replacen(&old[0], &format!("name: {name}\n"), 1);
        let text = text.replacen(&old[1], &format!("\"name\":\"{name}\""), 1);
        // Not by apply: a server takes no patch with the control characters that a class may hold.
        self.write("class.yaml", &text);
        self.run("kubectl create --context staging -f class.yaml").ok();
        classes.push(name.clone());
        name
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        let classes = self.classes.get_mut().map(|names| names.join(" ")).unwrap_or_default();
        let script = format!(
            "kubectl delete --context staging namespace {} --wait=false\n\
             [ -z '{classes}' ] || kubectl delete --context staging serviceclass {classes}",
            self.namespace
        );
        // A test that failed is what matters then.
        drop(self.run(&script));
    }
}

fn test_class(file: &str) -> String {
    let run = variable("SVC_TEST_RUN").expect("the cluster has a folder");
    let path = Path::new(&run).join("test-classes").join(format!("{file}.yaml"));
    std::fs::read_to_string(path).expect("the class is there")
}

/// What commands see of the cluster's environment beside the harness's own.
const CLUSTER: [&str; 15] = [
    "SVC_HELM",
    "HELM3",
    "HELM4",
    "REGISTRY",
    "REGISTRY_CA",
    "REGISTRY_UNTRUSTED",
    "REGISTRY_PRIVATE",
    "REGISTRY_USER",
    "REGISTRY_PASSWORD",
    "CHARTS_URL",
    "CHARTS_DIR",
    "HELM_CACHE_HOME",
    "HELM_CONFIG_HOME",
    "HELM_DATA_HOME",
    "KUBECACHEDIR",
];

/// kubectl takes no bare control characters, which JSON allows above U+001F.
fn escaped(json: &str) -> String {
    let escape = |character: char| {
        if character.is_control() {
            format!("\\u{:04x}", u32::from(character))
        } else {
            character.to_string()
        }
    };
    json.chars().map(escape).collect()
}

/// Whether all cases are to be run, as `tests/run --long` asks.
pub fn is_long() -> bool {
    variable("SVC_TEST_LONG").is_some_and(|long| !long.is_empty())
}

/// A variable of the environment that the tests were started with.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
