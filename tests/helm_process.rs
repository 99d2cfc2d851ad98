//! What helm is really started with, and what comes of it, with a fake helm in its place.

#[path = "helm_process/chart.rs"]
mod chart;
#[path = "helm_process/fake.rs"]
mod fake;

use std::time::{Duration, Instant};

use fake::Fake;
use svc::error::Error;
use svc::helm::{End, FindError, Helm, HelmEnvironment, Redaction, Signal, Stop, UninstallRequest};

#[tokio::test]
async fn install_reaches_helm_as_it_was_meant() {
    let mut fake = Fake::new("cat /dev/fd/3 > \"$SEEN/values\"; cat > \"$SEEN/stdin\"; echo done")
        .with_var("HELM_DEBUG", "1")
        .with_var("HELM_DRIVER", "configmap")
        .with_var("KUBECONFIG", "/theirs");
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let values = format!("{{\"password\":\"{}\"}}", "x".repeat(300_000));
    let request = fake.install(&values);
    let outcome = helm.install(&request, &lock, &mut fake.signals).await.unwrap();

    assert!(outcome.is_success());
    assert_eq!(outcome.stdout, "done\n");
    let chart = fake.chart_file().display().to_string();
    let argv = fake.seen("argv", 1);
    let argv: Vec<&str> = argv.lines().collect();
    let expected = [
        "install",
        "mydb",
        &chart,
        "--namespace",
        "team-a",
        "--kube-context",
        "staging",
        "--values",
        "/dev/fd/3",
        "--timeout",
        "300s",
        "--labels",
        "svc-cli.dev/class=postgres",
        "--description",
        "svc create",
    ];
    assert_eq!(argv, expected);
    let seen = |file: &str| std::fs::read_to_string(fake.path().join("seen").join(file)).unwrap();
    assert_eq!(seen("values"), values);
    assert_eq!(seen("stdin"), "");
    let env = fake.seen("env", 1);
    for line in ["HELM_DRIVER=secret", "HELM_NO_PLUGINS=1", "NO_COLOR=1", "KUBECONFIG=/a:/b"] {
        assert!(env.lines().any(|found| found == line), "{line} in {env}");
    }
    assert!(!env.contains("HELM_DEBUG") && !env.contains("/theirs"), "{env}");
    assert!(!env.contains("xxxx") && !argv.concat().contains("xxxx"));
}

#[tokio::test]
async fn helm_runs_in_an_empty_private_directory_that_goes_with_it() {
    let mut fake = Fake::new("stat -c %a . > \"$SEEN/mode\"");
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    helm.install(&request, &lock, &mut fake.signals).await.unwrap();
    assert_eq!(fake.seen("cwd-content", 1), "");
    let mode = std::fs::read_to_string(fake.path().join("seen/mode")).unwrap();
    assert_eq!(mode, "700\n");
    assert!(!std::path::Path::new(fake.seen("cwd", 1).trim()).exists());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_values_are_sealed_and_only_values_and_lock_are_inherited() {
    let mut fake = Fake::new("(echo x > /dev/fd/3) 2>/dev/null; cat /dev/fd/3 > \"$SEEN/values\"");
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{\"a\":1}");
    helm.install(&request, &lock, &mut fake.signals).await.unwrap();
    let values = std::fs::read_to_string(fake.path().join("seen/values")).unwrap();
    assert_eq!(values, "{\"a\":1}");
    let descriptors = fake.seen("descriptors", 1);
    // 10 and more are the shell's own.
    let inherited: Vec<&str> = descriptors.lines().filter(|number| number.len() == 1).collect();
    assert_eq!(inherited, ["0", "1", "2", "3", "4"]);
}

#[tokio::test]
async fn a_helm_that_outlives_svc_keeps_the_lock() {
    let mut fake =
        Fake::new("touch \"$SEEN/started\"; while [ ! -e \"$SEEN/end\" ]; do sleep 0.02; done");
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let mut signals =
        std::mem::replace(&mut fake.signals, tokio::sync::mpsc::unbounded_channel().1);
    let running = tokio::spawn(async move {
        let outcome = helm.install(&request, &lock, &mut signals).await;
        drop(lock);
        outcome
    });
    fake.wait_for("started").await;
    assert!(fake.lock().is_none(), "held while helm works");
    std::fs::write(fake.path().join("seen/end"), "").unwrap();
    assert!(running.await.unwrap().unwrap().is_success());
    assert!(fake.lock().is_some(), "free afterwards");
}

#[tokio::test]
async fn an_error_is_the_first_cause_without_secrets() {
    let mut fake = Fake::new(
        "echo 'level=WARN msg=x' >&2\n\
         echo 'Error: INSTALLATION FAILED: 1 error occurred:' >&2\n\
         printf '\\t* pods \"hunter22\" is invalid\\n\\n' >&2; exit 1",
    );
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let outcome = helm.install(&request, &lock, &mut fake.signals).await.unwrap();
    assert_eq!(outcome.end, End::Exit(1));
    let error = outcome.cause(&Redaction::new([&"hunter22".into()])).into_error("install mydb");
    assert_eq!(error.message, "helm could not install mydb: pods \"***\" is invalid");
}

#[tokio::test]
async fn the_first_signal_is_passed_on_once_and_the_second_kills() {
    let lines = "trap 'echo stored; touch \"$SEEN/told\"' INT; touch \"$SEEN/started\"\n\
                 while :; do sleep 0.02; done";
    let mut fake = Fake::new(lines);
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let mut signals =
        std::mem::replace(&mut fake.signals, tokio::sync::mpsc::unbounded_channel().1);
    let running = async { helm.install(&request, &lock, &mut signals).await };
    let person = async {
        fake.wait_for("started").await;
        fake.sender.send(Signal::Interrupt).unwrap();
        fake.wait_for("told").await;
        fake.sender.send(Signal::Interrupt).unwrap();
    };
    let (outcome, ()) = tokio::join!(running, person);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.end, End::Signal(9));
    assert_eq!(outcome.stopped, Some(Stop::Killed(Signal::Interrupt)));
    assert_eq!(outcome.stdout, "stored\n");
}

