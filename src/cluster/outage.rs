//! A cluster that does not answer for a while, and how long that is borne.

use std::time::Duration;

use tokio::time::Instant;

use crate::error::{Error, Result};

/// How long a cluster that has answered before may be away.
const LONGEST: Duration = Duration::from_secs(30);

/// Answers to the same question, asked again and again.
#[derive(Debug, Default)]
pub struct Outage {
    answered: bool,
    /// Since when there is none, and the last reason.
    lost: Option<(Instant, Error)>,
}

impl Outage {
    /// Of a cluster that has answered already.
    pub fn after_an_answer() -> Self {
        Self { answered: true, lost: None }
    }

    /// Takes an answer; `None`: there was none, and it is worth asking again. A cluster that
    /// never answered is not waited for.
    ///
    /// # Errors
    /// A no of the cluster; silence that lasts.
    pub fn bear<T>(&mut self, answer: Result<T>) -> Result<Option<T>> {
        let error = match answer {
            Ok(answer) => {
                *self = Self::after_an_answer();
                return Ok(Some(answer));
            }
            Err(error) if !self.answered || !error.may_pass => return Err(error),
            Err(error) => error,
        };
        let since = self.lost.take().map_or_else(Instant::now, |(since, _)| since);
        if since.elapsed() >= LONGEST {
            return Err(error);
        }
        self.lost = Some((since, error));
        Ok(None)
    }

    /// The end of asking: why the last answer is missing, if it is.
    ///
    /// # Errors
    /// That reason.
    pub fn end(self) -> Result<()> {
        self.lost.map_or(Ok(()), |(_, error)| Err(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn away() -> Result<u8> {
        Err(Error::failed("away").passing())
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_outage_is_borne_and_a_long_one_told() {
        let mut outage = Outage::default();
        assert_eq!(outage.bear(Ok(1)).unwrap(), Some(1));
        assert_eq!(outage.bear(away()).unwrap(), None);
        tokio::time::advance(Duration::from_secs(29)).await;
        assert_eq!(outage.bear(away()).unwrap(), None);
        assert_eq!(outage.bear(Ok(2)).unwrap(), Some(2));
        assert_eq!(outage.bear(away()).unwrap(), None, "it begins anew");
        tokio::time::advance(Duration::from_secs(30)).await;
        assert_eq!(outage.bear(away()).unwrap_err().message, "away");
    }

    #[tokio::test]
    async fn what_never_answered_or_says_no_is_told_at_once() {
        assert!(Outage::default().bear(away()).is_err());
        let no: Result<u8> = Err(Error::not_allowed("no"));
        assert!(Outage::after_an_answer().bear(no).is_err());
    }

    #[tokio::test]
    async fn at_the_end_the_silence_is_the_reason() {
        let mut outage = Outage::after_an_answer();
        outage.bear(away()).unwrap();
        assert_eq!(outage.end().unwrap_err().message, "away");
        outage = Outage::after_an_answer();
        outage.bear(Ok(1)).unwrap();
        outage.end().unwrap();
    }
}
