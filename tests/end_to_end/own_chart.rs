//! Classes of a test's own with a chart of its own, handed over in a ConfigMap.

use serde_json::{Value, json};

use crate::support::space::Space;

/// A ConfigMap, and a Job that runs before it: its script decides how the install goes.
const HOOKED: &str = r#"
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}"}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-hook"
  annotations: {helm.sh/hook: pre-install}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 1
      automountServiceAccountToken: false
      containers:
      - {name: hook, image: "svc.test/redis:7", command: [/bin/sh, -c, "@script@"]}
"#;

impl Space {
    /// A class whose chart has this template, its connection is one fixed host; `change` may say
    /// more.
    pub fn own_class(&self, template: &str, change: impl FnOnce(&mut Value)) -> String {
        let folder = self.folder().join("own");
        std::fs::create_dir_all(folder.join("templates")).expect("a folder");
        self.write("own/Chart.yaml", "apiVersion: v2\nname: own\nversion: 0.1.0\n");
        self.write("own/templates/all.yaml", template);
        self.run("\"$HELM4\" package own").ok();
        let sum = self.run("sha256sum own-0.1.0.tgz | head -c 64").ok().stdout;
        let name = format!("chart-{}", &sum[..8]);
        self.run(&format!(
            "kubectl create configmap {name} --context staging --from-file=own-0.1.0.tgz"
        ))
        .ok();
        let chart = json!({"configMap": {"namespace": self.namespace, "name": name,
            "key": "own-0.1.0.tgz", "digest": format!("sha256:{sum}")}});
        let mut spec = json!({
            "summary": "A chart of one test", "chart": chart,
            "connection": {"type": "own", "provider": "svc-tests",
                "details": [{"name": "host", "value": "{{ release.name }}"}]},
        });
        change(&mut spec);
        self.copy_of("redis", |whole| *whole = spec)
    }

    /// A class whose install runs this script and waits for it.
    pub fn hooked(&self, script: &str) -> String {
        self.own_class(&HOOKED.replace("@script@", script), |_| {})
    }
}
