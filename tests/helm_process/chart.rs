//! Charts: pulled once, verified, with the logins that belong to them.

use std::fs;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use svc::domain::class::{Chart, SecretRef};
use svc::error::{Error, ErrorKind, Result};
use svc::helm::chart::{PulledChart, RegistryCredentials, WantedChart};

use super::fake::Fake;

/// Puts the test's archive where helm would put a chart.
const PULL: &str = r#"
destination=
while [ $# -gt 0 ]; do
  [ "$1" = --destination ] && destination=$2
  shift
done
cp "$SEEN/../pullable.tgz" "$destination/redis-1.2.3.tgz"
"#;

fn archive() -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let chart = "apiVersion: v2\nname: redis\nversion: 1.2.3\n";
    let mut header = tar::Header::new_gnu();
    header.set_size(chart.len() as u64);
    header.set_mode(0o644);
    builder.append_data(&mut header, "redis/Chart.yaml", chart.as_bytes()).expect("memory");
    builder.into_inner().and_then(GzEncoder::finish).expect("memory")
}

fn digest(archive: &[u8]) -> String {
    let hex: Vec<String> =
        Sha256::digest(archive).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{}", hex.concat())
}

fn chart(json: serde_json::Value) -> Chart {
    serde_json::from_value(json).expect("a chart of a class")
}

fn oci() -> Chart {
    chart(serde_json::json!({
        "oci": {"url": "oci://registry.example/charts/redis", "version": "1.2.3"},
        "credentials": {"secret": {"namespace": "svc-system", "name": "registry"}}
    }))
}

fn repository(digest: Option<&str>) -> Chart {
    chart(serde_json::json!({
        "repository": {"url": "https://charts.example", "name": "redis", "version": "1.2.3", "digest": digest},
        "credentials": {"secret": {"namespace": "svc-system", "name": "registry"}}
    }))
}

async fn login(_: &SecretRef) -> Result<Option<RegistryCredentials>> {
    let secret = [("username", "robot"), ("password", "hunter22"), ("ca.crt", "PEM")];
    let secret = secret.map(|(key, text)| (key.to_owned(), text.as_bytes().to_vec()));
    Ok(Some(RegistryCredentials::from_secret(secret).expect("a login")))
}

async fn no_login(_: &SecretRef) -> Result<Option<RegistryCredentials>> {
    Ok(None)
}

async fn obtain(
    fake: &mut Fake,
    chart: &Chart,
    login: impl AsyncFnOnce(&SecretRef) -> Result<Option<RegistryCredentials>>,
) -> Result<PulledChart> {
    let helm = fake.helm().await;
    let wanted = WantedChart::of_class(chart)?;
    helm.obtain_chart(
        &wanted,
        login,
        async |_| Err(Error::failed("no ConfigMap is asked for")),
        &mut fake.signals,
    )
    .await
}

fn pulling() -> Fake {
    let fake = Fake::new(PULL);
    fs::write(fake.path().join("pullable.tgz"), archive()).expect("an archive to pull");
    fake
}

#[tokio::test]
async fn a_chart_is_pulled_once() {
    let mut fake = pulling();
    let first = obtain(&mut fake, &oci(), no_login).await.unwrap();
    assert_eq!((first.name(), first.version()), ("redis", "1.2.3"));
    assert_eq!(first.digest(), digest(&archive()));
    let argv = fake.seen("argv", 1);
    assert!(argv.starts_with("pull\noci://registry.example/charts/redis\n--version\n1.2.3\n"));
    let again =
        obtain(&mut fake, &oci(), async |_| Err(Error::failed("not asked again"))).await.unwrap();
    assert_eq!(again.digest(), first.digest());
    assert_eq!(fake.runs(), 1);
}

#[tokio::test]
async fn a_damaged_cache_is_repaired() {
    let mut fake = pulling();
    obtain(&mut fake, &oci(), no_login).await.unwrap();
    for file in fs::read_dir(fake.cache.path().join("charts")).unwrap() {
        fs::write(file.unwrap().path(), "damaged").unwrap();
    }
    obtain(&mut fake, &oci(), no_login).await.unwrap();
    assert_eq!(fake.runs(), 2);
}

#[tokio::test]
async fn another_archive_than_the_class_names_is_refused() {
    let mut fake = pulling();
    let expected = format!("sha256:{}", "0".repeat(64));
    let error = obtain(&mut fake, &repository(Some(&expected)), no_login).await.unwrap_err();
    let message = "chart redis 1.2.3 is not the one that the class names: its digest differs";
    assert_eq!(error.message, message);
    assert_eq!(error.facts[1].value, expected);
    assert_eq!(error.facts[2].value, digest(&archive()));
    let right = digest(&archive());
    obtain(&mut fake, &repository(Some(&right)), no_login).await.unwrap();
}

#[tokio::test]
async fn a_chart_of_another_version_is_refused() {
    let mut fake = pulling();
    let chart = chart(serde_json::json!({"oci": {
        "url": "oci://registry.example/charts/redis", "version": "9.9.9", "digest": "sha256:manifest"
    }}));
    let error = obtain(&mut fake, &chart, no_login).await.unwrap_err();
    assert_eq!(error.message, "chart redis 9.9.9 is redis 1.2.3 in truth");
}

