//! What `svc class policy` prints: the API server's own check that a release of a class is made by
//! one who may use that class (design §7).
//!
//! <https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/>

/// A ValidatingAdmissionPolicy and its binding, for `kubectl apply --server-side -f -`.
pub const MANIFESTS: &str = include_str!("../../docs/admission-policy.yaml");

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::domain::class::GROUP;
    use crate::domain::crd::PLURAL;
    use crate::domain::instance::label;

    #[test]
    fn it_speaks_of_the_label_and_the_right_that_svc_uses() {
        let parts: Vec<Value> = MANIFESTS
            .split("\n---\n")
            .map(|part| serde_yaml::from_str(part).expect("YAML"))
            .collect();
        let [policy, binding] = &parts[..] else { panic!("{} parts", parts.len()) };
        assert_eq!(binding["spec"]["policyName"], policy["metadata"]["name"]);
        let expression = policy["spec"]["validations"][0]["expression"].as_str().expect("text");
        for word in [GROUP, PLURAL, label::CLASS, "check('use')"] {
            assert!(
                expression.contains(&format!("'{word}'")) || expression.contains(word),
                "{word}"
            );
        }
        let conditions = policy["spec"]["matchConditions"].to_string();
        assert!(conditions.contains(&format!("'{}'", label::CLASS)), "{conditions}");
    }
}
