//! What is said of a tunnel.

use super::start::Start;
use crate::commands::show::report::details_text;
use crate::context::Context;
use crate::domain::connection::Details;
use crate::error::Result;
use crate::ops::connect::{Door, Event};
use crate::ops::show::Shown;
use crate::output::Face;

/// Where the tunnel is, and when it closes; without a program the details through it, masked.
///
/// # Errors
/// stdout cannot be written.
pub(super) fn opened(
    shown: &Shown,
    doors: &[Door],
    details: &Details,
    start: &Start,
    context: &Context,
) -> Result<()> {
    let face = &context.face;
    let closes = match start {
        Start::Program(program) => format!("; it closes with {}", program.name),
        Start::Tunnel(why) => {
            let why = why.as_ref().map(|why| format!("{why}; ")).unwrap_or_default();
            face.echo(&format!("{why}the tunnel is open until Ctrl-C"));
            String::new()
        }
    };
    for door in doors {
        let (service, port) = (&door.to.service, door.to.port);
        face.echo(&format!("tunnel {} -> {service}:{port}{closes}", door.address));
    }
    for name in around(shown, details) {
        face.note(&format!("{name} names the address inside the cluster, not the tunnel's"));
    }
    match start {
        Start::Program(_) => Ok(()),
        Start::Tunnel(_) => face.deliver(details_text(details, true, face.out())),
    }
}

/// Details that come from the chart as a whole, with the host in them.
fn around<'a>(shown: &Shown, details: &'a Details) -> Vec<&'a str> {
    let host = shown.details.get("host").and_then(|host| host.known()?.reveal_text());
    let Some(host) = host.filter(|host| !host.is_empty()) else { return Vec::new() };
    let holds = |text: &str| text.contains(host);
    let known = details
        .0
        .iter()
        .filter(|detail| detail.known().and_then(|known| known.reveal_text()).is_some_and(holds));
    known.map(|detail| detail.name.as_str()).collect()
}

/// What happens while the tunnel is open.
pub(super) fn event(event: Event, face: &Face) {
    match event {
        Event::Replaced(pod) => face.note(&format!("pod {pod} was replaced; tunnel is back")),
        Event::Refused(error) => {
            let says = error.facts.iter().find(|fact| fact.name == "says");
            let says = says.map(|fact| format!(": {}", fact.value)).unwrap_or_default();
            face.warning(&format!("{error}{says}"));
        }
        Event::Broken { pod, says } => {
            face.warning(&format!("a connection to pod {pod} broke: {says}"));
        }
    }
}
