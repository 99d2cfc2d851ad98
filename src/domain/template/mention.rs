//! Which names a template mentions, read from its text: more than it may ever evaluate.
//!
//! minijinja's own `undeclared_variables` does not look behind a slice (`password[:3]`) and says
//! nothing of `params["a-b"]`. This reading errs on the safe side.

use super::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A name or a number.
    Word(&'a str),
    /// What stands between quotes.
    Text(&'a str),
    Sign(char),
}

/// Every chain of names in the tags of a template, in their order: `values.auth["password"]` is
/// `["values", "auth", "password"]`; a step that is not a constant ends its chain.
pub fn mentions(template: &str) -> Vec<Path> {
    let mut found = Vec::new();
    tags(template).iter().for_each(|tokens| chains(tokens, &mut found));
    found
}

/// What a template applies to values, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    Filter(String),
    Test(String),
}

/// Every filter (`| name`, `{% filter name %}`) and every test (`is name`, `is not name`) in the
/// tags of a template.
pub(super) fn applied(template: &str) -> Vec<Applied> {
    let in_tag = |tokens: &Vec<Token<'_>>| -> Vec<Applied> {
        (0..tokens.len()).filter_map(|at| applied_at(tokens, at)).collect()
    };
    tags(template).iter().flat_map(in_tag).collect()
}

fn applied_at(tokens: &[Token<'_>], at: usize) -> Option<Applied> {
    let is_step = at > 0 && tokens[at - 1] == Token::Sign('.');
    match tokens[at..] {
        [Token::Sign('|'), Token::Word(name), ..] => Some(Applied::Filter(name.to_owned())),
        [Token::Word("filter"), Token::Word(name), ..] if at == 0 => {
            Some(Applied::Filter(name.to_owned()))
        }
        [Token::Word("is"), Token::Word("not"), Token::Word(name), ..]
        | [Token::Word("is"), Token::Word(name), ..]
            if !is_step =>
        {
            Some(Applied::Test(name.to_owned()))
        }
        _ => None,
    }
}

/// The tokens of each tag.
fn tags(template: &str) -> Vec<Vec<Token<'_>>> {
    let mut tags = Vec::new();
    let mut rest = template;
    while let Some((tag, end)) = next_tag(rest) {
        let (tokens, after) = tokens(tag, end);
        tags.push(tokens);
        rest = after;
    }
    tags
}

/// The text after the next `{{` or `{%`, and what ends that tag.
fn next_tag(text: &str) -> Option<(&str, &'static str)> {
    let variable = text.find("{{").map(|at| (at, "}}"));
    let block = text.find("{%").map(|at| (at, "%}"));
    let (at, end) = variable.into_iter().chain(block).min()?;
    Some((&text[at + 2..], end))
}

/// The tokens up to the end of the tag, and the text after it.
fn tokens<'a>(tag: &'a str, end: &str) -> (Vec<Token<'a>>, &'a str) {
    let mut tokens = Vec::new();
    let mut rest = tag;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(end) {
            return (tokens, after);
        }
        let length = match first {
            '"' | '\'' => {
                let inner = quoted(&rest[1..], first);
                tokens.push(Token::Text(inner));
                (inner.len() + 2).min(rest.len())
            }
            first if is_word(first) => {
                let word = rest.split(|c| !is_word(c)).next().unwrap_or(rest);
                tokens.push(Token::Word(word));
                word.len()
            }
            first => {
                tokens.extend((!first.is_whitespace()).then_some(Token::Sign(first)));
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    (tokens, "")
}

/// The text up to the closing quote; a backslash hides the character after it.
fn quoted(text: &str, quote: char) -> &str {
    let mut hidden = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if hidden => hidden = false,
            '\\' => hidden = true,
            _ if character == quote => return &text[..at],
            _ => {}
        }
    }
    text
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn chains(tokens: &[Token<'_>], found: &mut Vec<Path>) {
    let mut at = 0;
    while at < tokens.len() {
        let Token::Word(first) = tokens[at] else {
            at += 1;
            continue;
        };
        // The name of a filter is no value: there may be a detail `uri` beside the filter `uri`.
        if at > 0 && tokens[at - 1] == Token::Sign('|') {
            at += 1;
            continue;
        }
        let mut chain = vec![first.to_owned()];
        at += 1;
        while let Some((step, length)) = next_step(&tokens[at..]) {
            chain.push(step.to_owned());
            at += length;
        }
        found.push(chain);
    }
}

/// A constant step from one name to the next, and how many tokens it takes.
fn next_step<'a>(tokens: &[Token<'a>]) -> Option<(&'a str, usize)> {
    match *tokens {
        [Token::Sign('.'), Token::Word(step), ..] => Some((step, 2)),
        [Token::Sign('['), Token::Word(step) | Token::Text(step), Token::Sign(']'), ..] if !matches!(tokens[1], Token::Word(name) if !name.bytes().all(|b| b.is_ascii_digit())) => {
            Some((step, 3))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(template: &str) -> Vec<String> {
        mentions(template).into_iter().map(|path| path.join("/")).collect()
    }

    #[test]
    fn chains_of_names_are_found() {
        assert_eq!(paths("{{ values.auth[\"pass-word\"] }}"), ["values/auth/pass-word"]);
        assert_eq!(paths("x://{{ a | uri }}:{{ b[:3] }}/app"), ["a", "b", "3"]);
        assert_eq!(paths("{{ list[0].name }}{{ list[i] }}"), ["list/0/name", "list", "i"]);
    }

    #[test]
    fn filters_and_tests_are_found() {
        let filter = |name: &str| Applied::Filter(name.to_owned());
        let test = |name: &str| Applied::Test(name.to_owned());
        let found = applied("{{ a | uri|default('| x') }}{% if a is not defined and b is none %}");
        assert_eq!(found, [filter("uri"), filter("default"), test("defined"), test("none")]);
        assert_eq!(applied("{% filter upper %}a | b{% endfilter %}"), [filter("upper")]);
        assert_eq!(applied("a | b {{ params.is }} is none"), []);
    }

    #[test]
    fn quotes_do_not_end_a_tag() {
        assert_eq!(paths("{{ '}}' ~ password }}"), ["password"]);
        assert_eq!(paths(r#"{{ "a\"}}" ~ password }}"#), ["password"]);
        assert_eq!(paths("{% if password %}app{% endif %}"), ["if", "password", "endif"]);
    }

    #[test]
    fn broken_text_is_read_to_its_end() {
        assert_eq!(paths("{{ password"), ["password"]);
        assert_eq!(paths("{{ 'é"), Vec::<String>::new());
        assert_eq!(paths("no tags"), Vec::<String>::new());
    }
}
