//! A program at a pseudo-terminal: keys go in, and what the screen shows is compared.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a cluster may take for what a screen waits for.
const PATIENCE: Duration = Duration::from_secs(120);
pub const CTRL_C: &str = "\x03";
pub const DOWN: &str = "\x1b[B";

/// A running program and its screen.
pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    /// How wide it is from which byte on.
    widths: Vec<(usize, u16)>,
}

/// More rows than any command prints, so that nothing scrolls away.
const ROWS: u16 = 60;

impl Terminal {
    /// Starts a program at 80 columns; all its streams are the terminal.
    pub fn start(command: CommandBuilder) -> Self {
        Self::start_after("", 80, command)
    }

    /// Starts a program at so many columns, when these keys have been typed already.
    pub fn start_after(typed: &str, columns: u16, command: CommandBuilder) -> Self {
        let size = PtySize { rows: ROWS, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut keys = pair.master.take_writer().expect("a writer");
        keys.write_all(typed.as_bytes()).expect("keys go in");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                written.lock().expect("no test panics with it").extend(&chunk[..read]);
            }
        });
        Self {
            master: pair.master,
            keys,
            child,
            bytes,
            reader: Some(reader),
            widths: vec![(0, columns)],
        }
    }

    /// Everything that was written, with its control sequences.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().expect("no test panics with it")).into_owned()
    }

    fn parsed(&self) -> vt100::Parser {
        let size = |number| NonZeroU16::new(number).expect("not nothing");
        let mut parser = vt100::Parser::new(size(ROWS), size(self.widths[0].1), 0);
        let bytes = self.bytes.lock().expect("no test panics with it");
        let ends = self.widths.iter().skip(1).map(|(start, _)| *start).chain([bytes.len()]);
        for ((start, columns), end) in self.widths.iter().zip(ends) {
            if *start > 0 {
                parser = reflowed(&parser, *columns);
            }
            parser.process(&bytes[*start..end]);
        }
        parser
    }

    /// Makes the terminal as wide as that; its program gets a SIGWINCH.
    pub fn resize(&mut self, columns: u16) {
        let size = PtySize { rows: ROWS, cols: columns, pixel_width: 0, pixel_height: 0 };
        let written = self.bytes.lock().expect("no test panics with it").len();
        self.widths.push((written, columns));
        self.master.resize(size).expect("a terminal has a size");
    }

    /// The screen, without spaces at the ends of lines.
    pub fn screen(&self) -> String {
        let contents = self.parsed().screen().contents();
        contents.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// The beginnings of lines that are wider than the terminal, which broke them.
    pub fn broken_lines(&self) -> Vec<String> {
        let parser = self.parsed();
        let screen = parser.screen();
        let rows = screen.rows(0, screen.size().1.get()).zip(0..);
        rows.filter(|(_, row)| screen.row_wrapped(*row)).map(|(text, _)| text).collect()
    }

    /// Waits until the screen holds this.
    #[track_caller]
    pub fn until(&self, text: &str) -> &Self {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Waits until the screen ends with this, as an open question does.
    #[track_caller]
    pub fn asks(&self, text: &str) -> &Self {
        self.wait(text, |screen| screen.ends_with(text))
    }

    /// Waits until something is on the screen.
    #[track_caller]
    pub fn begins(&self) -> &Self {
        self.wait("anything", |screen| !screen.is_empty())
    }

    /// Waits until the screen is this.
    #[track_caller]
    pub fn shows(&self, expected: &str) -> &Self {
        self.wait(expected, |screen| screen == expected)
    }

    /// The same; `mask` evens out what differs from run to run.
    #[track_caller]
    pub fn shows_masked(&self, expected: &str, mask: impl Fn(&str) -> String) -> &Self {
        self.wait(expected, |screen| mask(screen) == mask(expected))
    }

    /// Waits until the screen is another than before.
    #[track_caller]
    pub fn changes(&self, before: &str) -> &Self {
        self.wait("another screen", |screen| screen != before)
    }

    #[track_caller]
    fn wait(&self, wanted: &str, seen: impl Fn(&str) -> bool) -> &Self {
        let end = Instant::now() + PATIENCE;
        loop {
            let over = self.is_over() || Instant::now() > end;
            let screen = self.screen();
            if seen(&screen) {
                return self;
            }
            assert!(!over, "want\n{wanted}\ngot\n{screen}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether nothing more can come onto the screen.
    fn is_over(&self) -> bool {
        self.reader.as_ref().is_none_or(JoinHandle::is_finished)
    }

    pub fn keys(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("keys go in");
        self
    }

    /// Waits for the end; gives the exit status.
    #[track_caller]
    pub fn ends(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                if let Some(reader) = self.reader.take() {
                    reader.join().expect("the reader ends with the terminal");
                }
                assert_eq!(status.signal(), None, "{}", self.raw());
                return status.exit_code();
            }
            assert!(Instant::now() < end, "still running\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn signal(&self, signal: Signal) {
        let id = self.child.process_id().expect("it runs");
        let id = i32::try_from(id).expect("a process id");
        kill(Pid::from_raw(id), signal).expect("it takes signals");
    }

    pub fn cursor_is_shown(&self) -> bool {
        !self.parsed().screen().hide_cursor()
    }
}

/// The screen at another width: as most terminals do, lines that are too long for it are broken
/// into more rows, broken ones are joined, and the cursor stays where it was in its line.
fn reflowed(before: &vt100::Parser, columns: u16) -> vt100::Parser {
    let screen = before.screen();
    let (cursor_row, cursor_column) = screen.cursor_position();
    let width = screen.size().1.get();
    let (mut lines, mut cursor, mut goes_on) = (Vec::<String>::new(), (0, 0), false);
    for (row, at) in screen.rows(0, width).zip(0..) {
        if !goes_on {
            lines.push(String::new());
        }
        let number = lines.len() - 1;
        let column = usize::from(if at == cursor_row { cursor_column } else { 0 });
        if at == cursor_row {
            cursor = (number, lines[number].chars().count() + column);
        }
        goes_on = screen.row_wrapped(at);
        let least = if goes_on { usize::from(width) } else { column };
        lines[number] += &format!("{row:<least$}");
    }
    let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or(0).max(cursor.0);
    let size = |number| NonZeroU16::new(number).expect("not nothing");
    let mut after = vt100::Parser::new(size(ROWS), size(columns), 0);
    after.process(lines[..=last].join("\r\n").as_bytes());
    let columns = usize::from(columns);
    let rows = lines[..cursor.0].iter().map(|line| line.chars().count().div_ceil(columns).max(1));
    let (row, column) = (rows.sum::<usize>() + cursor.1 / columns, cursor.1 % columns);
    let shown = if screen.hide_cursor() { "\x1b[?25l" } else { "" };
    after.process(format!("\x1b[{};{}H{shown}", row + 1, column + 1).as_bytes());
    after
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
