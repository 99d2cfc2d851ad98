//! The tree of values that helm gets: class ← plan ← computed ← parameters (design §3).

use std::fmt;

use serde_json::Value as Json;

use super::answers::Answers;
use super::class::Object;
use super::helm_json::{self, HelmJsonError};
use super::parameter::EffectiveParameter;
use super::path::{Path, PathError};

/// Everything that helm is given, with the sensitive values in it: Debug does not show them.
#[derive(Clone, PartialEq)]
pub struct Values(Object);

/// A computed value whose template has been evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputedValue {
    pub paths: Vec<String>,
    pub value: Json,
}

/// Why the class is broken: something of it cannot be put where it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError {
    #[error("computed value: {0}")]
    Computed(PathError),
    #[error("parameter {parameter}: {error}")]
    Parameter { parameter: String, error: PathError },
}

/// What operations fix: the class's values, the plan's merged over them, the computed ones.
///
/// # Errors
/// A computed value has no place to go.
pub fn operations_values(
    class: &Object,
    plan: Option<&Object>,
    computed: &[ComputedValue],
) -> Result<Object, ValuesError> {
    let mut tree = class.clone();
    if let Some(plan) = plan {
        merge(&mut tree, plan);
    }
    for computed in computed {
        for path in &computed.paths {
            let placed =
                path.parse::<Path>().and_then(|path| path.set(&mut tree, computed.value.clone()));
            placed.map_err(ValuesError::Computed)?;
        }
    }
    Ok(tree)
}

/// Whether every path of every parameter is free in what operations fix.
///
/// # Errors
/// Operations set the same place, or the place cannot be reached.
pub fn check_places(
    operations: &Object,
    parameters: &[EffectiveParameter],
) -> Result<(), ValuesError> {
    let mut tree = operations.clone();
    let mut put = |parameter| place(&mut tree, parameter, &Json::from(""));
    parameters.iter().try_for_each(|parameter| {
        put(parameter).map_err(|error| between_parameters(error, operations, parameter))
    })
}

/// What operations left free was taken by a parameter before, or by another path of this one.
fn between_parameters(
    error: ValuesError,
    operations: &Object,
    parameter: &EffectiveParameter,
) -> ValuesError {
    let ValuesError::Parameter { parameter: name, error: taken } = &error else { return error };
    let path = match taken {
        PathError::Taken { path } | PathError::Blocked { path, .. } => path.clone(),
        _ => return error,
    };
    let is_free = |path: &Path| path.set_new(&mut operations.clone(), Json::from("")).is_ok();
    let error = match place(&mut operations.clone(), parameter, &Json::from("")) {
        Ok(()) => PathError::Shared { path },
        Err(_) if parameter.paths.iter().all(is_free) => PathError::Own { path },
        Err(_) => return error,
    };
    ValuesError::Parameter { parameter: name.clone(), error }
}

impl Values {
    /// The answers laid over what operations fix: nothing but the parameters' own paths changes.
    ///
    /// # Errors
    /// Operations set the same place, or the place cannot be reached.
    pub fn new(
        operations: Object,
        parameters: &[EffectiveParameter],
        answers: &Answers,
    ) -> Result<Self, ValuesError> {
        let mut tree = operations;
        for parameter in parameters {
            if let Some(answer) = answers.get(&parameter.name) {
                place(&mut tree, parameter, &answer.value.reveal_json())?;
            }
        }
        Ok(Self(tree))
    }

    /// The tree with everything that is sensitive in it.
    pub fn reveal(&self) -> &Object {
        &self.0
    }

    /// The tree without the places of what is sensitive.
    pub fn public(&self, parameters: &[EffectiveParameter], answers: &Answers) -> Object {
        let mut tree = self.0.clone();
        sensitive_places(parameters, answers).for_each(|path| path.clear(&mut tree));
        tree
    }

    /// The file for helm's `--values`: JSON that helm's YAML reader reads as it was meant.
    ///
    /// # Errors
    /// Something that no YAML can hold is in it.
    pub fn to_helm_json(&self) -> Result<Vec<u8>, HelmJsonError> {
        helm_json::helm_json(&self.0)
    }

