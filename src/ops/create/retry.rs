//! The one way out of a half-made new instance (interface §6).

use std::time::Duration;

use tokio::time::Instant;

use super::existing::{
    at_rest, half_changed, half_made, leaving_of_name, runs_already, still_leaving,
};
use super::{Ground, Offer, install};
use crate::cluster::Cluster;
use crate::domain::answers::{Kept, Moving};
use crate::domain::class::Plan;
use crate::domain::instance::{Revision, Status};
use crate::domain::name::InstanceName;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::record::Origin;
use crate::domain::state::Observer;
use crate::error::{Error, Result};
use crate::helm::{Helm, Signals};
use crate::ops::change::preview::{self, Before, Rendered};
use crate::ops::change::{Verb, objects_of, stays_inside};
use crate::ops::delete::{gone, uninstall};
use crate::ops::deploy::{Engine, Order, Prepared};
use crate::ops::instance::{self, Stored};
use crate::ops::rights::place::places;

/// How a half-made instance is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// There is nothing of it: it is made as any other.
    Fresh,
    /// The first revision failed: another one follows it, and what it made stays.
    Again { follows: u32 },
    /// It was cut off: what is there goes, and it is made anew.
    Anew,
}

/// What is half made, and how it is finished.
#[derive(Debug)]
pub struct Half {
    pub way: Way,
    /// What the half-made revision remembers.
    pub stored: Option<Stored>,
}

/// Looks at what is there; `empty`: its volumes are to go, `reused`: they are to stay.
///
/// # Errors
/// Someone works on it, it is whole, or it is not said what becomes of its volumes.
pub async fn look(
    cluster: &Cluster,
    name: &InstanceName,
    ground: &Ground,
    (reused, empty): (bool, bool),
    observer: &Observer<'_>,
) -> Result<Half> {
    let left = leaving_of_name(cluster, ground, name).await?;
    if !left.is_empty() {
        let error = still_leaving(name.as_str(), &cluster.namespace, &left, observer.now);
        return Err(error.try_for(format!("wait {name} --for deleted"), "until it is gone"));
    }
    let Some(newest) = ground.revisions.first() else {
        return Ok(Half { way: Way::Fresh, stored: None });
    };
    at_rest(newest, observer)?;
    let revisions = instance::revisions(cluster, name.as_str()).await?;
    // Of what cannot be read it cannot be said that it is whole.
    let stored = instance::read_record(cluster, revisions).await?;
    let way = way(&ground.revisions, newest, name, empty, observer)?;
    if way == Way::Anew && !ground.volumes.is_empty() && !reused && !empty {
        return Err(half_made(newest, &ground.volumes, observer.now));
    }
    if way == Way::Anew {
        stays_inside(&objects_of(&stored)?, &stored, &format!("delete {name}"))?;
    }
    Ok(Half { way, stored: Some(stored) })
}

fn way(
    revisions: &[Revision],
    newest: &Revision,
    name: &InstanceName,
    empty: bool,
    observer: &Observer<'_>,
) -> Result<Way> {
    let namespace = &newest.namespace;
    if runs_already(revisions) {
        return Err(match newest.status {
            Status::Deployed | Status::Superseded | Status::Unknown => {
                Error::failed(format!("{name} is whole already in namespace {namespace}"))
                    .try_for(format!("show {name}"), "connect to it")
            }
            _ => half_changed(newest, observer.now),
        });
    }
    match newest.status {
        Status::Failed if !empty => Ok(Way::Again { follows: newest.number }),
        _ => Ok(Way::Anew),
    }
}

impl Half {
    /// The answers that are kept. Where the data goes too, what is generated is made anew.
    pub fn kept(&self, parameters: &mut [EffectiveParameter], empty: bool) -> Kept {
        let Some(stored) = &self.stored else { return Kept::default() };
        let config = &stored.release.config;
        let complete = !stored.record_is_todays;
        let mut kept =
            Kept::of_record(&stored.record, config, complete, parameters, Moving::Nothing);
        // Nothing runs that could not change.
        parameters.iter_mut().for_each(|parameter| parameter.present = None);
        if empty {
            kept.not_generated.clear();
            kept.answers.retain(|_, answer| answer.origin != Origin::Generated);
        }
        kept
    }

    /// The plan of the half-made revision.
    pub fn plan(&self) -> Option<&str> {
        self.stored.as_ref()?.record.plan.as_deref()
    }

    /// The class of the half-made revision.
    pub fn class(&self) -> Option<&str> {
        self.stored.as_ref().map(|stored| stored.record.class.as_str())
    }

    /// Asks helm and the API server what finishing it would make; nothing is made.
    ///
    /// # Errors
    /// helm fails, or the server would refuse an object.
    pub async fn preview(
        &self,
        engine: Engine<'_>,
        order: &Order<'_>,
        prepared: &Prepared,
        signals: &mut Signals,
    ) -> Result<Rendered> {
        let made = self.stored.as_ref().map(objects_of).transpose()?.unwrap_or_default();
        let there = preview::that_exist(engine.cluster, made).await?;
        if let Way::Again { .. } = self.way {
            let before = Before { objects: &there, revisions: 1, pending: false };
            return preview::preview(engine, order, prepared, before, Verb::Create, signals).await;
        }
        install::preview(engine, order, prepared, &there, signals).await
    }

    /// Takes away what was cut off.
    ///
    /// # Errors
    /// helm failed, or someone else works on it.
    pub async fn clear(
        &self,
        cluster: &Cluster,
        helm: &Helm,
        name: &str,
        timeout: Duration,
        signals: &mut Signals,
    ) -> Result<()> {
        if self.way != Way::Anew {
            return Ok(());
        }
        let deadline = Instant::now() + timeout;
        let made = self.stored.as_ref().map(objects_of).transpose()?.unwrap_or_default();
        let places = places(cluster, &made, &cluster.namespace).await?;
        uninstall(cluster, helm, name, deadline, signals).await?;
        // helm would take an object that is on its way out for its own.
        gone::objects(cluster, name, &places, deadline).await
    }
}

/// Whether the offer is the class that is half made.
///
/// # Errors
/// It is another one.
pub fn same_class(half: &Half, offer: &Offer, name: &InstanceName) -> Result<()> {
    match half.class() {
        Some(class) if class != offer.class.name => {
            Err(Error::failed(format!("{name} is half made as another class: {class}"))
                .try_for(format!("create {name} --retry"), "finish it, same answers")
                .try_for(format!("delete {name}"), "remove what is there"))
        }
        _ => Ok(()),
    }
}

/// The plan to use: what was asked for, else that of the half-made revision.
pub fn plan_name(asked: Option<&str>, half: &Half, plans: &[Plan]) -> Option<String> {
    let recorded = half.plan().filter(|name| plans.iter().any(|plan| plan.name == **name));
    asked.or(recorded).map(str::to_owned)
}
