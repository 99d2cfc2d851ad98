//! Volumes that an earlier instance left and a new one uses again: they keep their size, whatever
//! the chart asks for.

use serde_json::Value as Json;

use super::{ManifestObject, claim_templates, is_made_from};
use crate::domain::answers::{Answer, AnswerValue, Answers};
use crate::domain::class::Change;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::quantity::Quantity;
use crate::domain::value::Value;

/// A volume that has another size than a new one would have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reused {
    pub volume: String,
    /// What it has, and keeps.
    pub size: Quantity,
    /// What the chart would ask for in its place.
    pub asked: Quantity,
    /// The parameter that says so, where there is one that can be meant.
    pub parameter: Option<String>,
}

impl Reused {
    /// Whether it is that parameter whose size a new volume would have.
    pub fn is_sized_by(&self, parameter: &str) -> bool {
        self.parameter.as_deref() == Some(parameter)
    }

    /// Beside the name of its parameter: `5Gi, of volume data-mydb-0, not 10Gi`.
    pub fn as_answer(&self) -> String {
        let Self { volume, size, asked, .. } = self;
        let size = format!("{size}, of volume {volume}");
        if self.size == self.asked { size } else { format!("{size}, not {asked}") }
    }

    /// Beside the word volume: `data-mydb-0, 5Gi, not 10Gi`.
    pub fn alone(&self) -> String {
        format!("{}, {}, not {}", self.volume, self.size, self.asked)
    }
}

/// Those of the volumes, each with its size, that a StatefulSet would make otherwise: it takes what
/// is there as it is.
///
/// <https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#volume-claim-templates>
pub fn reused(
    volumes: &[(&str, &str)],
    manifest: &[ManifestObject],
    parameters: &[EffectiveParameter],
    answers: &Answers,
) -> Vec<Reused> {
    let other = |(volume, size): &(&str, &str)| {
        let (size, asked) = (size.parse().ok()?, asked_for(volume, manifest)?);
        let parameter = parameter_of(&asked, parameters, answers).map(str::to_owned);
        let volume = (*volume).to_owned();
        (size != asked).then_some(Reused { volume, size, asked, parameter })
    };
    volumes.iter().filter_map(other).collect()
}

/// What the claim template asks for that a claim would be made from.
fn asked_for(claim: &str, manifest: &[ManifestObject]) -> Option<Quantity> {
    let mut templates = claim_templates(manifest);
    let (_, template) = templates.find(|(set, template)| {
        let name = template.pointer("/metadata/name").and_then(Json::as_str);
        name.is_some_and(|name| is_made_from(claim, name, set))
    })?;
    template.pointer("/spec/resources/requests/storage")?.as_str()?.parse().ok()
}

/// The one parameter of that size; among several the one that cannot be changed at will, as a
/// disk cannot.
fn parameter_of<'p>(
    asked: &Quantity,
    parameters: &'p [EffectiveParameter],
    answers: &Answers,
) -> Option<&'p str> {
    let says_so = |answer: &Answer| matches!(&answer.value, AnswerValue::Plain(Value::Quantity(size)) if size == asked);
    let of_that_size =
        parameters.iter().filter(|known| answers.get(&known.name).is_some_and(says_so));
    let of_that_size: Vec<_> = of_that_size.collect();
    let fixed: Vec<_> =
        of_that_size.iter().copied().filter(|known| known.change != Change::Allowed).collect();
    match (&of_that_size[..], &fixed[..]) {
        ([one], _) | (_, [one]) => Some(&one.name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::answers::{Given, How, Kept, resolve};
    use super::super::super::{example, manifest};
    use super::*;

    const SET: &str = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: mydb-postgresql}\n\
                       spec:\n  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: \
                       {resources: {requests: {storage: 10240Mi}}}\n";

    fn found(volumes: &[(&str, &str)], storage: &str) -> Vec<Reused> {
        let parameters = example::parameters("small");
        let given = ["database=orders", &format!("storage={storage}")].map(|text| {
            let (name, value) = text.split_once('=').unwrap();
            Given::text(name, value, How::Set)
        });
        let answers = resolve(&parameters, &given, &Kept::default(), &mut |bytes| bytes.fill(1));
        let objects = manifest::parse(SET).unwrap();
        reused(volumes, &objects, &parameters, &answers.unwrap())
    }

    #[test]
    fn a_volume_keeps_the_size_it_has() {
        let [one] = &found(&[("data-mydb-postgresql-0", "5Gi")], "10Gi")[..] else {
            panic!("one volume has another size")
        };
        assert_eq!((one.size.as_str(), one.asked.as_str()), ("5Gi", "10240Mi"));
        assert_eq!(one.parameter.as_deref(), Some("storage"));
        assert_eq!(found(&[("data-mydb-postgresql-0", "5Gi")], "2Gi")[0].parameter, None);
    }

    #[test]
    fn what_is_equal_or_unknown_is_not_told() {
        let volumes = [("data-mydb-postgresql-0", "10Gi"), ("other", "5Gi"), ("data-mydb-0", "1")];
        assert_eq!(found(&volumes, "10Gi"), []);
        assert_eq!(found(&[("data-mydb-postgresql-1", "many")], "10Gi"), []);
    }
}
