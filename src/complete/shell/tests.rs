use super::*;

fn candidate(value: &str, about: &str) -> CompletionCandidate {
    let about = (!about.is_empty()).then(|| about.to_owned().into());
    CompletionCandidate::new(value).help(about)
}

fn answer(asker: Asker, value: &str, about: &str) -> String {
    asker.answer(&[candidate(value, about)])
}

const BASH: Asker = Asker::Shell(Shell::Bash);
const ZSH: Asker = Asker::Shell(Shell::Zsh);
const FISH: Asker = Asker::Shell(Shell::Fish);
const POWERSHELL: Asker = Asker::Shell(Shell::Powershell);
const ELVISH: Asker = Asker::Shell(Shell::Elvish);

#[test]
fn each_asker_reads_its_own_form() {
    for (asker, expected) in [
        (BASH, "uri=a:b\n"),
        (ZSH, "uri=a\\:b:the: address\n"),
        (FISH, "uri=a:b\tthe: address\n"),
        (POWERSHELL, "uri=a:b\tthe: address\n"),
        (ELVISH, "uri=a:b\n"),
        (Asker::Kubectl, "uri=a:b\tthe: address\n:4\n"),
    ] {
        assert_eq!(answer(asker, "uri=a:b", "the: address"), expected, "{asker:?}");
    }
}

#[test]
fn kubectl_is_told_of_no_space_after_an_equals_sign() {
    assert_eq!(answer(Asker::Kubectl, "storage=", ""), "storage=\n:6\n");
    assert_eq!(Asker::Kubectl.answer(&[]), ":4\n");
}

#[test]
fn a_class_puts_no_command_on_the_line() {
    let hostile = "mode=$(touch x);`y` 'z'";
    assert_eq!(answer(BASH, hostile, ""), "mode=\\$\\(touch\\ x\\)\\;\\`y\\`\\ \\'z\\'\n");
    assert_eq!(answer(POWERSHELL, hostile, ""), "'mode=$(touch x);`y` ''z'''\n");
    assert_eq!(answer(Asker::Kubectl, hostile, ""), ":4\n");
}

#[test]
fn control_characters_reach_no_terminal() {
    for asker in [BASH, ZSH, FISH, POWERSHELL, ELVISH] {
        assert_eq!(answer(asker, "a\nb", ""), "", "{asker:?}");
        assert_eq!(answer(asker, "a\x1b[31m", ""), "", "{asker:?}");
    }
    assert_eq!(answer(FISH, "a", "one\ttwo\u{202e}\nthree"), "a\tone\\x09two\\u202e\n");
}

#[test]
fn a_registration_is_complete_and_names_its_program() {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Powershell, Shell::Elvish] {
        for bin in ["svc", "kubectl-svc"] {
            let script = registration(shell, bin);
            assert!(script.contains(VARIABLE), "{script}");
            assert!(script.contains(&format!("{bin} -- ")), "{script}");
            for left in ["BIN", "NAME", "VAR="] {
                assert!(!script.contains(left), "{left} in {script}");
            }
            assert!(script.ends_with('\n') && !script.ends_with("\n\n"), "{script:?}");
        }
    }
    assert!(registration(Shell::Bash, "kubectl-svc").contains("_kubectl_svc() {"));
}
