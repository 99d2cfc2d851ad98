//! Quantities in Kubernetes' notation: `10Gi`, `500m`, `1.5`, `1e3`.
//!
//! The rules are those of `resource.Quantity`:
//! <https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/>.
//! Kubernetes caps what is above 2^63-1 and rounds what is finer than a nano; here both are
//! refused, so that what was typed is what the cluster keeps.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A quantity: the text as it was given, and what it amounts to.
///
/// Equality and order are those of the amount: `1Gi` equals `1024Mi`.
#[derive(Clone, Debug)]
pub struct Quantity {
    text: String,
    /// Exact, in thousand-millionths.
    nanos: i128,
}

/// Why a text is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// It is not in the notation.
    #[error("is not a quantity")]
    Notation,
    /// Kubernetes holds at most 2^63-1.
    #[error("is more than Kubernetes can hold, 2^63-1")]
    TooLarge,
    /// Kubernetes holds nothing finer than `1n`.
    #[error("is finer than Kubernetes can hold, 1n")]
    TooFine,
}

const NANOS: i128 = 1_000_000_000;
/// 2^63-1, in thousand-millionths.
const LARGEST: i128 = i64::MAX as i128 * NANOS;
/// More digits than a quantity within the limits can need, and few enough for an `i128`.
const MOST_DIGITS: usize = 37;

impl Quantity {
    /// The amount in thousand-millionths.
    pub fn nanos(&self) -> i128 {
        self.nanos
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let end = unsigned
            .find(|character: char| !character.is_ascii_digit() && character != '.')
            .unwrap_or(unsigned.len());
        let (number, suffix) = unsigned.split_at(end);
        let scale = Scale::of(suffix)?;
        let nanos = scale.apply(number)?;
        Ok(Self { text: text.to_owned(), nanos: if negative { -nanos } else { nanos } })
    }
}

/// What a suffix multiplies by: `2^binary * 10^decimal`.
struct Scale {
    binary: u32,
    decimal: i32,
}

impl Scale {
    fn of(suffix: &str) -> Result<Self, QuantityError> {
        let (binary, decimal) = match suffix {
            "n" => (0, -9),
            "u" => (0, -6),
            "m" => (0, -3),
            "" => (0, 0),
            "k" => (0, 3),
            "M" => (0, 6),
            "G" => (0, 9),
            "T" => (0, 12),
            "P" => (0, 15),
            "E" => (0, 18),
            "Ki" => (10, 0),
            "Mi" => (20, 0),
            "Gi" => (30, 0),
            "Ti" => (40, 0),
            "Pi" => (50, 0),
            "Ei" => (60, 0),
            _ => (0, exponent(suffix)?),
        };
        Ok(Self { binary, decimal })
    }

    fn apply(&self, number: &str) -> Result<i128, QuantityError> {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let fraction = fraction.trim_end_matches('0');
        if fraction.contains('.') || !number.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(QuantityError::Notation);
        }
        let digits = [whole, fraction].concat();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(0);
        }
        let shift = i64::from(self.decimal) + 9 - i64::try_from(fraction.len()).unwrap_or(i64::MAX);
        let places = i64::try_from(digits.len()).unwrap_or(i64::MAX).saturating_add(shift);
        if places > 29 {
            return Err(QuantityError::TooLarge);
        }
        if digits.len() > MOST_DIGITS {
            return Err(QuantityError::TooFine);
        }
        let mantissa = digits.parse::<i128>().map_err(|_| QuantityError::Notation)?;
        multiply(mantissa, self.binary, shift)
    }
}

/// `mantissa * 2^binary * 10^shift`, if that is whole and within the limits.
fn multiply(mantissa: i128, binary: u32, shift: i64) -> Result<i128, QuantityError> {
    let power = u32::try_from(shift.unsigned_abs()).map_err(|_| QuantityError::TooFine)?;
    let product = if shift >= 0 {
        10_i128.checked_pow(power).and_then(|ten| mantissa.checked_mul(ten))
    } else {
        // Tens are halves and fifths: take the halves out of the power of two first.
        let halves = power.min(binary);
        return divide(mantissa, binary - halves, power - halves, power);
    };
    within(product.and_then(|value| value.checked_mul(1 << binary)))
}

