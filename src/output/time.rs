//! Times as a person reads them: `52s`, `3m 04s`, `2h`, `12d` (interface §1.3).

use std::time::Duration;

/// How long something took or may take: seconds below an hour, hours and days above.
pub fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds}s"),
        (minutes @ 1..60, 0) => format!("{minutes}m"),
        (minutes @ 1..60, seconds) => format!("{minutes}m {seconds:02}s"),
        _ => age(time),
    }
}

/// How old something is, in its largest unit.
pub fn age(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3_600 => format!("{}m", seconds / 60),
        seconds @ 3_600..86_400 => format!("{}h", seconds / 3_600),
        seconds => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_keeps_seconds_below_an_hour() {
        let text = |seconds| elapsed(Duration::from_secs(seconds));
        assert_eq!([text(0), text(52), text(184)], ["0s", "52s", "3m 04s"]);
        assert_eq!([text(300), text(7_200), text(90_000)], ["5m", "2h", "1d"]);
    }

    #[test]
    fn age_has_one_unit() {
        let text = |seconds| age(Duration::from_secs(seconds));
        assert_eq!([text(59), text(119), text(7_199)], ["59s", "1m", "1h"]);
        assert_eq!(text(210 * 86_400 + 5), "210d");
    }
}