#[tokio::test]
async fn the_users_own_login_comes_first_and_that_of_the_class_second() {
    let refuse = r#"
cat /dev/fd/3 > "$SEEN/ca.$count"
if [ -z "$HELM_REGISTRY_CONFIG" ]; then
  echo 'Error: basic credential not found' >&2
  exit 1
fi
cat "$HELM_REGISTRY_CONFIG" > "$SEEN/login"
"#;
    let mut fake = Fake::new(&format!("{refuse}{PULL}"));
    fs::write(fake.path().join("pullable.tgz"), archive()).unwrap();
    obtain(&mut fake, &oci(), login).await.unwrap();
    assert_eq!(fake.runs(), 2);
    assert_eq!(fake.seen("ca", 1), "PEM");
    let login = fs::read_to_string(fake.path().join("seen/login")).unwrap();
    assert_eq!(login, r#"{"auths":{"registry.example":{"auth":"cm9ib3Q6aHVudGVyMjI="}}}"#);
    for run in 1..=2 {
        let visible = fake.seen("argv", run) + &fake.seen("env", run);
        assert!(!visible.contains("hunter22") && !visible.contains("cm9ib3Q6"), "{visible}");
    }
}

#[tokio::test]
async fn a_repository_with_a_login_gets_a_configuration_of_its_own() {
    let lines = r#"
cat "$HELM_REPOSITORY_CONFIG" > "$SEEN/config"
if [ "$1" = repo ]; then
  mkdir "$HELM_REPOSITORY_CACHE"; touch "$HELM_REPOSITORY_CACHE/class-index.yaml"
  exit 0
fi
"#;
    let mut fake = Fake::new(&format!("{lines}{PULL}"));
    fs::write(fake.path().join("pullable.tgz"), archive()).unwrap();
    obtain(&mut fake, &repository(None), login).await.unwrap();
    assert_eq!(fake.seen("argv", 1), "repo\nupdate\nclass\n");
    assert!(fake.seen("argv", 2).starts_with("pull\nclass/redis\n--version\n1.2.3\n"));
    let config = fs::read_to_string(fake.path().join("seen/config")).unwrap();
    let config: serde_json::Value = serde_json::from_str(&config).unwrap();
    let entry = &config["repositories"][0];
    assert_eq!(entry["url"], "https://charts.example");
    assert_eq!(entry["password"], "hunter22");
    assert_eq!(entry["caFile"], "/dev/fd/3");
    let visible = fake.seen("argv", 2) + &fake.seen("env", 2);
    assert!(!visible.contains("hunter22"), "{visible}");
}

#[tokio::test]
async fn certificates_reach_helm_before_the_name_of_the_chart() {
    let mut fake = Fake::new(&format!("cat /dev/fd/3 > \"$SEEN/ca\"{PULL}"));
    fs::write(fake.path().join("pullable.tgz"), archive()).unwrap();
    let ca_alone = async |_: &SecretRef| {
        let secret = [("ca.crt".to_owned(), b"PEM".to_vec())];
        Ok(Some(RegistryCredentials::from_secret(secret).expect("a certificate")))
    };
    obtain(&mut fake, &repository(None), ca_alone).await.unwrap();
    let argv = fake.seen("argv", 1);
    assert!(argv.starts_with("pull\n--ca-file\n/dev/fd/3\n--repo\n"), "{argv}");
    assert!(argv.ends_with("\n--\nredis\n"), "{argv}");
    assert_eq!(fs::read_to_string(fake.path().join("seen/ca")).unwrap(), "PEM");
}

#[tokio::test]
async fn a_refused_login_and_a_missing_chart_are_told_apart() {
    let mut fake = Fake::new("echo 'Error: 401 unauthorized for hunter22' >&2; exit 1");
    let error = obtain(&mut fake, &oci(), login).await.unwrap_err();
    assert_eq!(error.message, "registry.example refuses the credentials of the class");
    assert_eq!(error.facts[0].value, "401 unauthorized for ***");
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    let mut fake =
        Fake::new("echo 'Error: registry.example/charts/redis:1.2.3: not found' >&2; exit 1");
    let error = obtain(&mut fake, &oci(), login).await.unwrap_err();
    assert_eq!(error.message, "there is no chart redis 1.2.3");
    assert_eq!(fake.runs(), 2, "some registries hide charts from strangers");
}

#[tokio::test]
async fn an_archive_of_a_config_map_needs_no_helm() {
    let mut fake = Fake::new("exit 1");
    let chart = chart(serde_json::json!({"configMap": {
        "namespace": "svc-system", "name": "charts", "key": "redis-1.2.3.tgz",
        "digest": digest(&archive())
    }}));
    let helm = fake.helm().await;
    let wanted = WantedChart::of_class(&chart).unwrap();
    let wrong =
        helm.obtain_chart(&wanted, no_login, async |_| Ok(b"x".to_vec()), &mut fake.signals).await;
    assert!(wrong.unwrap_err().message.contains("its digest differs"));
    let right =
        helm.obtain_chart(&wanted, no_login, async |_| Ok(archive()), &mut fake.signals).await;
    assert_eq!(right.unwrap().name(), "redis");
    assert_eq!(fake.runs(), 0);
}
