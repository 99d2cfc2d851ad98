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

pub use context::{Context, Path, sensitive_paths};
use mention::Applied;
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

/// A filter or a test that does not exist: they are looked up only when a value gets to them.
pub fn unknown_filter(template: &str) -> Result<(), TemplateError> {
    let mut state = PLAIN.empty_state();
    let nothing = [minijinja::Value::UNDEFINED];
    for applied in mention::applied(template) {
        let error = match &applied {
            Applied::Filter(name) => state.apply_filter(name, &nothing).err(),
            Applied::Test(name) => state.perform_test(name, &nothing).err(),
        };
        match (applied, error.map(|error| error.kind())) {
            (Applied::Filter(name), Some(ErrorKind::UnknownFilter)) => {
                let near = if name.starts_with("url") { "; did you mean uri?" } else { "" };
                return Err(TemplateError::new(format!("there is no filter {name}{near}")));
            }
            (Applied::Test(name), Some(ErrorKind::UnknownTest)) => {
                return Err(TemplateError::new(format!("there is no test {name}")));
            }
            _ => {}
        }
    }
    Ok(())
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

/// How the reason ends where something is not there.
const NOT_DEFINED: &str = "is not defined";

fn not_defined(name: &str) -> TemplateError {
    TemplateError { reason: format!("\"{name}\" {NOT_DEFINED}") }
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
            let detail = detail.unwrap_or_else(|| "syntax error".to_owned());
            format!("cannot be read: {detail}{}", without_dot(template))
        }
        kind => detail.unwrap_or_else(|| kind.to_string()),
    };
    TemplateError { reason }
}

/// Who writes charts begins names with a dot.
fn without_dot(template: &str) -> &'static str {
    let is_helms = mentions(template).iter().any(|path| path[0].starts_with(char::is_uppercase));
    if is_helms { "; names here have no dot in front and no capitals: release.name" } else { "" }
}

impl TemplateError {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }

    /// Whether a name or a part of a value is not there.
    pub(crate) fn is_undefined(&self) -> bool {
        self.reason.ends_with(NOT_DEFINED)
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
mod tests;
