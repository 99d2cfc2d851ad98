//! Completion in real shells, against a server on loopback (interface §1.8).
#![expect(clippy::disallowed_methods, reason = "the rules are for the program, not for its tests")]
#![expect(clippy::print_stderr, reason = "a test that did not run says so")]

mod candidates;
mod home;
mod server;
mod silence;
mod terminal;

use std::path::Path;

use home::{Home, text};
use server::Server;
use terminal::Terminal;

const CREATE: &str = "svc create db --class postgres";

/// Lines with one candidate: what is typed, and what stands there after TAB.
fn completes_single_candidates(terminal: &mut Terminal) {
    for (typed, completed) in [
        ("svc cre", "svc create "),
        ("svc create db --cl", "svc create db --class "),
        ("svc create db --class po", "svc create db --class postgres "),
        ("svc create db --class=po", "svc create db --class=postgres "),
        (
            "svc create db --class postgres --set sto",
            "svc create db --class postgres --set storage=",
        ),
        (
            "svc create db --class postgres --set mode=r",
            "svc create db --class postgres --set mode=replication ",
        ),
        (
            "svc create db --class postgres --set=mode=s",
            "svc create db --class postgres --set=mode=standalone ",
        ),
        (
            "svc create db --class postgres --set mode=o",
            "svc create db --class postgres --set mode=odd\\ one ",
        ),
        ("svc show my", "svc show mydb "),
        ("svc show mydb pas", "svc show mydb password "),
        ("svc delete mydb ", "svc delete mydb cache "),
        ("svc list -n team-b", "svc list -n team-b "),
        ("svc list --context st", "svc list --context staging "),
        ("svc list -o j", "svc list -o json "),
    ] {
        terminal.types(typed).keys("\t").has(completed);
    }
}

#[test]
fn bash() {
    let home = Home::new(Server::start().port);
    let Some(mut terminal) = Terminal::start("bash", &home) else { return };
    completes_single_candidates(&mut terminal);
    terminal.types(&format!("{CREATE} --plan ")).keys("\t\t").lists(&["small", "medium"]);
    terminal.types(&format!("{CREATE} --set storage=")).keys("\t\t").lists(&["2Gi", "1Gi", "10Gi"]);
    terminal.types("svc show ").keys("\t\t").lists(&["cache", "mydb"]);
    terminal.types("svc show mydb ").keys("\t\t").lists(&["host", "port", "password", "uri"]);
}

#[test]
fn bash_completes_in_the_middle_of_a_line() {
    let home = Home::new(Server::start().port);
    let Some(mut terminal) = Terminal::start("bash", &home) else { return };
    let back = |steps| "\x1b[D".repeat(steps);
    let typed = "svc create db --plan  -c postgres";
    terminal.types(typed).keys(&back(12)).keys("sm\t").has("svc create db --plan small");
    let typed = "svc create db --plan  -c postgres";
    terminal.types(typed).keys(&back(12)).keys("\t\t").lists(&["small", "medium"]);
    let typed = "svc create db -c postgres --set mode=rx";
    terminal.types(typed).keys(&back(1)).keys("\t");
    terminal.has("svc create db -c postgres --set mode=replication");
    let typed = "svc create db -c \"postgres\" --set mode=\"re";
    terminal.types(typed).keys("\t");
    terminal.has("svc create db -c \"postgres\" --set mode=\"replication\" ");
}

#[test]
fn zsh() {
    let home = Home::new(Server::start().port);
    let Some(mut terminal) = Terminal::start("zsh", &home) else { return };
    completes_single_candidates(&mut terminal);
    let plans = ["small", "1 GiB memory", "medium", "4 GiB memory"];
    terminal.types(&format!("{CREATE} --plan ")).keys("\t").lists(&plans);
    let values = ["2Gi", "default", "1Gi", "smallest", "10Gi", "largest"];
    terminal.types(&format!("{CREATE} --set storage=")).keys("\t").lists(&values);
    // zsh lists candidates of one description side by side.
    let instances = ["cache", "mydb", "postgres, plan small, deployed"];
    terminal.types("svc show ").keys("\t").lists(&instances);
    terminal.types("svc show mydb ").keys("\t").lists(&["password", "uri", "sensitive"]);
    terminal.types("svc show mydb ").keys("\t").lists(&["host", "port"]);
}

#[test]
fn fish() {
    let home = Home::new(Server::start().port);
    let Some(mut terminal) = Terminal::start("fish", &home) else { return };
    completes_single_candidates(&mut terminal);
    let plans = ["small", "1 GiB memory", "medium", "4 GiB memory"];
    terminal.types(&format!("{CREATE} --plan ")).keys("\t").lists(&plans);
    let values = ["2Gi", "default", "1Gi", "smallest", "10Gi", "largest"];
    terminal.types(&format!("{CREATE} --set storage=")).keys("\t").lists(&values);
    terminal.types("svc show ").keys("\t").lists(&["cache", "postgres, plan small", "mydb"]);
    terminal.types("svc show mydb ").keys("\t").lists(&["host", "port", "password", "uri"]);
}

#[test]
fn zsh_loads_the_script_from_a_folder_of_functions() {
    let home = Home::new(Server::start().port);
    let Some(mut terminal) = Terminal::start("zsh", &home) else { return };
    terminal.types("unfunction _svc; mkdir f; svc completion zsh > f/_svc; clear\n").has("");
    terminal.types("fpath=($PWD/f $fpath); compinit -u -D; clear\n").has("");
    terminal.types("svc create db --class po").keys("\t").has("svc create db --class postgres ");
}

#[test]
fn the_scripts_kept_here_are_what_the_program_prints() {
    let home = Home::new(1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    for (shell, file) in [
        ("bash", "svc.bash"),
        ("zsh", "_svc"),
        ("fish", "svc.fish"),
        ("powershell", "svc.ps1"),
        ("elvish", "svc.elv"),
    ] {
        let printed = home.run("svc", &[], &["completion", shell]);
        assert!(printed.status.success(), "{printed:?}");
        let kept = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        let printed = text(printed.stdout);
        assert!(kept == printed, "svc completion {shell} > completions/{file}\n{printed}");
    }
}
