//! Every form of question at a pseudo-terminal, as its screen shows it (interface §4).

mod interruptions;
mod lines;
mod menus;
mod secrets;
mod yes_and_no;

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(10);
/// Longer than the rest of a paste is waited for.
const AFTER_PASTE: Duration = Duration::from_millis(100);
const CTRL_C: &str = "\x03";
const DOWN: &str = "\x1b[B";

/// The example `ask` at a terminal of so many columns.
struct Asked {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    columns: u16,
}

impl Asked {
    fn new(columns: u16, arguments: &[&str]) -> Self {
        Self::after("", columns, arguments)
    }

    /// The example, started when these keys have been typed already.
    fn after(typed: &str, columns: u16, arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(example());
        command.args(arguments);
        command.env_clear();
        let mut keys = pair.master.take_writer().expect("a writer");
        keys.write_all(typed.as_bytes()).expect("keys go in");
        let child = pair.slave.spawn_command(command).expect("the example starts");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                written.lock().expect("no test panics with it").extend(&chunk[..read]);
            }
        });
        Self { master: pair.master, keys, child, bytes, reader: Some(reader), columns }
    }

    fn raw(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().expect("no test panics with it")).into_owned()
    }

    fn parsed(&self) -> vt100::Parser {
        let size = |number| NonZeroU16::new(number).expect("not nothing");
        let mut parser = vt100::Parser::new(size(24), size(self.columns), 0);
        parser.process(&self.bytes.lock().expect("no test panics with it"));
        parser
    }

    /// The screen, without spaces at the ends of lines.
    fn screen(&self) -> String {
        let contents = self.parsed().screen().contents();
        contents.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// Waits until something is on the screen.
    #[track_caller]
    fn begins(&self) -> &Self {
        let end = Instant::now() + PATIENCE;
        while self.screen().is_empty() {
            assert!(Instant::now() < end, "nothing is asked");
            thread::sleep(Duration::from_millis(5));
        }
        self
    }

    /// Waits until the screen is this.
    #[track_caller]
    fn shows(&self, expected: &str) -> &Self {
        let end = Instant::now() + PATIENCE;
        while self.screen() != expected {
            assert!(
                Instant::now() < end,
                "want\n{expected}\ngot\n{}\nraw {:?}",
                self.screen(),
                self.raw()
            );
            thread::sleep(Duration::from_millis(5));
        }
        self
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("keys go in");
        self
    }

    /// Waits for the end; gives the exit status.
    #[track_caller]
    fn ends(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                if let Some(reader) = self.reader.take() {
                    reader.join().expect("the reader ends with the terminal");
                }
                assert_eq!(status.signal(), None, "{}", self.raw());
                return status.exit_code();
            }
            assert!(Instant::now() < end, "still asking\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn signal(&self, signal: Signal) {
        let id = self.child.process_id().expect("it runs");
        let id = i32::try_from(id).expect("a process id");
        kill(Pid::from_raw(id), signal).expect("it takes signals");
    }

    fn cursor_is_shown(&self) -> bool {
        !self.parsed().screen().hide_cursor()
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folder = test.ancestors().nth(2).expect("target/debug");
    let path = folder.join("examples/ask");
    assert!(path.exists(), "cargo test builds the example ask; else: cargo build --example ask");
    path
}

fn wide(form: &str) -> Asked {
    Asked::new(80, &[form])
}

fn narrow(form: &str) -> Asked {
    Asked::new(40, &[form])
}
