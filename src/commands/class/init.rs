//! `svc class init`: a first class to fill in.

use crate::cli::ClassInit;
use crate::context::Context;
use crate::domain::class::is_class_name;
use crate::error::{Error, Result, Try};

/// A class that `svc class lint` finds nothing wrong with.
const POSTGRES: &str = include_str!("init/postgres.yaml");
/// One of no service in particular, called `other`.
const OTHER: &str = include_str!("init/other.yaml");

/// Prints a class with remarks, under the given name.
///
/// # Errors
/// The name is none for a class; stdout cannot be written.
pub fn run(args: &ClassInit, context: &Context) -> Result<u8> {
    let name = &args.name;
    if !is_class_name(name) {
        let rule = "1-63 of a-z 0-9 -, no - at the ends";
        return Err(Error::usage(format!("\"{name}\" is no name of a class: {rule}")));
    }
    context.face.deliver(model(name))?;
    let next = Try { command: "class lint FILE".to_owned(), explanation: None };
    context.face.next(&[next]);
    Ok(0)
}

/// The class of that name, which says of a service only what is known of it.
fn model(name: &str) -> String {
    if name == "postgres" {
        return POSTGRES.to_owned();
    }
    let places = ["\"other\"", "charts/other", "\"other://"];
    let with_name = |text: String, place: &str| text.replace(place, &place.replace("other", name));
    places.into_iter().fold(OTHER.to_owned(), with_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lint::{documents, of_object};

    #[test]
    fn the_models_are_good_classes() {
        for name in ["postgres", "cache", "1", "a-very-long-name-of-a-class-that-still-is-one"] {
            let documents = documents(&model(name)).expect("YAML");
            assert_eq!(documents.len(), 1);
            let found = of_object(&documents[0].object);
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            let texts = [
                "displayName: DISPLAY NAME",
                "summary: WHAT IT IS GOOD FOR, IN ONE LINE",
                "tags: tag",
            ];
            let texts = if name == "postgres" { [].as_slice() } else { &texts };
            let unfilled = texts.iter().chain(&["chart: REGISTRY", "chart: VERSION"]);
            let unfilled = unfilled.map(|text| format!("{text} looks like something to fill in"));
            assert_eq!(found, unfilled.collect::<Vec<_>>(), "{name}");
            assert_eq!(documents[0].object["metadata"]["name"], name);
        }
    }

    /// Remarks and templates aside.
    #[test]
    fn all_that_is_in_capitals_is_told() {
        let model = model("cache");
        let is_told = |text: &str| {
            let words = text.split(|c: char| !c.is_ascii_uppercase()).filter(|word| word.len() > 1);
            let told = ["DISPLAY NAME", "WHAT IT IS GOOD FOR, IN ONE LINE", "REGISTRY", "VERSION"];
            words.into_iter().all(|word| told.iter().any(|text| text.contains(word)))
        };
        for line in model.lines().filter(|line| !line.trim_start().starts_with('#')) {
            assert!(is_told(line), "{line}");
        }
    }

    #[test]
    fn another_service_is_not_called_a_database() {
        let model = model("cache").to_lowercase();
        for word in ["postgres", "psql", "sql", "database", "other"] {
            assert!(!model.contains(word), "{word}");
        }
    }
}
