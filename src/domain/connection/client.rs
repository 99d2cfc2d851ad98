//! The program that `svc connect` starts, and the ports it tunnels to.

use secrecy::SecretString;
use serde_json::Value as Json;

use super::detail::Details;
use super::evaluate::template_name;
use super::known_client::{filled, script};
use crate::domain::class::Connection;
use crate::domain::template::{Context, TemplateError, render};

/// A program with its arguments and environment, ready to start.
#[derive(Debug)]
pub struct ClientCommand {
    pub command: String,
    /// Nothing sensitive: arguments can be read by every user of a machine.
    pub args: Vec<String>,
    pub env: Vec<(String, SecretString)>,
    /// What a file must hold whose path stands for [`super::SCRIPT`] among the arguments.
    pub script: Option<SecretString>,
}

/// A port that `svc connect` opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunnel {
    pub name: String,
    pub service: String,
    pub port: u16,
}

/// The class's client, over the details as they are with the tunnel's host and port.
///
/// # Errors
/// A template that gives nothing; an argument that uses a sensitive detail.
pub fn client(
    connection: &Connection,
    context: &Context,
    details: &Details,
) -> Result<Option<ClientCommand>, TemplateError> {
    let Some(client) = &connection.client else { return Ok(None) };
    let text = |name: &str| details.get(name)?.known()?.reveal_text();
    if let Some((script, args)) = script(client, text("uri")) {
        let (command, script) = (client.command.clone(), Some(script.into()));
        return Ok(Some(ClientCommand { command, args, env: Vec::new(), script }));
    }
    let client = filled(client, |detail| text(detail).is_some());
    let all = with_details(context, details);
    let public = all.public();
    let args: Result<Vec<_>, _> = client.args.iter().map(|arg| render(arg, &public)).collect();
    let env: Result<Vec<_>, TemplateError> = client
        .env
        .iter()
        .map(|variable| {
            let value = render(&variable.value, &all).map_err(|error| error.of(&variable.name))?;
            Ok((variable.name.clone(), SecretString::from(value)))
        })
        .collect();
    Ok(Some(ClientCommand { command: client.command, args: args?, env: env?, script: None }))
}

/// The ports of the class, with their Services.
pub fn tunnels(
    connection: &Connection,
    context: &Context,
    details: &Details,
) -> Result<Vec<Tunnel>, TemplateError> {
    let public = with_details(context, details).public();
    connection
        .forward
        .iter()
        .map(|forward| {
            let service = render(&forward.service, &public).map_err(|e| e.of(&forward.name))?;
            Ok(Tunnel { name: forward.name.clone(), service, port: forward.port })
        })
        .collect()
}

/// What comes after the details sees: the context, and every detail that is text.
pub(crate) fn with_details(context: &Context, details: &Details) -> Context {
    let mut context = context.clone();
    for detail in &details.0 {
        let Some(text) = detail.known().and_then(|known| known.reveal_text()) else { continue };
        let name = template_name(&detail.name);
        context.set(&name, Json::String(text.to_owned()));
        if detail.sensitive {
            context.mark(&name);
        }
    }
    context
}
