//! The bytes of one connection, both ways.

use std::cell::Cell;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, ReadHalf, copy, split};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::cluster::Forwarded;

/// How long the pod may be silent after the program here has said its last word. The pod cannot
/// be told of that: the server's websockets have no half-closed streams.
const SILENCE: Duration = Duration::from_secs(10);
/// As much as the server sends in one message.
const PIECE: usize = 32 << 10;

/// How a connection ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The program here closed it.
    ByUs,
    /// The program in the pod closed it.
    ByPod,
    /// The server says why it broke.
    Broken(String),
}

/// Carries bytes until one side has ended.
pub(super) async fn carry(local: TcpStream, remote: Forwarded) -> End {
    let Forwarded { stream, broken, open } = remote;
    let (mut from_us, mut to_us) = local.into_split();
    let (mut from_pod, mut to_pod) = split(stream);
    let last_word = LastWord::default();
    let up = async {
        // The pod's side ending is seen below.
        let _ = copy(&mut from_us, &mut to_pod).await;
        last_word.said();
        std::future::pending().await
    };
    let broken = async {
        match broken.await {
            Some(says) => End::Broken(says),
            None => std::future::pending().await,
        }
    };
    let end = tokio::select! {
        end = down(&mut from_pod, &mut to_us, &last_word) => end,
        end = broken => end,
        end = up => end,
    };
    drop(open);
    end
}

async fn down<T: tokio::io::AsyncRead>(
    from_pod: &mut ReadHalf<T>,
    to_us: &mut OwnedWriteHalf,
    last_word: &LastWord,
) -> End {
    let mut piece = vec![0; PIECE];
    loop {
        let count = tokio::select! {
            count = from_pod.read(&mut piece) => count.unwrap_or_default(),
            () = last_word.silence() => return End::ByUs,
        };
        if count == 0 {
            let _ = to_us.shutdown().await;
            return if last_word.was_said() { End::ByUs } else { End::ByPod };
        }
        if to_us.write_all(&piece[..count]).await.is_err() {
            return End::ByUs;
        }
    }
}

/// Whether the program here has closed its half.
#[derive(Default)]
struct LastWord {
    said: Cell<bool>,
    told: Notify,
}

impl LastWord {
    fn said(&self) {
        self.said.set(true);
        self.told.notify_one();
    }

    fn was_said(&self) -> bool {
        self.said.get()
    }

    /// Ends where nothing comes for too long after it.
    async fn silence(&self) {
        if !self.was_said() {
            self.told.notified().await;
        }
        sleep(SILENCE).await;
    }
}
