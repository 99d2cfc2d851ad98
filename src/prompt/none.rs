//! Nobody to ask: no terminal, or `--no-input`.

use secrecy::SecretString;

use super::{Check, CheckList, Choice, Prompt, Title, Unanswered};

/// Never asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrompt;

impl Prompt for NoPrompt {
    fn can_ask(&self) -> bool {
        false
    }

    fn select(&mut self, _: &Title, _: &[Choice], _: usize) -> Result<usize, Unanswered> {
        Err(Unanswered::NoTerminal)
    }

    fn text(&mut self, _: &Title, _: Option<&str>, _: Check<'_>) -> Result<String, Unanswered> {
        Err(Unanswered::NoTerminal)
    }

    fn boolean(&mut self, _: &Title, _: Option<bool>) -> Result<bool, Unanswered> {
        Err(Unanswered::NoTerminal)
    }

    fn secret(
        &mut self,
        _: &Title,
        _: Option<&str>,
        _: Check<'_>,
    ) -> Result<Option<SecretString>, Unanswered> {
        Err(Unanswered::NoTerminal)
    }

    fn list(
        &mut self,
        _: &Title,
        _: &[String],
        _: CheckList<'_>,
    ) -> Result<Vec<String>, Unanswered> {
        Err(Unanswered::NoTerminal)
    }

    fn confirm(&mut self, _: &str, _: bool) -> Result<bool, Unanswered> {
        Err(Unanswered::NoTerminal)
    }

    fn typed_name(&mut self, _: &str, _: &str) -> Result<bool, Unanswered> {
        Err(Unanswered::NoTerminal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked() {
        assert!(!NoPrompt.can_ask());
        let answer = NoPrompt.confirm("Delete mydb?", false);
        assert!(matches!(answer, Err(Unanswered::NoTerminal)));
    }
}
