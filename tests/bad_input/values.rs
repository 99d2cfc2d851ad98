//! Values of every kind: what is taken, and what is refused.

use crate::place::Place;

/// One place for many values: only the server and the helm are started for it.
struct Try(Place);

impl Try {
    #[track_caller]
    fn takes(&self, parameter: &str, values: &[&str]) {
        for value in values {
            let set = shell_words::quote(value);
            let said =
                self.0.svc(&format!("create mydb -c kinds --set {parameter}={set} --dry-run"));
            assert_eq!(said.status, 0, "{parameter}={value}: {said}");
        }
    }

    #[track_caller]
    fn refuses(&self, parameter: &str, values: &[&str]) {
        for value in values {
            let set = shell_words::quote(value);
            let said =
                self.0.svc(&format!("create mydb -c kinds --set {parameter}={set} --dry-run"));
            assert_eq!(said.status, 2, "{parameter}={value}: {said}");
            let row = format!("\n  {parameter}  ");
            assert!(said.stderr.contains(&row) && said.stdout.is_empty(), "{value}: {said}");
            assert!(!said.stderr.contains('\u{1b}'), "{value}: {said}");
        }
    }
}

#[test]
fn quantities() {
    let tried = Try(Place::with_catalog());
    tried.takes("size", &["1G", "1Gi", "1.5Gi", "2e9", "1048576", "1048577k", "0.5Gi"]);
    tried.refuses(
        "size",
        &["abc", "-1", "-1Gi", "", "1 Gi", "1GiB", "1gi", "1e3", "5Gi", "Gi", "1,5Gi", "NaN"],
    );
}

#[test]
fn durations() {
    let tried = Try(Place::with_catalog());
    tried.takes("keep", &["5m", "1h30m", "90s", "1.5h", "60000ms"]);
    tried.refuses(
        "keep",
        &["5", "abc", "", "-5m", "1d", "5 m", "59s", "25h", "1h-5m", "9999999999h"],
    );
}

#[test]
fn booleans() {
    let tried = Try(Place::with_catalog());
    tried.takes("metrics", &["true", "false", "yes", "no"]);
    tried.refuses("metrics", &["maybe", "", "2", "tru", "yes please"]);
}

#[test]
fn integers_and_numbers() {
    let tried = Try(Place::with_catalog());
    tried.takes(
        "count",
        &["0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"],
    );
    tried
        .refuses("count", &["9223372036854775808", "1.5", "1e3", "0x10", "", "one", "1_000", " 1"]);
    tried.takes("ratio", &["0.25", "1", "-3.5", "1e-3"]);
    tried.refuses("ratio", &["1.01", "abc", "", "NaN", "inf", "1e999"]);
}

#[test]
fn strings_and_lists() {
    let tried = Try(Place::with_catalog());
    tried.takes("mode", &["one", "two"]);
    tried.refuses("mode", &["three", "", "One"]);
    tried.takes("owner", &["a,b", "0123", "no", "ünï", "a=b"]);
    tried.refuses(
        "owner",
        &["{{ .Values }}", "twenty-one-characters", "a\nb", "\u{1b}[31m", "a\u{7f}"],
    );
    tried.takes("hosts", &["[]", r#"["a","b"]"#]);
    tried.refuses("hosts", &["a,b", r#"["a","b","c"]"#, "[1]", r#"{"a":1}"#]);
}

#[test]
fn a_value_that_no_release_can_hold() {
    let place = Place::with_catalog();
    place.write("note.txt", &"x".repeat(2 << 20));
    place.svc("create mydb -c kinds --set-file note=note.txt --dry-run").fails(
        2,
        "error: the values are too large: a release record holds 1 MiB\n  note  2.0 MiB\n",
    );
}