/// `mantissa * 2^twos / (2^halves * 5^fifths)`, if that is whole and within the limits.
fn divide(mantissa: i128, twos: u32, halves: u32, fifths: u32) -> Result<i128, QuantityError> {
    let divisor = 5_i128
        .checked_pow(fifths)
        .and_then(|fives| fives.checked_mul(1_i128.checked_shl(halves)?))
        .filter(|divisor| *divisor > 0)
        .ok_or(QuantityError::TooFine)?;
    if mantissa % divisor != 0 {
        return Err(QuantityError::TooFine);
    }
    within((mantissa / divisor).checked_mul(1 << twos))
}

fn within(nanos: Option<i128>) -> Result<i128, QuantityError> {
    nanos.filter(|nanos| *nanos <= LARGEST).ok_or(QuantityError::TooLarge)
}

fn exponent(suffix: &str) -> Result<i32, QuantityError> {
    let digits = suffix.strip_prefix(['e', 'E']).ok_or(QuantityError::Notation)?;
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(QuantityError::Notation);
    }
    digits.parse().map_err(|_| QuantityError::TooLarge)
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanos(text: &str) -> i128 {
        text.parse::<Quantity>().unwrap_or_else(|error| panic!("{text}: {error}")).nanos
    }

    #[test]
    fn every_suffix_amounts_to_what_kubernetes_says() {
        let whole = [
            ("0", 0),
            ("1", 1),
            ("+1", 1),
            ("-1", -1),
            ("1k", 1_000),
            ("1M", 1_000_000),
            ("1G", 1_000_000_000),
            ("1T", 1_000_000_000_000),
            ("1P", 1_000_000_000_000_000),
            ("1E", 1_000_000_000_000_000_000),
            ("1Ki", 1 << 10),
            ("1Mi", 1 << 20),
            ("1Gi", 1 << 30),
            ("1Ti", 1 << 40),
            ("1Pi", 1 << 50),
            ("1Ei", 1 << 60),
            ("1e3", 1_000),
            ("1E3", 1_000),
            ("1e+3", 1_000),
            ("1.5Gi", 1_610_612_736),
            ("007", 7),
            ("5.", 5),
        ];
        for (text, value) in whole {
            assert_eq!(nanos(text), value * NANOS, "{text}");
        }
        assert_eq!(nanos("1500m"), 1_500_000_000);
        assert_eq!(nanos(".5"), 500_000_000);
        assert_eq!(nanos("1u"), 1_000);
        assert_eq!(nanos("1n"), 1);
        assert_eq!(nanos("1e-9"), 1);
        assert_eq!(nanos("0.1Ki"), 102_400_000_000);
        assert_eq!(nanos("9223372036854775807"), LARGEST);
    }

    #[test]
    fn what_kubernetes_refuses_is_refused() {
        for text in [
            "", "abc", "1GB", "1 Gi", " 1", "1K", "1ki", "1gi", "Gi", ".", "-", "+-1", "1.2.3",
            "1e", "1e1.5", "1ee3", "1i", "0x10", "1_000", "١", "1Gi\n", "--1", "1e+", "NaN", "inf",
        ] {
            assert_eq!(text.parse::<Quantity>(), Err(QuantityError::Notation), "{text:?}");
        }
    }

    #[test]
    fn nothing_is_capped_or_rounded() {
        for text in ["9223372036854775808", "8Ei", "10E", "1e400", "1e99999999999", "99999P"] {
            assert_eq!(text.parse::<Quantity>(), Err(QuantityError::TooLarge), "{text}");
        }
        for text in ["0.1n", "1e-10", "0.0000000001", "1e-400", "0.00000000001Ki"] {
            assert_eq!(text.parse::<Quantity>(), Err(QuantityError::TooFine), "{text}");
        }
        assert_eq!("0e-400".parse::<Quantity>().map(|zero| zero.nanos), Ok(0));
    }

    #[test]
    fn the_order_is_that_of_the_amount() {
        let ascending = ["-1Gi", "-1", "-1m", "0", "1n", "999m", "1", "1e3", "1Ki", "1G", "1Gi"];
        for pair in ascending.windows(2) {
            assert!(nanos(pair[0]) < nanos(pair[1]), "{pair:?}");
        }
        let equal = [("1Gi", "1024Mi"), ("1e3", "1k"), ("1500m", "1.5"), ("0", "-0"), ("1.0", "1")];
        for (left, right) in equal {
            assert_eq!(left.parse::<Quantity>(), right.parse::<Quantity>());
        }
    }
}
