//! `svc connect NAME [-- CMD…]`: a tunnel, and the program that uses it (interface §12).

mod program;
mod start;
mod tell;

use futures::future::select_all;
use tokio::time::Instant;

use crate::cli::Connect;
use crate::cluster::Cluster;
use crate::context::Context;
use crate::domain::connection::{Details, Tunnel, evaluate, tunnels};
use crate::domain::instance::State;
use crate::error::{Error, ErrorKind, Result};
use crate::helm::Signal;
use crate::ops::connect::{self as ops, Door};
use crate::ops::create::timeout;
use crate::ops::show::{self, Shown};
use start::Start;

/// Opens the tunnel, and runs what uses it.
///
/// # Errors
/// No such instance, nothing to connect to yet, no port that its class names, the local port is
/// taken; a tunnel that broke for good.
pub async fn run(args: Connect, context: &Context) -> Result<u8> {
    let cluster = context.cluster()?;
    if let Some(asked) = &args.timeout {
        cluster.answer_by(Some(Instant::now() + timeout(Some(asked), asked)?));
    }
    let machine = context.machine();
    let observer = context.observer_of(&machine, &args.name);
    let mask = context.face.out().mask();
    let shown = show::exact(cluster, &args.name, mask, &observer).await?;
    let tunnels = wanted(&shown)?;
    let doors = match ops::open(cluster, &tunnels, args.port).await {
        Err(error) if error.kind == ErrorKind::NotReady => {
            let shown = show::look(cluster, shown.stored, mask, &observer).await?;
            return Err(early(&shown, error));
        }
        opened => opened?,
    };
    cluster.answer_by(None);
    let details = through(&shown, &doors, mask);
    let start = start::choose(&args, &shown, &details, context)?;
    tell::opened(&shown, &doors, &details, &start, context)?;
    held(cluster, &doors, start, context).await
}

/// The tunnels that the class names.
fn wanted(shown: &Shown) -> Result<Vec<Tunnel>> {
    let name = &shown.stored.release.name;
    let connection = &shown.stored.record.connection;
    if connection.forward.is_empty() {
        let class = &shown.stored.record.class;
        return Err(Error::failed(format!("class {class} names no port to open a tunnel to"))
            .try_(format!("show {name}")));
    }
    tunnels(connection, &shown.stored.context(), &shown.details)
        .map_err(|error| Error::failed(format!("the class of {name} is broken: {error}")))
}

/// `mydb is starting; there is nothing to connect to yet`
fn early(shown: &Shown, why: Error) -> Error {
    let name = &shown.stored.release.name;
    let again = format!("wait {name} && svc connect {name}");
    match shown.state {
        State::Starting | State::Installing | State::Updating => {
            let state = shown.state;
            Error::not_ready(format!("{name} is {state}; there is nothing to connect to yet"))
                .try_(again)
        }
        State::Ready | State::Deployed => why.try_(again),
        state => Error::failed(format!("{name} is {state}: {why}")).try_(format!("show {name}")),
    }
}

/// The details as they are on this side of the tunnel.
fn through(shown: &Shown, doors: &[Door], mask: &str) -> Details {
    let stored = &shown.stored;
    let replaced = ops::replaced(doors);
    evaluate(&stored.record.connection, &stored.context(), &shown.sources, &replaced, mask)
}

/// Serves the doors until the program ends, or without one until Ctrl-C.
async fn held(cluster: &Cluster, doors: &[Door], start: Start, context: &Context) -> Result<u8> {
    let mut signals = context.catch_signals()?;
    let tell = |event| tell::event(event, &context.face);
    let served = select_all(doors.iter().map(|door| Box::pin(door.serve(cluster, &tell))));
    let Start::Program(program) = start else {
        return tokio::select! {
            (broken, ..) = served => Err(broken),
            signal = signals.recv() => Err(interrupted(signal)),
        };
    };
    let ended = program.run(&mut signals, context);
    let served = async {
        let (broken, ..) = served.await;
        context.face.warning(&broken.to_string());
        std::future::pending().await
    };
    tokio::select! {
        code = ended => code,
        () = served => Ok(1),
    }
}

fn interrupted(signal: Option<Signal>) -> Error {
    let kind = match signal {
        Some(Signal::Terminate) => ErrorKind::Terminated,
        _ => ErrorKind::Interrupted,
    };
    Error::new(kind, "interrupted; the tunnel is closed")
}