    /// `path=N` for a `--set` of every integer that helm would turn into `1e+06`.
    pub fn big_integers(&self) -> Vec<String> {
        helm_json::big_integers(&self.0)
    }
}

/// Where sensitive parameters land, and answers that were given as secrets.
pub fn sensitive_places<'a>(
    parameters: &'a [EffectiveParameter],
    answers: &'a Answers,
) -> impl Iterator<Item = &'a Path> {
    let is_secret = |name: &str| answers.get(name).is_some_and(|answer| answer.value.is_secret());
    let sensitive =
        move |parameter: &&EffectiveParameter| parameter.sensitive || is_secret(&parameter.name);
    parameters.iter().filter(sensitive).flat_map(|parameter| &parameter.paths)
}

impl fmt::Debug for Values {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Values(***)")
    }
}

fn place(
    tree: &mut Object,
    parameter: &EffectiveParameter,
    value: &Json,
) -> Result<(), ValuesError> {
    let error = |error| ValuesError::Parameter { parameter: parameter.name.clone(), error };
    let mut paths = parameter.paths.iter();
    paths.try_for_each(|path| path.set_new(tree, value.clone())).map_err(error)
}

/// Objects are merged, everything else is replaced, lists too.
fn merge(tree: &mut Object, over: &Object) {
    for (key, value) in over {
        match (tree.get_mut(key), value) {
            (Some(Json::Object(below)), Json::Object(above)) => merge(below, above),
            _ => {
                tree.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::answers::{Given, How, Kept, resolve};
    use super::super::example;
    use super::*;

    fn object(value: Json) -> Object {
        value.as_object().unwrap().clone()
    }

    fn answers(given: &[(&str, &str)]) -> Answers {
        let given: Vec<_> = given
            .iter()
            .map(|(name, text)| Given::text(*name, *text, How::SetEnv("X".into())))
            .collect();
        let kept = Kept::default();
        resolve(&example::parameters("small"), &given, &kept, &mut |bytes| bytes.fill(7)).unwrap()
    }

    #[test]
    fn the_later_layer_wins_and_lists_are_replaced() {
        let class = object(json!({"image": {"tag": "1", "pull": "Always"}, "args": ["a", "b"]}));
        let plan = object(json!({"image": {"tag": "2"}, "args": ["c"], "memory": "1Gi"}));
        let computed = [
            ComputedValue { paths: vec!["image.tag".into(), "name".into()], value: json!("3") },
            ComputedValue { paths: vec!["replicas".into()], value: json!(2) },
        ];
        let tree = operations_values(&class, Some(&plan), &computed).unwrap();
        let expected = json!({"image": {"tag": "3", "pull": "Always"}, "args": ["c"],
            "memory": "1Gi", "name": "3", "replicas": 2});
        assert_eq!(Json::Object(tree), expected);
    }

    #[test]
    fn answers_land_at_their_paths() {
        let operations = object(json!({"primary": {"resources": {"cpu": "1"}}}));
        let answers = answers(&[("database", "orders"), ("admin-password", "correct horse")]);
        let parameters = example::parameters("small");
        let values = Values::new(operations, &parameters, &answers).unwrap();
        let expected = json!({
            "primary": {
                "resources": {"cpu": "1"},
                "persistence": {"size": "1Gi"},
                "maxConnections": 100,
            },
            "auth": {"database": "orders", "password": "correct horse"},
            "architecture": "standalone",
            "metrics": {"enabled": false},
        });
        assert_eq!(Json::Object(values.reveal().clone()), expected);
        let public = Json::Object(values.public(&parameters, &answers));
        assert_eq!(public["auth"], json!({"database": "orders"}));
        assert!(!format!("{values:?}").contains("horse"));
    }

    #[test]
    fn a_place_that_operations_set_breaks_the_class() {
        let parameters = example::parameters("small");
        let check = |operations: Json| {
            check_places(&object(operations), &parameters).map_err(|error| error.to_string())
        };
        assert_eq!(check(json!({})), Ok(()));
        assert_eq!(
            check(json!({"auth": {"database": "x"}})),
            Err("parameter database: auth.database is also set by operations".into())
        );
        assert_eq!(
            check(json!({"primary": "text"})),
            Err("parameter storage: primary.persistence.size: primary is not an object".into())
        );
    }
}
