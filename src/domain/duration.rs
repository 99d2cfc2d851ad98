//! Durations in Go's notation, as Kubernetes and helm write them: `5m`, `1h30m`, `1.5s`.
//!
//! The rules are those of `time.ParseDuration`: <https://pkg.go.dev/time#ParseDuration>.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A duration: the text as it was given, and how long that is. Equality and order are by length.
#[derive(Clone, Debug)]
pub struct Duration {
    text: String,
    nanos: i64,
}

/// Why a text is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// It is not in the notation.
    #[error("is not a duration")]
    Notation,
    /// Go holds at most 2^63-1 nanoseconds, about 292 years.
    #[error("is longer than Go can hold, 2^63-1 ns")]
    TooLong,
}

impl Duration {
    /// The length in nanoseconds.
    pub fn nanos(&self) -> i64 {
        self.nanos
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same for Rust's clock; nothing where it is negative.
    pub fn to_std(&self) -> Option<std::time::Duration> {
        u64::try_from(self.nanos).ok().map(std::time::Duration::from_nanos)
    }
}

impl FromStr for Duration {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, DurationError> {
        let negative = text.starts_with('-');
        let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
        let mut nanos = 0_i128;
        if rest.is_empty() {
            return Err(DurationError::Notation);
        }
        while !rest.is_empty() && rest != "0" {
            let (length, after) = term(rest)?;
            nanos = nanos.checked_add(length).ok_or(DurationError::TooLong)?;
            if after == "0" {
                return Err(DurationError::Notation);
            }
            rest = after;
        }
        let signed = if negative { -nanos } else { nanos };
        let nanos = i64::try_from(signed).map_err(|_| DurationError::TooLong)?;
        Ok(Self { text: text.to_owned(), nanos })
    }
}

/// The first `NUMBER UNIT` of a duration in nanoseconds, and what comes after it.
fn term(text: &str) -> Result<(i128, &str), DurationError> {
    let (whole, rest) = digits(text);
    let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), digits);
    if whole.is_empty() && fraction.is_empty() {
        return Err(DurationError::Notation);
    }
    let (unit, rest) = unit(rest)?;
    let number = |digits: &str| match digits {
        "" => Ok(0),
        digits => digits.parse::<i128>().map_err(|_| DurationError::TooLong),
    };
    // Go cuts what is finer than a nanosecond; 18 digits of a fraction hold more than that.
    let fraction = fraction.get(..18).unwrap_or(fraction);
    let places = u32::try_from(fraction.len()).expect("at most 18 digits");
    let below = number(fraction)? * unit / 10_i128.pow(places);
    let above = number(whole)?.checked_mul(unit).ok_or(DurationError::TooLong)?;
    Ok((above.checked_add(below).ok_or(DurationError::TooLong)?, rest))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// The unit a text begins with, in nanoseconds. Both signs for micro are Go's own.
fn unit(text: &str) -> Result<(i128, &str), DurationError> {
    const UNITS: [(&str, i128); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("\u{b5}s", 1_000),
        ("\u{3bc}s", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    UNITS
        .iter()
        .find_map(|(name, nanos)| text.strip_prefix(name).map(|rest| (*nanos, rest)))
        .ok_or(DurationError::Notation)
}

impl PartialEq for Duration {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Duration {}

impl PartialOrd for Duration {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Duration {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_long_as_go_says() {
        let second = 1_000_000_000;
        for (text, nanos) in [
            ("0", 0),
            ("-0", 0),
            ("0s", 0),
            ("5s", 5 * second),
            ("+5s", 5 * second),
            ("-5s", -5 * second),
            ("1h30m", 5_400 * second),
            ("1.5h", 5_400 * second),
            (".5s", second / 2),
            ("1.s", second),
            ("10ms", 10_000_000),
            ("11us", 11_000),
            ("11µs", 11_000),
            ("11μs", 11_000),
            ("12ns", 12),
            ("1m1ms", 60 * second + 1_000_000),
            ("0.9999999999s", 999_999_999),
            ("0.1000000000000000000000001s", second / 10),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
        ] {
            assert_eq!(text.parse::<Duration>().map(|value| value.nanos), Ok(nanos), "{text}");
        }
    }

    #[test]
    fn what_go_refuses_is_refused() {
        for text in [
            "", "3", "-", "s", ".", ".s", "1 s", "1d", "1H", "3h0", "00", "1.5", "+.s", "5m\n",
            "٣s",
        ] {
            assert_eq!(text.parse::<Duration>(), Err(DurationError::Notation), "{text:?}");
        }
        let long = "9".repeat(50) + "s";
        for text in ["9223372036854775808ns", "2562048h", &long] {
            assert_eq!(text.parse::<Duration>(), Err(DurationError::TooLong), "{text}");
        }
    }

    #[test]
    fn order_and_conversion_are_by_length() {
        let parse = |text: &str| text.parse::<Duration>().unwrap();
        assert_eq!(parse("60s"), parse("1m"));
        assert!(parse("59s") < parse("1m"));
        assert_eq!(parse("1.5s").to_std(), Some(std::time::Duration::from_millis(1_500)));
        assert_eq!(parse("-1s").to_std(), None);
    }
}
