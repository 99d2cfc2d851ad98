//! The state of the terminal and of this thread while a question is open.

use std::io;
use std::time::Duration;

use console::Term;
use nix::sys::signal::{SigSet, SigmaskHow, Signal, raise};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

/// Signals that may have a handler in this process. A handled one makes dialoguer's read return,
/// which it takes for Ctrl-C; SIGINT is what console raises for the key.
const BLOCKED: [Signal; 6] = [
    Signal::SIGINT,
    Signal::SIGCHLD,
    Signal::SIGWINCH,
    Signal::SIGALRM,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
];

/// How long after Enter the rest of a paste may take to arrive.
const PASTE: Duration = Duration::from_millis(20);

/// Raw mode from one key to the next, so that nothing is echoed in between and Ctrl-C is a key.
/// What was typed before is thrown away. Dropped, all is as before and the cursor is shown.
pub(super) struct Raw {
    term: Term,
    before: Termios,
    mask: SigSet,
}

impl Raw {
    /// Takes over the terminal of stdin.
    pub(super) fn open(term: &Term) -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        // Lines are still written with `\n` alone.
        raw.output_modes = before.output_modes;
        let blocked = BLOCKED.into_iter().collect::<SigSet>();
        let mask = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
        let open = Self { term: term.clone(), before, mask };
        tcsetattr(io::stdin(), OptionalActions::Flush, &raw)?;
        Ok(open)
    }

    /// Whether more was typed (pasted) behind an Enter; it is thrown away.
    pub(super) fn discard_rest(&self) -> io::Result<bool> {
        let mut more = false;
        let wait = Timespec::try_from(PASTE).map_err(io::Error::other)?;
        let stdin = io::stdin();
        while poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&wait))? > 0 {
            tcflush(&stdin, QueueSelector::IFlush)?;
            more = true;
        }
        Ok(more)
    }

    /// Takes back the SIGINT that console raised for Ctrl-C, before it is unblocked: the caller
    /// learns of it by its result.
    pub(super) fn swallow_interrupt(&self) -> io::Result<()> {
        // One that is pending twice is pending once: after this there is one to wait for.
        raise(Signal::SIGINT)?;
        SigSet::from(Signal::SIGINT).wait()?;
        Ok(())
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.before);
        let _ = self.term.show_cursor();
        let _ = self.mask.thread_set_mask();
    }
}
