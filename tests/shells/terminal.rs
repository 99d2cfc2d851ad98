//! A real shell at a pseudo-terminal, with the program's completion registered.

use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::home::Home;

const PATIENCE: Duration = Duration::from_secs(20);
/// To the end of the line, all of it away, the screen cleared. Not Ctrl-C: what is typed right
/// after it is lost with it.
const AFRESH: &str = "\x05\x15\x0c";

/// A shell that waits at the prompt `$ `.
pub struct Terminal {
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Starts bash, zsh or fish; `None`, and a word about it, where it is not installed.
    pub fn start(shell: &str, home: &Home) -> Option<Self> {
        if !installed(shell) {
            let sentence = format!("the tests of {shell} did not run: {shell} is not installed");
            assert!(std::env::var_os("SVC_TEST_ALL").is_none(), "{sentence}");
            eprintln!("{sentence}");
            return None;
        }
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command(shell, home)).expect("the shell starts");
        let keys = pair.master.take_writer().expect("a writer");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                written.lock().expect("no test panics with it").extend(&chunk[..read]);
            }
        });
        let terminal = Self { _master: pair.master, keys, child, bytes };
        terminal.wait("the prompt", |screen| screen.line == "$ ");
        Some(terminal)
    }

    /// Types a line at a fresh prompt on an empty screen.
    pub fn types(&mut self, line: &str) -> &mut Self {
        self.keys(AFRESH);
        self.wait("an empty screen", |screen| screen.all == "$" && screen.line == "$ ");
        self.keys(line)
    }

    pub fn keys(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("keys go in");
        self
    }

    /// Waits until the line up to the cursor is this, spaces at its end counted.
    #[track_caller]
    pub fn has(&mut self, line: &str) {
        self.wait(&format!("{line:?}"), |screen| screen.line == format!("$ {line}"));
    }

    /// Waits until all these are on the screen below the line, in this order.
    #[track_caller]
    pub fn lists(&mut self, candidates: &[&str]) {
        self.wait(&format!("{candidates:?}"), |screen| {
            let mut rest = screen.all.as_str();
            candidates.iter().all(|candidate| match rest.split_once(candidate) {
                Some((_, after)) => {
                    rest = after;
                    true
                }
                None => false,
            })
        });
    }

    /// All that is on the screen.
    pub fn screen(&self) -> String {
        self.look().all
    }

    fn look(&self) -> Screen {
        let size = |number| NonZeroU16::new(number).expect("not nothing");
        let mut parser = vt100::Parser::new(size(40), size(120), 0);
        parser.process(&self.bytes.lock().expect("no test panics with it"));
        let screen = parser.screen();
        let (row, column) = screen.cursor_position();
        let line = screen.rows(0, column).nth(row.into()).unwrap_or_default();
        let line = format!("{line:<width$}", width = usize::from(column));
        let all = screen.contents();
        Screen { line, all: all.trim_end().to_owned() }
    }

    #[track_caller]
    fn wait(&self, what: &str, is_there: impl Fn(&Screen) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.look();
            if is_there(&screen) {
                return;
            }
            assert!(Instant::now() < end, "want {what}\nline {:?}\n{}", screen.line, screen.all);
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The line up to the cursor, and the whole screen.
struct Screen {
    line: String,
    all: String,
}

fn installed(shell: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(shell).exists())
}

fn command(shell: &str, home: &Home) -> CommandBuilder {
    let (file, text) = match shell {
        "bash" => ("rc.bash", "PS1='$ '; source <(svc completion bash)\n"),
        "zsh" => (
            ".zshrc",
            "autoload -Uz compinit && compinit -u -D; source <(svc completion zsh); PS1='$ '\n",
        ),
        _ => ("rc.fish", "function fish_prompt; printf '$ '; end; svc completion fish | source\n"),
    };
    let rc = home.path().join(file);
    std::fs::write(&rc, text).expect("a start-up file");
    let mut command = CommandBuilder::new(shell);
    match shell {
        "bash" => command.args(["--noprofile", "--rcfile"]),
        "zsh" => command.args(["-d", "-i"]),
        _ => command.args(["--no-config", "--init-command"]),
    }
    match shell {
        "bash" => command.arg(&rc),
        "zsh" => {}
        _ => command.arg(format!("source {}", rc.display())),
    }
    command.cwd(home.path());
    command.env_clear();
    for (name, value) in home.environment() {
        command.env(name, value);
    }
    command.env("TERM", "xterm");
    command
}
