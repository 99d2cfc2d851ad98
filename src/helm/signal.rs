//! How helm is told to stop, and when it is stopped whatever it does.

use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

/// What a person or a supervisor sent to svc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C. The terminal sends it to helm too: both are in one process group.
    Interrupt,
    /// SIGTERM, which only svc gets.
    Terminate,
}

/// The signals that svc gets, caught by the caller.
pub type Signals = UnboundedReceiver<Signal>;

/// How long a helm may take to store its state after it was told to stop.
pub(super) const GRACE: Duration = Duration::from_secs(10);

/// Why helm was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The first signal was passed on and helm stored its state.
    Interrupted(Signal),
    /// A second signal: helm was killed, and what it did may be half made.
    Killed(Signal),
    /// It lived longer than it may.
    TooLate,
}

/// The next signal; never, when the caller catches none.
pub(super) async fn next(signals: &mut Signals) -> Signal {
    match signals.recv().await {
        Some(signal) => signal,
        None => std::future::pending().await,
    }
}

/// What was sent to helm so far, and when it gets something stronger.
pub(super) struct Stopping {
    pub(super) deadline: Instant,
    pub(super) why: Option<Stop>,
}

impl Stopping {
    pub(super) fn new(life: Duration) -> Self {
        Self { deadline: Instant::now() + life, why: None }
    }

    /// The first signal is passed on; helm reads no second one, so that kills it.
    pub(super) fn on_signal(&mut self, signal: Signal) -> rustix::process::Signal {
        match self.why {
            None => {
                self.why = Some(Stop::Interrupted(signal));
                signal.to_process_signal()
            }
            Some(Stop::TooLate) => rustix::process::Signal::KILL,
            Some(_) => {
                self.why = Some(Stop::Killed(signal));
                rustix::process::Signal::KILL
            }
        }
    }

    pub(super) fn on_deadline(&mut self) -> rustix::process::Signal {
        self.deadline = Instant::now() + GRACE;
        if self.why == Some(Stop::TooLate) {
            return rustix::process::Signal::KILL;
        }
        self.why = Some(Stop::TooLate);
        rustix::process::Signal::TERM
    }
}

impl Signal {
    fn to_process_signal(self) -> rustix::process::Signal {
        match self {
            Self::Interrupt => rustix::process::Signal::INT,
            Self::Terminate => rustix::process::Signal::TERM,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_signal_is_passed_on_and_the_second_kills() {
        let mut stopping = Stopping::new(Duration::from_secs(1));
        assert_eq!(stopping.on_signal(Signal::Interrupt), rustix::process::Signal::INT);
        assert_eq!(stopping.why, Some(Stop::Interrupted(Signal::Interrupt)));
        assert_eq!(stopping.on_signal(Signal::Terminate), rustix::process::Signal::KILL);
        assert_eq!(stopping.why, Some(Stop::Killed(Signal::Terminate)));
    }

    #[tokio::test]
    async fn after_the_deadline_helm_has_a_grace_and_then_none() {
        let mut stopping = Stopping::new(Duration::from_secs(1));
        assert_eq!(stopping.on_deadline(), rustix::process::Signal::TERM);
        assert!(stopping.deadline > Instant::now() + GRACE / 2);
        assert_eq!(stopping.on_deadline(), rustix::process::Signal::KILL);
        assert_eq!(stopping.why, Some(Stop::TooLate));
    }
}
