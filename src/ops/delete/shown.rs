//! What goes is what was shown: an instance is looked at once more before it goes, when nobody
//! else can work on it, and its volumes again when it is gone.

use jiff::Timestamp;

use super::outlook::{Outlook, search, volumes_of};
use crate::cluster::{Claim, Cluster, Found};
use crate::domain::instance::{Revision, label};
use crate::domain::leftovers::Volume;
use crate::error::{Error, Result};

/// The revision that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    number: u32,
    stored: Timestamp,
    made: Option<String>,
}

impl Identity {
    pub fn of(newest: &Revision) -> Self {
        Self {
            number: newest.number,
            stored: newest.created,
            made: newest.labels.get(label::CREATED).cloned(),
        }
    }
}

/// Whether the release is still there; passes when nothing is there that was not shown.
///
/// # Errors
/// Another revision, another instance of the name, another volume; what keeps an answer away.
pub(super) async fn check(cluster: &Cluster, outlook: &Outlook) -> Result<bool> {
    let name = &outlook.name;
    let revisions = cluster.revisions_of(&cluster.namespace, name).await?;
    let now = revisions.first().map(Identity::of);
    if let Some(now) = &now {
        same(name, outlook.shown.as_ref(), now)?;
    }
    let appeared = appeared(cluster, outlook).await?;
    if appeared.is_empty() {
        return Ok(now.is_some());
    }
    let error = changed(name, "was changed by someone else meanwhile");
    Err(appeared.iter().fold(error, |error, volume| error.fact("new", volume.shown())))
}

fn same(name: &str, shown: Option<&Identity>, now: &Identity) -> Result<()> {
    match shown {
        Some(shown) if shown == now => Ok(()),
        Some(shown) if shown.made == now.made => {
            let between = format!("revision {}, after revision {}", now.number, shown.number);
            Err(changed(name, "was changed by someone else meanwhile").fact("between", between))
        }
        Some(_) => Err(changed(name, "was deleted and made anew meanwhile")),
        None => Err(changed(name, "was made anew meanwhile")),
    }
}

fn changed(name: &str, how: &str) -> Error {
    Error::failed(format!("{name} {how}; nothing was deleted"))
        .try_for(format!("delete {name} --dry-run"), "what would go now")
}

/// The volumes that are there now and were not when the instance was shown. None where volumes
/// may not be listed: that was said then.
///
/// # Errors
/// What keeps an answer away.
pub(super) async fn appeared(cluster: &Cluster, outlook: &Outlook) -> Result<Vec<Volume>> {
    let Found::Here(mut claims) = cluster.claims(&cluster.namespace, "").await? else {
        return Ok(Vec::new());
    };
    let was_shown = |claim: &Claim| {
        let same = outlook.claims.iter().any(|before| before.uid == claim.uid);
        same && outlook.volumes.iter().any(|shown| shown.name == claim.name)
    };
    claims.retain(|claim| !was_shown(claim));
    let search = search(&outlook.name, &outlook.objects, outlook.selector.as_deref());
    Ok(volumes_of(cluster, &claims, &search).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(number: u32, second: i64, made: &str) -> Identity {
        let stored = Timestamp::from_second(second).unwrap();
        Identity { number, stored, made: Some(made.to_owned()) }
    }

    #[test]
    fn only_what_was_shown_passes() {
        let shown = identity(2, 20, "10");
        let says = |shown: Option<&Identity>, now: Identity| {
            same("mydb", shown, &now).map_err(|error| error.message)
        };
        assert_eq!(says(Some(&shown), shown.clone()), Ok(()));
        let changed = "mydb was changed by someone else meanwhile; nothing was deleted";
        assert_eq!(says(Some(&shown), identity(3, 30, "10")).unwrap_err(), changed);
        let anew = "mydb was deleted and made anew meanwhile; nothing was deleted";
        assert_eq!(says(Some(&shown), identity(2, 20, "15")).unwrap_err(), anew);
        let again = "mydb was made anew meanwhile; nothing was deleted";
        assert_eq!(says(None, shown.clone()).unwrap_err(), again);
    }
}
