//! A request in one line, as interface §14 shows it.

use http::{Request, header};
use percent_encoding::percent_decode_str;

/// `GET secrets owner=helm,name=mydb in team-a, metadata only`
pub(super) fn describe<B>(request: &Request<B>) -> String {
    let path = request.uri().path();
    let query = request.uri().query().unwrap_or_default();
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let accept = accept.unwrap_or_default();
    let parts = Parts::of(path);
    let mut line = format!("{} {}", request.method(), parts.object);
    if let Some(selector) = selector(query) {
        line = line + " " + &selector;
    }
    if let Some(namespace) = parts.namespace {
        line = line + " in " + namespace;
    } else if parts.list && NAMESPACED.contains(&parts.object.as_str()) {
        line.push_str(" in all namespaces");
    }
    if accept.contains("as=PartialObjectMetadata") {
        line.push_str(", metadata only");
    } else if accept.contains("as=Table") {
        line.push_str(", as table");
    }
    if query.split('&').any(|pair| matches!(pair, "watch=true" | "watch=1")) {
        line.push_str(", watching");
    }
    line
}

/// Kinds of which svc asks lists of all namespaces.
const NAMESPACED: [&str; 2] = ["secrets", "pods"];

struct Parts<'a> {
    /// `secrets`, `secrets/NAME`, `pods/NAME/log`, or the path where it names no object.
    object: String,
    namespace: Option<&'a str>,
    list: bool,
}

impl<'a> Parts<'a> {
    fn of(path: &'a str) -> Self {
        let words: Vec<_> = path.split('/').filter(|word| !word.is_empty()).collect();
        let rest = match words.as_slice() {
            ["api", _, rest @ ..] | ["apis", _, _, rest @ ..] if !rest.is_empty() => rest,
            _ => return Self { object: path.to_owned(), namespace: None, list: false },
        };
        match rest {
            ["namespaces", namespace, object @ ..] if !object.is_empty() => Self {
                object: object.join("/"),
                namespace: Some(namespace),
                list: object.len() == 1,
            },
            object => Self { object: object.join("/"), namespace: None, list: object.len() == 1 },
        }
    }
}

/// The label selector, else the field selector.
fn selector(query: &str) -> Option<String> {
    let value = |key: &str| {
        let pair = query.split('&').filter_map(|pair| pair.split_once('=')).find(|p| p.0 == key);
        // kube writes blanks as `+`.
        pair.map(|(_, value)| value.replace('+', " "))
    };
    let encoded = value("labelSelector").or_else(|| value("fieldSelector"))?;
    Some(percent_decode_str(&encoded).decode_utf8_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(uri: &str, accept: &str) -> String {
        describe(&Request::get(uri).header(header::ACCEPT, accept).body(()).unwrap())
    }

    #[test]
    fn lines_are_those_of_the_interface() {
        let metadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
        let uri =
            "/api/v1/namespaces/team-a/secrets?labelSelector=owner%3Dhelm%2Cname%3Dmydb&limit=500";
        let secrets = "GET secrets owner=helm,name=mydb in team-a, metadata only";
        assert_eq!(line(uri, metadata), secrets);
        let class = "/apis/svc-cli.dev/v1alpha1/serviceclasses/postgres";
        assert_eq!(line(class, "application/json"), "GET serviceclasses/postgres");
        let release = "/api/v1/namespaces/team-a/secrets/sh.helm.release.v1.mydb.v1";
        let shown = "GET secrets/sh.helm.release.v1.mydb.v1 in team-a";
        assert_eq!(line(release, "application/json"), shown);
    }

    #[test]
    fn other_requests_are_told_apart() {
        let table = "application/json;as=Table;g=meta.k8s.io;v=v1";
        let pods = "GET pods in all namespaces, as table";
        assert_eq!(line("/api/v1/pods?limit=500", table), pods);
        assert_eq!(line("/api/v1/namespaces/a?x=y", ""), "GET namespaces/a");
        assert_eq!(line("/version", ""), "GET /version");
        let events = "/api/v1/namespaces/a/events?watch=true&fieldSelector=involvedObject.name%3Dx";
        assert_eq!(line(events, ""), "GET events involvedObject.name=x in a, watching");
    }
}
