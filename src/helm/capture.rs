//! What helm prints, read as it comes and capped.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;

/// The first and the last bytes of a stream; those between are counted, not kept.
#[derive(Debug, Default)]
pub(super) struct Capped {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
    limit: usize,
}

/// A stream that is being read.
#[derive(Debug)]
pub(super) struct Capture {
    content: Arc<Mutex<Capped>>,
    reader: JoinHandle<()>,
}

impl Capped {
    /// At most `limit` bytes of the beginning and as many of the end.
    fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.limit - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.limit);
        self.tail.drain(..surplus);
        self.dropped += surplus as u64;
    }

    /// The text, and whether something is missing in the middle.
    fn text(&self) -> (String, bool) {
        let mut bytes = self.head.clone();
        if self.dropped > 0 {
            bytes.extend_from_slice(b"\n\xe2\x80\xa6\n");
        }
        bytes.extend(&self.tail);
        (String::from_utf8_lossy(&bytes).into_owned(), self.dropped > 0)
    }
}

impl Capture {
    /// Reads the stream to its end in the background.
    pub(super) fn start(stream: impl AsyncRead + Unpin + Send + 'static, limit: usize) -> Self {
        let content = Arc::new(Mutex::new(Capped::new(limit)));
        let reader = tokio::spawn(drain(stream, Arc::clone(&content)));
        Self { content, reader }
    }

    /// Waits for the end of the stream, at most this long: a login helper that helm left running
    /// may hold it open for ever.
    pub(super) async fn finish(mut self, patience: std::time::Duration) -> (String, bool) {
        if tokio::time::timeout(patience, &mut self.reader).await.is_err() {
            self.reader.abort();
        }
        self.content.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

async fn drain(mut stream: impl AsyncRead + Unpin, content: Arc<Mutex<Capped>>) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        content.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_whole() {
        let mut capped = Capped::new(4);
        capped.push(b"ab");
        capped.push(b"cdefgh");
        assert_eq!(capped.text(), ("abcdefgh".to_owned(), false));
    }

    #[test]
    fn the_middle_goes_first() {
        let mut capped = Capped::new(3);
        for chunk in [&b"abcd"[..], b"efgh", b"i"] {
            capped.push(chunk);
        }
        assert_eq!(capped.text(), ("abc\n…\nghi".to_owned(), true));
    }

    #[tokio::test]
    async fn an_open_stream_is_waited_for_only_so_long() {
        let (mut writer, reader) = tokio::io::duplex(64);
        tokio::io::AsyncWriteExt::write_all(&mut writer, b"half").await.unwrap();
        let capture = Capture::start(reader, 1024);
        let (text, truncated) = capture.finish(std::time::Duration::from_millis(50)).await;
        assert_eq!((text.as_str(), truncated), ("half", false));
    }
}
