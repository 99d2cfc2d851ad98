//! The notations and sizes that the CRD holds a class to. The sizes keep the estimated cost of
//! the rules within the API server's budget (design §3).

use serde_json::{Value, json};

/// A DNS label (RFC 1123), with its length given beside it: what a label or a namespace may be.
pub(super) const DNS_LABEL: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
/// A DNS subdomain (RFC 1123): the name of most objects.
pub(super) const DNS_SUBDOMAIN: &str =
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
/// The name of a parameter, a source or a forward.
pub(super) const NAME: &str = "^[a-z][a-z0-9-]{0,39}$";
/// The name of a detail: a key of a binding's Secret as servicebinding.io writes it.
pub(super) const DETAIL_NAME: &str = "^[a-z][a-z0-9]*([-_.][a-z0-9]+)*$";
/// Text without control characters.
pub(super) const ONE_LINE: &str = r"^[^\x00-\x1f\x7f]+$";
/// An address that a browser may open without thinking.
pub(super) const HTTPS_URL: &str = r"^https://[^\s]+$";
/// A chart in a registry: no tag, digest, login or query, which have fields of their own.
pub(super) const OCI_URL: &str = r"^oci://[^\s@?#]+$";
/// A chart repository: no login, query or fragment.
pub(super) const REPOSITORY_URL: &str = r"^https?://[^\s@?#]+$";
/// A digest as registries and helm write it.
pub(super) const DIGEST: &str = "^sha256:[a-f0-9]{64}$";
/// A path into chart values: dotted, `[0]` into a list, a backslash before `.`, `[`, `]` and `\`
/// in a key. One text for one place, so that paths can be compared as text.
pub(super) const PATH: &str = concat!(
    r"^([^.\[\]\\\x00-\x1f\x7f]|\\[.\[\]\\])+(\[(0|[1-9][0-9]{0,3})\])*",
    r"([.]([^.\[\]\\\x00-\x1f\x7f]|\\[.\[\]\\])+(\[(0|[1-9][0-9]{0,3})\])*)*$"
);
/// The plural of a kind as RBAC writes it.
pub(super) const RESOURCE: &str = "^[a-z][a-z0-9]*$";
/// The bare name of a program: no path, no option.
pub(super) const COMMAND: &str = "^[A-Za-z0-9][A-Za-z0-9._-]*$";
/// The name of an environment variable.
pub(super) const VARIABLE: &str = "^[A-Za-z_][A-Za-z0-9_]*$";
/// A key of a Secret or ConfigMap.
pub(super) const DATA_KEY: &str = "^[-._a-zA-Z0-9]+$";
/// A duration in whole units: `5m`, `1h30m`.
pub(super) const TIMEOUT: &str = "^([0-9]+(s|m|h))+$";
/// A duration as Go writes it: `5m`, `1.5s`.
pub(super) const DURATION: &str = "^([0-9]+([.][0-9]+)?(ns|us|ms|s|m|h))+$";

/// A template, in characters.
pub(super) const TEMPLATE: usize = 1024;
/// A path into chart values, in characters.
pub(super) const PATH_LENGTH: usize = 128;
/// An entry of an `enum`, in characters.
pub(super) const CHOICE: usize = 128;
/// Entries of an `enum`.
pub(super) const CHOICES: usize = 32;
/// A quantity or a duration, in characters.
pub(super) const AMOUNT: usize = 32;

/// The values of a label selector: templates.
pub(super) fn label_templates() -> Value {
    json!({"type": "string", "maxLength": TEMPLATE})
}
