//! Answers that no API server gives, each made from a good one and a number: the same number makes
//! the same garbage.

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Reply;

/// Numbers that look like chance (SplitMix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let kept = (mixed ^ (mixed >> 31)) % u64::try_from(end.max(1)).expect("a length");
        usize::try_from(kept).expect("it is below a length")
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| u8::try_from(self.below(256)).expect("a byte")).collect()
    }
}

/// Kinds of garbage.
pub const KINDS: usize = 16;
/// Those after which the server is silent or never ends.
pub const SLOW: [usize; 2] = [14, 15];

/// What is answered instead of this body.
pub fn garbage(kind: usize, body: &Value, chance: &mut Chance) -> Reply {
    let text = body.to_string().into_bytes();
    let cut = chance.below(text.len());
    Reply::Raw(match kind {
        0 => http(200, JSON, &text[..cut]),
        1 => http(200, JSON, wrong_type(body, chance).to_string().as_bytes()),
        2 => http(200, "text/html", b"<!DOCTYPE html><html><body>Sign in \x1b[2J</body></html>"),
        3 => http(200, &format!("{JSON}\r\ncontent-encoding: gzip"), &chance.bytes(40)),
        4 => http(200, JSON, b""),
        5 => http(200, "application/vnd.kubernetes.protobuf", b"k8s\0\x0a\x0f\x0a\x02v1"),
        6 => http(200, JSON, status_body(chance).to_string().as_bytes()),
        7 => http(200, JSON, &random_bytes(chance)),
        8 => http(200, JSON, &[b"[".repeat(100_000), b"]".repeat(100_000)].concat()),
        9 => [&b"HTTP/1.1 "[..], &chance.bytes(12), b"\r\n\r\n", &text].concat(),
        10 => b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n".to_vec(),
        11 => {
            let head = format!("HTTP/1.1 200 x\r\ncontent-length: {}\r\n\r\n", text.len() + 10);
            [head.into_bytes(), text].concat()
        }
        12 => http(code(chance), JSON, &random_bytes(chance)),
        13 => chance.bytes(300),
        14 => {
            let head = b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n".to_vec();
            return Reply::Endless(head, b"1\r\n \r\n".to_vec(), Duration::from_millis(100));
        }
        _ => return Reply::Hang,
    })
}

const JSON: &str = "application/json";

fn http(code: u16, kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {code} x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn code(chance: &mut Chance) -> u16 {
    [100, 204, 302, 400, 404, 406, 409, 410, 415, 418, 422, 500, 502, 599][chance.below(14)]
}

fn random_bytes(chance: &mut Chance) -> Vec<u8> {
    let count = chance.below(600);
    chance.bytes(count)
}

fn status_body(chance: &mut Chance) -> Value {
    let code = code(chance);
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "something \u{202e}else", "reason": "Other", "code": code})
}

/// The value with one of its own replaced by another type.
fn wrong_type(value: &Value, chance: &mut Chance) -> Value {
    let other = |chance: &mut Chance| {
        let others = [
            json!(null),
            json!(true),
            json!(-1),
            json!(1e300),
            json!("\u{0}\u{1b}]0;x\u{7}"),
            json!([{}]),
            json!({"a": []}),
        ];
        others[chance.below(others.len())].clone()
    };
    let mut value = value.clone();
    let stop = chance.below(3) == 0;
    match &mut value {
        Value::Object(fields) if !stop && !fields.is_empty() => {
            let at = chance.below(fields.len());
            let inner = fields.values_mut().nth(at).expect("it is below their number");
            *inner = wrong_type(inner, chance);
        }
        Value::Array(items) if !stop && !items.is_empty() => {
            let at = chance.below(items.len());
            items[at] = wrong_type(&items[at], chance);
        }
        _ => value = other(chance),
    }
    value
}
