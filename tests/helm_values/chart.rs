//! The real helm of this run with a chart that prints what it was given.

use std::path::PathBuf;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use svc::domain::class::Chart;
use svc::domain::values::Values;
use svc::error::Error;
use svc::helm::chart::{PreparedChart, WantedChart};
use svc::helm::{
    CacheDirectory, Deployment, Helm, HelmEnvironment, Signals, Target, TemplateRequest,
};
use tempfile::TempDir;

/// What the chart finds in its file `svc-class.json`.
const CLASS_FILE: &str = r#"{"version":1}"#;

const FILES: [(&str, &str); 4] = [
    ("echo/Chart.yaml", "apiVersion: v2\nname: echo\nversion: 0.1.0\n"),
    ("echo/values.yaml", "{}\n"),
    ("echo/.helmignore", "*.json\n"),
    (
        "echo/templates/map.yaml",
        "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\ndata:\n  \
         class: {{ .Files.Get \"svc-class.json\" | toJson }}\n  \
         values: {{ .Values | toJson | toJson }}\n",
    ),
];

fn archive() -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, content) in FILES {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, content.as_bytes()).expect("memory");
    }
    builder.into_inner().and_then(GzEncoder::finish).expect("memory")
}

/// A helm that renders the chart.
pub struct Echo {
    helm: Helm,
    chart: PreparedChart,
    signals: Signals,
    _folder: TempDir,
}

impl Echo {
    /// With the helm that `SVC_HELM` names.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = CacheDirectory::open(folder.path().join("cache")).expect("a cache");
        let (_, mut signals) = tokio::sync::mpsc::unbounded_channel();
        let helm = Helm::find(environment(), cache.clone(), &mut signals).await.expect("helm");
        let digest: String = Sha256::digest(archive()).iter().map(|b| format!("{b:02x}")).collect();
        let chart: Chart = serde_json::from_value(serde_json::json!({"configMap": {
            "namespace": "n", "name": "charts", "key": "echo-0.1.0.tgz",
            "digest": format!("sha256:{digest}")
        }}))
        .expect("a chart of a class");
        let wanted = WantedChart::of_class(&chart).expect("one source");
        let obtained = helm.obtain_chart(
            &wanted,
            async |_| Err(Error::failed("no credentials")),
            async |_| Ok(archive()),
            &mut signals,
        );
        let pulled = obtained.await.expect("the chart");
        let chart = pulled.prepare(&cache, CLASS_FILE.as_bytes()).expect("the class file fits");
        Self { helm, chart, signals, _folder: folder }
    }

    /// The values as the chart sees them.
    pub async fn values(&mut self, values: &Values) -> Value {
        let json = values.to_helm_json().expect("values that helm takes");
        let request = request(
            self.chart.path().to_owned(),
            String::from_utf8(json).expect("JSON is text"),
            values.big_integers(),
        );
        let outcome = self.helm.template(&request, &mut self.signals).await.expect("helm runs");
        assert!(outcome.is_success(), "{}: {}", self.helm.version(), outcome.stderr);
        let printed = |name: &str| -> String {
            let line = outcome.stdout.lines().find_map(|line| line.strip_prefix(name));
            serde_json::from_str(line.expect("the chart prints it")).expect("a JSON string")
        };
        assert_eq!(printed("  class: "), CLASS_FILE, "{}", self.helm.version());
        serde_json::from_str(&printed("  values: ")).expect("JSON")
    }
}

#[expect(clippy::disallowed_methods, reason = "the harness says which helm is meant")]
fn environment() -> HelmEnvironment {
    HelmEnvironment {
        vars: Vec::new(),
        path: std::env::var_os("PATH"),
        svc_helm: std::env::var_os("SVC_HELM").map(PathBuf::from),
        may_prompt: false,
    }
}

fn request(chart: PathBuf, values: String, integers: Vec<String>) -> TemplateRequest {
    TemplateRequest {
        target: Target { kubeconfig: None, context: None, namespace: "team-a".to_owned() },
        deployment: Deployment {
            release: "mydb".to_owned(),
            chart,
            values: values.into(),
            integers,
            labels: [].into(),
            description: String::new(),
            timeout: Duration::from_mins(1),
        },
        is_upgrade: false,
        ask_cluster: false,
    }
}
