//! Exact values: one detail, several, `env`, `dotenv`, `uri`; all or nothing (interface §9).

use crate::cli::Show;
use crate::context::Context;
use crate::domain::connection::{DetailState, Details, EvaluatedDetail, no_such_detail, refusal};
use crate::domain::connection_format::{self, FormatError, dotenv, env, lines, standard_prefix};
use crate::domain::suggest::nearest;
use crate::error::{Error, Result};
use crate::ops::show::Shown;
use crate::output::{Format, yaml};

/// Prints the named details: one as its exact bytes, several one to a line.
///
/// # Errors
/// No such detail, or one that has no value.
pub fn details(shown: &Shown, names: &[String], mask: bool, context: &Context) -> Result<u8> {
    let name = &shown.stored.release.name;
    let wanted = names.iter().map(|detail| find(shown, detail)).collect::<Result<Vec<_>>>()?;
    for detail in &wanted {
        available(name, detail, &names.join(" "), shown)?;
    }
    if let [one] = wanted.as_slice() {
        return exact_bytes(one, mask, context);
    }
    if mask {
        let known = wanted.iter().filter_map(|detail| detail.known());
        let text: String = known.map(|known| format!("{}\n", known.masked())).collect();
        return context.face.deliver(text).map(|()| 0);
    }
    let lines =
        lines(&wanted).map_err(|error| refused(&error).try_(format!("show {name} -o json")))?;
    context.face.deliver(lines.join("\n") + "\n").map(|()| 0)
}

/// A line break is added on a terminal only; bytes that are no text are refused there.
fn exact_bytes(detail: &EvaluatedDetail, mask: bool, context: &Context) -> Result<u8> {
    let Some(known) = detail.known() else { return context.face.deliver("").map(|()| 0) };
    let terminal = context.face.out().terminal;
    if terminal && !mask && known.reveal_text().is_none() {
        let name = &detail.name;
        return Err(Error::failed(format!("{name} is not text, and stdout is a terminal"))
            .advise("Send it to a file or a pipe."));
    }
    let mut bytes = if mask { known.masked().as_bytes().to_vec() } else { known.reveal().to_vec() };
    if terminal {
        bytes.push(b'\n');
    }
    context.face.deliver(bytes).map(|()| 0)
}

/// Prints all details as `env`, `dotenv`, `uri` or `secret`.
///
/// # Errors
/// A detail that has no value, or one that the format cannot hold.
pub fn format(shown: &Shown, format: Format, args: &Show, context: &Context) -> Result<u8> {
    let name = &shown.stored.release.name;
    if format == Format::Uri {
        let detail = find(shown, "uri")?;
        available(name, detail, "-o uri", shown)?;
        let text = detail.known().map(|known| match (args.mask, known.reveal_text()) {
            (true, _) => Ok(known.masked().to_owned()),
            (false, Some(text)) => Ok(text.to_owned()),
            (false, None) => Err(Error::failed("uri holds bytes that are not text")
                .try_(format!("show {name} -o json"))),
        });
        return context.face.deliver(text.transpose()?.unwrap_or_default() + "\n").map(|()| 0);
    }
    for detail in &shown.details.0 {
        available(name, detail, &format!("-o {}", format.word()), shown)?;
    }
    if format == Format::Secret {
        // Not the instance's name: the chart's own Secret may have it, and would be overwritten.
        let secret = format!("{name}-connection");
        let connection = &shown.stored.record.connection;
        let secret = connection_format::secret(connection, &shown.details, &secret, args.mask);
        return context.face.deliver(yaml(&secret)?).map(|()| 0);
    }
    let prefix = args.prefix.clone().unwrap_or_else(|| standard_prefix(name));
    let masked;
    let details = if args.mask {
        masked = shown.details.masked();
        &masked
    } else {
        &shown.details
    };
    let lines = match format {
        Format::Env => env(details, &prefix),
        _ => dotenv(details, &prefix),
    };
    let lines = lines.map_err(|error| refused(&error).try_(format!("show {name} -o json")))?;
    context.face.deliver(lines.join("\n") + "\n").map(|()| 0)
}

fn refused(error: &FormatError) -> Error {
    Error::failed(error.reason.clone())
}

fn find<'a>(shown: &'a Shown, detail: &str) -> Result<&'a EvaluatedDetail> {
    shown
        .details
        .get(detail)
        .ok_or_else(|| unknown(&shown.stored.release.name, &shown.details, detail))
}

fn unknown(name: &str, details: &Details, detail: &str) -> Error {
    let names: Vec<&str> = details.names().collect();
    let error = no_such_detail(details, name, detail);
    match nearest(detail, names.iter().copied()) {
        Some(near) if names.len() > 12 => error.try_(format!("show {name} {near}")),
        _ => error,
    }
}

/// Why a detail has no value yet, in the words and with the exit status of interface §9.
fn available(name: &str, detail: &EvaluatedDetail, asked: &str, shown: &Shown) -> Result<()> {
    let namespace = &shown.stored.release.namespace;
    let refused = match &detail.state {
        DetailState::Broken(reason) => Some(broken(name, detail, reason, shown)),
        _ => refusal(detail, name, namespace, &format!("show {name} {asked}")),
    };
    refused.map_or(Ok(()), Err)
}

fn broken(name: &str, detail: &EvaluatedDetail, reason: &str, shown: &Shown) -> Error {
    let error = Error::failed(format!("detail {} of {name} cannot be made: {reason}", detail.name));
    match shown.outdated {
        Some(true) => error.try_for(format!("upgrade {name}"), "its class has changed since"),
        _ => error.advise("Only the operations team of its class can repair it."),
    }
}
