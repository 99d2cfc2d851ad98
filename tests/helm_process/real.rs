//! The same with real helms: `HELM3` and `HELM4` name them; without these nothing is tried.

use std::path::PathBuf;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use svc::domain::class::Chart;
use svc::error::Error;
use svc::helm::chart::{PulledChart, WantedChart};
use svc::helm::{Deployment, Helm, HelmEnvironment, Target, TemplateRequest};

use super::fake::Fake;

const FILES: [(&str, &str); 4] = [
    ("echo/Chart.yaml", "apiVersion: v2\nname: echo\nversion: 0.1.0\n"),
    ("echo/values.yaml", "text: default\nnumber: 0\n"),
    ("echo/.helmignore", "*.json\n"),
    (
        "echo/templates/map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  \
         text: {{ .Values.text | toJson }}\n  number: \"{{ .Values.number }}\"\n  \
         class: {{ .Files.Get \"svc-class.json\" | toJson }}\n",
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

#[expect(clippy::disallowed_methods, reason = "the harness says where the real helms are")]
fn real_helms() -> Vec<PathBuf> {
    ["HELM3", "HELM4"].iter().filter_map(std::env::var_os).map(PathBuf::from).collect()
}

async fn chart(helm: &Helm, fake: &mut Fake) -> PulledChart {
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
        &mut fake.signals,
    );
    obtained.await.expect("the chart")
}

fn request(chart: PathBuf, values: &str) -> TemplateRequest {
    TemplateRequest {
        target: Target { kubeconfig: None, context: None, namespace: "team-a".to_owned() },
        deployment: Deployment {
            release: "mydb".to_owned(),
            chart,
            values: values.into(),
            integers: vec!["number=12345678".to_owned()],
            labels: [].into(),
            description: String::new(),
            timeout: Duration::from_mins(1),
        },
        is_upgrade: false,
        ask_cluster: false,
    }
}

#[tokio::test]
async fn values_integers_and_the_class_file_arrive_in_a_real_helm() {
    for path in real_helms() {
        let mut fake = Fake::new("");
        let environment = HelmEnvironment { svc_helm: Some(path), ..fake.environment() };
        let found = Helm::find(environment, fake.cache.clone(), &mut fake.signals).await;
        let helm = found.expect("a real helm");
        let chart = chart(&helm, &mut fake).await;
        let prepared = chart.prepare(&fake.cache, br#"{"version":1}"#).unwrap();
        let hostile = "{{ fail \"x\" }} \\ ' \" 😀 null 0123 , a=b";
        let values = serde_json::json!({"text": hostile, "number": 12_345_678}).to_string();
        let request = request(prepared.path().to_owned(), &values);
        let outcome = helm.template(&request, &mut fake.signals).await.unwrap();

        assert!(outcome.is_success(), "{}: {}", helm.version(), outcome.stderr);
        let manifest: serde_json::Value = serde_yaml::from_str(&outcome.stdout).unwrap();
        assert_eq!(manifest["data"]["text"], hostile, "{}", helm.version());
        assert_eq!(manifest["data"]["number"], "12345678", "{}", helm.version());
        assert_eq!(manifest["data"]["class"], r#"{"version":1}"#, "{}", helm.version());
    }
}
