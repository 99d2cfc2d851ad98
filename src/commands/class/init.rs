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
            let unfilled = ["REGISTRY", "VERSION"]
                .map(|word| format!("chart: {word} looks like something to fill in"));
            assert_eq!(found, unfilled, "{name}");
            assert_eq!(documents[0].object["metadata"]["name"], name);
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
