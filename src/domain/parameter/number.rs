//! Numbers of 64 bits, which charts read them as: those that keep every digit that was written.

/// What a text is as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Exact {
    /// The number that was written.
    Is(f64),
    /// The nearest there is.
    Near(f64),
}

/// Reads a number; `None`: it is none, or beyond all numbers.
pub(super) fn exact(text: &str) -> Option<Exact> {
    let digits = text.contains(|character: char| character.is_ascii_digit());
    let number = text.parse::<f64>().ok().filter(|number| digits && number.is_finite())?;
    let kept = decimal(text) == decimal(&format!("{number:e}"));
    Some(if kept { Exact::Is(number) } else { Exact::Near(number) })
}

/// Sign, digits without zeros at either end, and the power of ten of the last one.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let unsigned = text.trim_start_matches(['+', '-']);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_end_matches('0');
    let dropped = i64::try_from(all.len() - digits.len()).ok()?;
    let power = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()? + dropped;
    let digits = digits.trim_start_matches('0').to_owned();
    let zero = digits.is_empty();
    Some((text.starts_with('-') && !zero, digits, if zero { 0 } else { power }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_one_that_was_written() {
        for text in ["0", "-0", "0.10", "100", "1e3", "+1.50E-7", "123456789.12345679", "1e22"] {
            assert_eq!(exact(text), Some(Exact::Is(text.parse().unwrap())), "{text}");
        }
        for text in ["9007199254740993", "123456789.123456789", "1e-400", "0.1000000000000000055"] {
            assert_eq!(exact(text), Some(Exact::Near(text.parse().unwrap())), "{text}");
        }
        for text in ["", "inf", "NaN", "1e400", "1_000", "0x10", "e5"] {
            assert_eq!(exact(text), None, "{text}");
        }
    }
}
