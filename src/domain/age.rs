//! How old something is, and how long it took (interface §1.3).

use jiff::{SignedDuration, Timestamp};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// `52s`, `3m`, `2h`, `12d`: the age in its largest unit, never below zero.
pub fn age(since: Timestamp, now: Timestamp) -> String {
    match now.as_second().saturating_sub(since.as_second()).max(0) {
        seconds @ ..MINUTE => format!("{seconds}s"),
        seconds @ MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h", seconds / HOUR),
        seconds => format!("{}d", seconds / DAY),
    }
}

/// `52s`, `3m 04s`, `5m`, `1h 05m`: a duration as progress shows it.
pub fn duration(duration: SignedDuration) -> String {
    match duration.as_secs().max(0) {
        seconds @ ..MINUTE => format!("{seconds}s"),
        seconds @ MINUTE..HOUR => two(seconds / MINUTE, "m", seconds % MINUTE, "s"),
        seconds => two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m"),
    }
}

fn two(large: i64, large_unit: &str, small: i64, small_unit: &str) -> String {
    if small == 0 {
        format!("{large}{large_unit}")
    } else {
        format!("{large}{large_unit} {small:02}{small_unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let now = Timestamp::from_second(1_000_000_000).unwrap();
        let ago = |seconds: i64| age(Timestamp::from_second(1_000_000_000 - seconds).unwrap(), now);
        assert_eq!(ago(0), "0s");
        assert_eq!(ago(59), "59s");
        assert_eq!(ago(60), "1m");
        assert_eq!(ago(7_199), "1h");
        assert_eq!(ago(86_400 * 210), "210d");
        assert_eq!(ago(-5), "0s", "a clock that is behind");
    }

    #[test]
    fn durations_have_two() {
        let shown = |seconds| duration(SignedDuration::from_secs(seconds));
        assert_eq!(shown(52), "52s");
        assert_eq!(shown(184), "3m 04s");
        assert_eq!(shown(300), "5m");
        assert_eq!(shown(3_900), "1h 05m");
        assert_eq!(shown(-1), "0s");
    }
}
