//! `svc class init`: a first class to fill in.

use crate::cli::ClassInit;
use crate::context::Context;
use crate::domain::class::is_class_name;
use crate::error::{Error, Result, Try};

/// A class that `svc class lint` finds nothing wrong with.
const MODEL: &str = include_str!("init/postgres.yaml");

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
    context.face.deliver(MODEL.replace("name: postgres\n", &format!("name: {name}\n")))?;
    let next = Try { command: "class lint FILE".to_owned(), explanation: None };
    context.face.next(&[next]);
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lint::{documents, of_object};

    #[test]
    fn the_model_is_a_good_class() {
        let documents = documents(MODEL).expect("YAML");
        assert_eq!(documents.len(), 1);
        assert_eq!(of_object(&documents[0].object), []);
    }
}
