//! One port on this machine, and the connections through it.

use std::cell::RefCell;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::carry::{End, carry};
use crate::cluster::{Cluster, Forwarded, Found};
use crate::domain::connection::Tunnel;
use crate::domain::endpoint::{PodPort, PortOfService};
use crate::error::{Error, ErrorKind, Result, cause_words};

/// Between two looks for the pod that comes after one that is gone.
const PAUSE: Duration = Duration::from_millis(500);

/// How long a pod that was ready counts as ready.
const FRESH: Duration = Duration::from_secs(1);
/// How often a connection is tried where the server fails.
const TRIES: usize = 4;

/// A listening port.
pub struct Door {
    /// What the class calls it.
    pub name: String,
    pub to: PortOfService,
    /// Where programs of this machine connect.
    pub address: SocketAddr,
    listener: TcpListener,
    namespace: String,
    pod: RefCell<Behind>,
    /// One connection looks for a new pod, the others wait for it.
    looking: Mutex<()>,
}

/// The pod that gets the next connection.
struct Behind {
    pod: PodPort,
    /// When it was ready last; `None`: it ended a connection, and may have been replaced.
    seen: Option<Instant>,
}

impl Behind {
    fn seen_now(pod: PodPort) -> Self {
        Self { pod, seen: Some(Instant::now()) }
    }

    /// A pod that has gone is not always seen by those who connect to the one after it.
    fn is_doubtful(&self) -> bool {
        self.seen.is_none_or(|seen| seen.elapsed() > FRESH)
    }
}

/// What is told while doors are open.
#[derive(Debug)]
pub enum Event {
    /// A pod of this name has come in the place of one that is gone.
    Replaced(String),
    /// A connection could not be made.
    Refused(Error),
    /// A connection to this pod broke, in the server's words.
    Broken { pod: String, says: String },
}

impl Door {
    /// Listens for a tunnel, where something ready is behind it.
    pub(super) async fn open(
        cluster: &Cluster,
        tunnel: &Tunnel,
        port: Option<u16>,
    ) -> Result<Self> {
        let to = PortOfService { service: tunnel.service.clone(), port: tunnel.port };
        let namespace = cluster.namespace.clone();
        let pod = cluster.pod_behind(&namespace, &to).await?;
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or_default()));
        let (listener, address) = listen(wanted).await.map_err(|error| taken(wanted, &error))?;
        let pod = RefCell::new(Behind::seen_now(pod));
        let (name, looking) = (tunnel.name.clone(), Mutex::default());
        Ok(Self { name, to, address, listener, namespace, pod, looking })
    }

    /// Serves connections until it is dropped; the error says why there will be none any more.
    pub async fn serve(&self, cluster: &Cluster, tell: &dyn Fn(Event)) -> Error {
        let mut open = FuturesUnordered::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((local, _)) => open.push(self.connection(cluster, local, tell)),
                    // Out of descriptors: those that end give theirs back.
                    Err(_) => sleep(PAUSE).await,
                },
                Some(ended) = open.next() => if let Err(error) = ended { return error },
            }
        }
    }

    /// # Errors
    /// There is nothing behind the door any more.
    async fn connection(
        &self,
        cluster: &Cluster,
        local: TcpStream,
        tell: &dyn Fn(Event),
    ) -> Result<()> {
        // What is typed is answered at once.
        let _ = local.set_nodelay(true);
        let Some((remote, pod)) = self.reach(cluster, tell).await? else { return Ok(()) };
        let end = carry(local, remote).await;
        if end == End::ByUs {
            return Ok(());
        }
        self.pod.borrow_mut().seen = None;
        self.find_again(cluster, tell).await?;
        if let End::Broken(says) = end
            && self.pod.borrow().pod.uid == pod.uid
        {
            tell(Event::Broken { pod: pod.pod, says });
        }
        Ok(())
    }

    /// A connection to the pod behind the door, which may be another one than before.
    async fn reach(
        &self,
        cluster: &Cluster,
        tell: &dyn Fn(Event),
    ) -> Result<Option<(Forwarded, PodPort)>> {
        let mut tries = TRIES;
        loop {
            self.find_again(cluster, tell).await?;
            let pod = self.pod.borrow().pod.clone();
            let refused = match cluster.forward(&self.namespace, &pod).await {
                Ok(Found::Here(remote)) => return Ok(Some((remote, pod))),
                Ok(Found::Forbidden(error)) => *error,
                Err(error) => error,
                Ok(Found::Missing) => {
                    self.pod.borrow_mut().seen = None;
                    continue;
                }
            };
            tries -= 1;
            if tries == 0 || !refused.may_pass {
                tell(Event::Refused(refused));
                return Ok(None);
            }
            // A pod that is just leaving is a failure of the server, in its words.
            self.pod.borrow_mut().seen = None;
            sleep(PAUSE).await;
        }
    }

    /// Looks until a pod is ready behind the door again, where there is doubt.
    async fn find_again(&self, cluster: &Cluster, tell: &dyn Fn(Event)) -> Result<()> {
        let _one = self.looking.lock().await;
        while self.pod.borrow().is_doubtful() {
            match cluster.pod_behind(&self.namespace, &self.to).await {
                Ok(pod) => {
                    let before = self.pod.replace(Behind::seen_now(pod.clone()));
                    if before.pod.uid != pod.uid {
                        tell(Event::Replaced(before.pod.pod));
                    }
                }
                Err(error) if error.kind == ErrorKind::NotReady || error.may_pass => {
                    sleep(PAUSE).await;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

async fn listen(wanted: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(wanted).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

fn taken(wanted: SocketAddr, error: &io::Error) -> Error {
    let port = wanted.port();
    match error.kind() {
        io::ErrorKind::AddrInUse => Error::failed(format!("port {port} is in use"))
            .advise("Without --port a free one is taken."),
        io::ErrorKind::PermissionDenied => {
            Error::failed(format!("not allowed to listen on port {port}"))
                .advise("Without --port a free one is taken.")
        }
        _ => Error::failed(format!("cannot listen on {wanted}: {}", cause_words(error))),
    }
}
