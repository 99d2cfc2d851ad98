//! What `--manifests` prints holds no secret, whatever a chart derives from it.

use serde_json::{Value, json};

use crate::support::space::Space;

const SECRET: &str = "it's a \"p<ss&w/rd\" ö%1\\";

const TEMPLATE: &str = r#"
apiVersion: v1
kind: Secret
metadata:
  name: "{{ .Release.Name }}"
  annotations: {login: "{{ printf "u:%s" .Values.password | b64enc }}"}
data: {of-the-chart: {{ "nobody asked" | b64enc }}}
stringData: {password: {{ .Values.password | quote }}}
---
# {{ .Values.password }}
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}"}
data:
  plain: kept
  sum: {{ .Values.password | sha256sum }}
  quoted: {{ .Values.password | quote }}
  single: '{{ .Values.password | replace "'" "''" }}'
  yaml: {{ .Values.password | toYaml }}
  block: |
    a line
    {{ .Values.password }}
  folded: "it's a
    {{ .Values.password | trimPrefix "it's a " | toJson | trimAll "\"" }}"
  json: {{ dict "a" .Values.password | toJson | quote }}
  twice: {{ dict "a" (dict "b" .Values.password | toJson) | toJson | quote }}
  query: "postgres://u:{{ .Values.password | urlquery }}@h"
  path: "postgres://u:{{ .Values.password | urlquery | replace "+" "%20" }}@h"
  base64: {{ printf "postgres://u:%s@h" .Values.password | b64enc }}
  inner: {{ dict "auth" (printf "u:%s" .Values.password | b64enc) | toJson | b64enc }}
  unpadded: "https://h/{{ printf "u:%s" .Values.password | b64enc | trimSuffix "=" | trimSuffix "=" }}"
"#;

#[test]
fn nothing_that_leads_back_to_a_secret_is_shown() {
    let Some(space) = Space::new("masks") else { return };
    let class = space.own_class(TEMPLATE, |spec| {
        spec["parameters"] = json!([
            {"name": "password", "paths": ["password"], "sensitive": true, "string": {}}
        ]);
    });
    space.write("secret", SECRET);
    let command =
        format!("create mydb -c {class} --set-file password=secret --dry-run --manifests");
    let said = space.svc(&command).ok();
    assert!(!said.stdout.contains("rd\\\""), "{said}");
    let objects: Vec<Value> = serde_yaml::from_multiple(&said.stdout).expect("YAML");
    let of_kind = |kind: &str| objects.iter().find(|object| object["kind"] == kind);
    let secret = of_kind("Secret").expect("a Secret");
    assert_eq!(secret["data"], json!({"of-the-chart": "********"}));
    assert_eq!(secret["stringData"], json!({"password": "********"}));
    assert_eq!(secret["metadata"]["annotations"]["login"], "***");
    let data = &of_kind("ConfigMap").expect("a ConfigMap")["data"];
    let sum = space.run("sha256sum secret | head -c 64").ok().stdout;
    assert_eq!(
        *data,
        json!({
            "plain": "kept", "sum": sum, "quoted": "***", "single": "***", "yaml": "***",
            "block": "a line\n***\n", "folded": "***", "json": "{\"a\":\"***\"}",
            "twice": "***", "query": "postgres://u:***@h", "path": "postgres://u:***@h",
            "base64": "***", "inner": "***", "unpadded": "https:***",
        }),
        "{said}"
    );
    let plan = space.svc(&format!("{command} -o json")).ok().json();
    assert_eq!(plan["manifests"], said.stdout.as_str());
}
