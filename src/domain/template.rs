//! Templates of a class: minijinja, strict undefined, without includes and macros (design §3).

mod context;
mod mention;
mod tracked;

use std::fmt;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

pub use context::{Context, Path};
pub use mention::mentions;
use tracked::Log;

/// Steps of the template machine that one template may take.
const FUEL: u64 = 50_000;
/// Depth of nested calls.
const RECURSION: usize = 32;
/// Bytes that one template may produce.
const LONGEST_OUTPUT: usize = 256 * 1024;

/// All but RFC 3986 unreserved characters (section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The masks that stand for a sensitive value, with UTF-8 and without (interface §4).
pub const MASKS: [&str; 2] = ["••••••••", "********"];

/// Why a template gives nothing, in words: `"pasword" is not defined`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    pub reason: String,
}

/// What a template gave, and whether something sensitive went into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    pub text: String,
    pub sensitive: bool,
}

static PLAIN: LazyLock<Environment<'static>> = LazyLock::new(|| environment(encode));
static MASKED: LazyLock<Environment<'static>> = LazyLock::new(|| environment(encode_around_masks));

/// Whether a template can be understood at all.
pub fn check(template: &str) -> Result<(), TemplateError> {
    PLAIN.template_from_str(template).map(drop).map_err(|error| in_words(&error, template))
}

/// Renders a template to text.
pub fn render(template: &str, context: &Context) -> Result<String, TemplateError> {
    render_tracked(template, context).map(|rendered| rendered.text)
}

/// Renders a template to text and says whether a sensitive value was looked at.
pub fn render_tracked(template: &str, context: &Context) -> Result<Rendered, TemplateError> {
    let environment = if context.is_masked() { &*MASKED } else { &*PLAIN };
    let log = Log::default();
    let text = environment
        .template_from_str(template)
        .and_then(|compiled| compiled.render(context.to_value(&log)))
        .map_err(|error| in_context(&error, template, context))?;
    if text.len() > LONGEST_OUTPUT {
        return Err(TemplateError { reason: "gives more than 256 KiB".to_owned() });
    }
    Ok(Rendered { text, sensitive: log.touched(context.sensitive_paths()) })
}

/// Evaluates a template of `computed`: one whole `{{ … }}` keeps its type, all else is text.
pub fn evaluate(template: &str, context: &Context) -> Result<Value, TemplateError> {
    let Some(expression) = whole_expression(template) else {
        return render(template, context).map(Value::String);
    };
    let value = PLAIN
        .compile_expression(expression)
        .and_then(|compiled| compiled.eval(context.to_value(&Log::default())))
        .map_err(|error| in_context(&error, template, context))?;
    if value.is_undefined() {
        return Err(not_defined(expression.trim()));
    }
    serde_json::to_value(&value)
        .map_err(|_| TemplateError { reason: "gives what is not a value of a chart".to_owned() })
}

/// The names a template takes from its surroundings.
pub fn names(template: &str) -> Result<std::collections::BTreeSet<String>, TemplateError> {
    let compiled = PLAIN.template_from_str(template).map_err(|error| in_words(&error, template))?;
    Ok(compiled.undeclared_variables(false).into_iter().collect())
}

/// The expression of a template that is one `{{ … }}` and nothing else.
fn whole_expression(template: &str) -> Option<&str> {
    let inner = template.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let inner = inner.strip_prefix(['-', '+']).unwrap_or(inner);
    let inner = inner.strip_suffix(['-', '+']).unwrap_or(inner);
    PLAIN.compile_expression(inner).is_ok().then_some(inner)
}

fn environment(uri: fn(&str) -> String) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .keep_trailing_newline(true)
            .build()
            .expect("the delimiters are the usual ones"),
    );
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION);
    // `debug` prints the whole context, passwords included.
    for function in ["debug", "range", "dict", "namespace"] {
        environment.remove_global(function);
    }
    environment.add_filter("uri", move |text: String| uri(&text));
    environment
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Leaves masks as they are, so that a masked password looks alike inside a URI.
fn encode_around_masks(text: &str) -> String {
    let Some((at, mask)) = MASKS.iter().filter_map(|mask| Some((text.find(mask)?, mask))).min()
    else {
        return encode(text);
    };
    let after = &text[at + mask.len()..];
    format!("{}{mask}{}", encode(&text[..at]), encode_around_masks(after))
}

fn not_defined(name: &str) -> TemplateError {
    TemplateError { reason: format!("\"{name}\" is not defined") }
}

/// minijinja points at the whole `{{ name | filter }}`: the name is looked for in the context.
fn in_context(error: &minijinja::Error, template: &str, context: &Context) -> TemplateError {
    let free = names(template).unwrap_or_default();
    let lacks = || {
        mentions(template)
            .into_iter()
            .find(|path| free.contains(&path[0]) && !context.holds(path))
            .map(|path| not_defined(&path.join(".")))
    };
    match error.kind() {
        ErrorKind::UndefinedError => lacks().unwrap_or_else(|| in_words(error, template)),
        _ => in_words(error, template),
    }
}

fn in_words(error: &minijinja::Error, template: &str) -> TemplateError {
    let detail = error.detail().map(str::to_owned);
    let place = error.range().and_then(|range| template.get(range)).map(str::trim);
    let reason = match error.kind() {
        ErrorKind::UndefinedError => return not_defined(place.unwrap_or("a name")),
        ErrorKind::OutOfFuel => "takes too many steps".to_owned(),
        ErrorKind::SyntaxError => {
            format!("cannot be read: {}", detail.unwrap_or_else(|| "syntax error".to_owned()))
        }
        kind => detail.unwrap_or_else(|| kind.to_string()),
    };
    TemplateError { reason }
}

impl TemplateError {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }

    /// The same with the place of the template in front: `uri: "pasword" is not defined`.
    pub(crate) fn of(self, place: &str) -> Self {
        Self { reason: format!("{place}: {}", self.reason) }
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for TemplateError {}

#[cfg(test)]
mod tests {
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
        let text =
            "{{ fullname }}.{{ release.namespace }}.svc/{{ chart.name }}{{ params['a-b'] }}\n";
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
}