#[tokio::test]
async fn a_helm_that_stores_its_state_is_let_do_so() {
    let lines = "trap 'echo cancelled; exit 1' TERM; touch \"$SEEN/started\"\n\
                 while :; do sleep 0.02; done";
    let mut fake = Fake::new(lines);
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let mut signals =
        std::mem::replace(&mut fake.signals, tokio::sync::mpsc::unbounded_channel().1);
    let running = async { helm.install(&request, &lock, &mut signals).await };
    let supervisor = async {
        fake.wait_for("started").await;
        fake.sender.send(Signal::Terminate).unwrap();
    };
    let (outcome, ()) = tokio::join!(running, supervisor);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.end, End::Exit(1));
    assert_eq!(outcome.stopped, Some(Stop::Interrupted(Signal::Terminate)));
    assert_eq!(outcome.cause(&Redaction::default()).text, "it was interrupted");
}

#[tokio::test]
async fn a_svc_that_gives_up_tells_helm() {
    let lines = "trap 'touch \"$SEEN/told\"; exit 1' TERM; touch \"$SEEN/started\"\n\
                 while :; do sleep 0.02; done";
    let mut fake = Fake::new(lines);
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let mut signals =
        std::mem::replace(&mut fake.signals, tokio::sync::mpsc::unbounded_channel().1);
    tokio::select! {
        _ = helm.install(&request, &lock, &mut signals) => panic!("it does not end by itself"),
        () = fake.wait_for("started") => {}
    }
    fake.wait_for("told").await;
}

#[tokio::test]
async fn much_output_and_a_stream_left_open_hold_nothing_up() {
    let lines = "head -c 3000000 /dev/zero | tr '\\0' x\n\
                 head -c 3000000 /dev/zero | tr '\\0' y >&2\n\
                 sleep 20 &";
    let mut fake = Fake::new(lines);
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let started = Instant::now();
    let outcome = helm.install(&request, &lock, &mut fake.signals).await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(outcome.is_success() && outcome.stdout_truncated);
    assert!(outcome.stdout.len() < 200_000 && outcome.stderr.len() < 300_000);
}

#[tokio::test]
async fn uninstall_holds_the_lock_and_gets_no_values() {
    let mut fake = Fake::new("exit 0");
    let helm = fake.helm().await;
    let lock = fake.lock().unwrap();
    let request = UninstallRequest {
        target: fake.install("{}").target,
        release: "mydb".to_owned(),
        without_hooks: false,
        timeout: Duration::from_mins(2),
    };
    let outcome = helm.uninstall(&request, &lock, &mut fake.signals).await.unwrap();
    assert!(outcome.is_success());
    let expected =
        "uninstall\nmydb\n--namespace\nteam-a\n--kube-context\nstaging\n--timeout\n120s\n";
    assert_eq!(fake.seen("argv", 1), expected);
}

async fn found(script: &str) -> Result<Helm, FindError> {
    let mut fake = Fake::with_script(script);
    let environment = fake.environment();
    Helm::find(environment, fake.cache.clone(), &mut fake.signals).await
}

#[tokio::test]
async fn the_version_is_found_behind_the_noise_of_a_wrapper() {
    let script = "#!/bin/sh\necho 'wrapper: using cache of 2024' >&2\n\
                  echo 'WARNING: 12 updates'\nprintf v4.3.1\n";
    assert_eq!(found(script).await.unwrap().version().to_string(), "4.3.1");
    assert!(found("#!/bin/sh\nprintf v4.2.1\n").await.unwrap().warning().is_some());
}

#[tokio::test]
async fn a_helm_that_cannot_be_used_is_refused_with_the_reason() {
    let too_old = found("#!/bin/sh\necho v3.12.3\n").await.unwrap_err();
    let message = Error::from(too_old).message;
    assert!(message.starts_with("helm is too old: found helm 3.12.3 at /"), "{message}");
    assert!(message.ends_with("; 3.13 or newer is needed"), "{message}");
    let broken = found("#!/bin/sh\necho 'no such tool installed' >&2; exit 126\n").await;
    let message = Error::from(broken.unwrap_err()).message;
    assert!(message.ends_with("does not tell its version; it says: no such tool installed"));
    let no_interpreter = found("#!/no/such/shell\n").await;
    assert!(matches!(no_interpreter.unwrap_err(), FindError::Broken { .. }));
}

#[tokio::test]
async fn without_helm_nothing_starts() {
    let mut fake = Fake::new("");
    let environment = HelmEnvironment { path: Some("/nowhere".into()), ..fake.environment() };
    let error = Helm::find(environment, fake.cache.clone(), &mut fake.signals).await.unwrap_err();
    assert_eq!(error, FindError::NotInPath);
}

#[tokio::test]
async fn a_helm_that_is_gone_meanwhile_is_an_error() {
    let mut fake = Fake::new("");
    let helm = fake.helm().await;
    std::fs::remove_file(fake.path().join("helm")).unwrap();
    let lock = fake.lock().unwrap();
    let request = fake.install("{}");
    let error = helm.install(&request, &lock, &mut fake.signals).await.unwrap_err();
    assert!(error.message.starts_with("helm cannot be started: /"), "{error}");
}
