use serde_json::json;

use super::*;

fn context() -> Context {
    Context::new("mydb", "team-a", "postgresql", "mydb-postgresql")
        .with_params(json!({"a-b": "x", "pw": "s3cr3t"}).as_object().unwrap().clone())
        .with_values(
            json!({"auth": {"password": "p@ss/word", "port": 5432}, "list": ["a", "b"]})
                .as_object()
                .unwrap()
                .clone(),
        )
        .sensitive(["params", "pw"])
        .sensitive(["values", "auth", "password"])
}

#[test]
fn names_of_the_release_are_seen() {
    let text = "{{ fullname }}.{{ release.namespace }}.svc/{{ chart.name }}{{ params['a-b'] }}\n";
    assert_eq!(render(text, &context()).unwrap(), "mydb-postgresql.team-a.svc/postgresqlx\n");
}

#[test]
fn uri_encodes_all_but_unreserved() {
    let shown = render("{{ values.auth.password | uri }}", &context()).unwrap();
    assert_eq!(shown, "p%40ss%2Fword");
    let context = context().with("x", json!("aZ9-._~ é+"));
    assert_eq!(render("{{ x | uri }}", &context).unwrap(), "aZ9-._~%20%C3%A9%2B");
}

#[test]
fn a_mask_stays_itself_inside_a_uri() {
    for mask in MASKS {
        let masked = context().masked(mask);
        let shown = render("u:{{ values.auth.password | uri }}@h", &masked).unwrap();
        assert_eq!(shown, format!("u:{mask}@h"));
        let glued = render("{{ ('/' ~ values.auth.password ~ '/') | uri }}", &masked).unwrap();
        assert_eq!(glued, format!("%2F{mask}%2F"));
    }
}

#[test]
fn sensitive_values_are_noticed() {
    let sensitive = |text: &str| render_tracked(text, &context()).unwrap().sensitive;
    assert!(sensitive("{{ values.auth.password }}"));
    assert!(sensitive("{{ values['auth'] | attr('password') }}"));
    assert!(sensitive("{{ values.auth.password[:1] }}"));
    assert!(sensitive("{% if params.pw == 's' %}a{% else %}b{% endif %}"));
    assert!(sensitive("{{ values }}"));
    assert!(!sensitive("{{ values.auth.port }}"));
}

#[test]
fn outside_details_the_sensitive_is_not_defined() {
    let public = context().public();
    assert_eq!(render("{{ values.auth.port }}", &public).unwrap(), "5432");
    let reason = render("{{ values.auth.password }}", &public).unwrap_err().reason;
    assert_eq!(reason, "\"values.auth.password\" is not defined");
}

#[test]
fn one_whole_expression_keeps_its_type() {
    let value = |text: &str| evaluate(text, &context()).unwrap();
    assert_eq!(value("{{ values.auth.port }}"), json!(5432));
    assert_eq!(value(" {{- values.list -}} "), json!(["a", "b"]));
    assert_eq!(value("{{ values.auth.port > 1 }}"), json!(true));
    assert_eq!(value("{{ values.auth.port }}{{ 1 }}"), json!("54321"));
    assert_eq!(value("port {{ values.auth.port }}"), json!("port 5432"));
    assert_eq!(value("plain"), json!("plain"));
    assert_eq!(
        evaluate("{{ nothing }}", &context()).unwrap_err().reason,
        "\"nothing\" is not defined"
    );
}

#[test]
fn reasons_are_in_words() {
    let reason = |text: &str| render(text, &context()).unwrap_err().reason;
    assert_eq!(reason("{{ pasword }}"), "\"pasword\" is not defined");
    assert_eq!(reason("{{ pasword | uri }}"), "\"pasword\" is not defined");
    assert_eq!(reason("{{ release.nam }}"), "\"release.nam\" is not defined");
    assert!(reason("{{ fullname").starts_with("cannot be read: "), "{}", reason("{{ fullname"));
    assert_eq!(reason("{{ fullname | urlencode }}"), "filter urlencode is unknown");
}

#[test]
fn a_template_is_bounded() {
    let reason = |text: &str| render(text, &context()).unwrap_err().reason;
    assert_eq!(reason("{{ debug() }}"), "debug is unknown");
    assert!(check("{% include 'x' %}").is_err());
    assert!(check("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").is_err());
    let loops = "{% for a in 'x' * 2000 %}{% for b in 'x' * 2000 %}y{% endfor %}{% endfor %}";
    assert_eq!(reason(loops), "takes too many steps");
    assert!(render("{{ 'x' * 9000000000 }}", &context()).is_err());
    assert!(check(&format!("{{{{ {}1 }}}}", "(".repeat(5_000))).is_err());
}
