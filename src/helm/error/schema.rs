//! What a chart's `values.schema.json` says of the values, in the words of both libraries that
//! helm has used (gojsonschema up to 3.17, santhosh-tekuri from 3.18.5 on).

use std::sync::LazyLock;

use regex::Regex;

/// One value that the chart's schema refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaProblem {
    /// Dotted; empty for the values as a whole.
    pub path: String,
    pub message: String,
}

const HEADER: &str = "values don't meet the specifications of the schema";

static NEW: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*- at '([^']*)': (.+)$").expect("a constant pattern"));
static OLD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*- ([^:]+): (.+)$").expect("a constant pattern"));

/// The problems, or none if the block is about something else.
pub(super) fn problems(block: &str) -> Vec<SchemaProblem> {
    if !block.contains(HEADER) {
        return Vec::new();
    }
    block.lines().filter_map(|line| new_format(line).or_else(|| old_format(line))).collect()
}

fn new_format(line: &str) -> Option<SchemaProblem> {
    let found = NEW.captures(line)?;
    let path = found[1].trim_start_matches('/').replace('/', ".");
    Some(SchemaProblem { path, message: found[2].to_owned() })
}

/// The old library repeats the path's last word in its message.
fn old_format(line: &str) -> Option<SchemaProblem> {
    let found = OLD.captures(line)?;
    let path = found[1].replace("(root)", "");
    let message = found[2].strip_prefix(&format!("{path} ")).unwrap_or(&found[2]).to_owned();
    Some(SchemaProblem { path, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(path: &str, message: &str) -> SchemaProblem {
        SchemaProblem { path: path.to_owned(), message: message.to_owned() }
    }

    #[test]
    fn the_words_of_helm_up_to_3_17() {
        let block = "values don't meet the specifications of the schema(s) in the following \
                     chart(s):\nredis:\n- (root): pw is required\n\
                     - size: size must be one of the following: \"small\", \"large\"\n";
        let expected = [
            problem("", "pw is required"),
            problem("size", "must be one of the following: \"small\", \"large\""),
        ];
        assert_eq!(problems(block), expected);
    }

    #[test]
    fn the_words_of_newer_ones() {
        let block = "values don't meet the specifications of the schema(s) in the following \
                     chart(s):\nredis:\n- at '': missing property 'pw'\n\
                     - at '/auth/size': value must be one of 'small', 'large'\n";
        let expected = [
            problem("", "missing property 'pw'"),
            problem("auth.size", "value must be one of 'small', 'large'"),
        ];
        assert_eq!(problems(block), expected);
    }

    #[test]
    fn other_lists_are_no_schema() {
        assert_eq!(problems("cannot do it:\n- a: b"), []);
    }
}
