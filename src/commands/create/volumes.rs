//! Volumes that an earlier instance left: named first, then used again or deleted.

use std::time::Duration;

use super::job::Job;
use crate::commands::report::plan::PlannedVolume;
use crate::domain::leftovers::{Reused, reused};
use crate::domain::value::Value;
use crate::error::{Error, ErrorKind, Result};
use crate::helm::Helm;
use crate::ops::create::retry::Way;
use crate::ops::watch::Limit;

impl Job<'_> {
    /// Data is never deleted, nor met by a new password, without being named first.
    pub(super) fn tell_of_volumes(&self) {
        let face = &self.context.face;
        let name = &self.name;
        if !self.ground.volumes_readable {
            face.warning(&format!(
                "volumes may not be listed: data that an earlier {name} left would be used again"
            ));
        }
        for claim in &self.ground.volumes {
            let size = claim.size.as_ref().map(|size| format!(", {size}")).unwrap_or_default();
            let volume = format!("volume {}{size}", claim.name);
            face.warning(&if self.args.delete_data {
                format!("{volume} goes, AND THE DATA IN IT")
            } else {
                format!("{volume} is used again; its data keeps the passwords it was made with")
            });
        }
    }

    /// Volumes that are used again keep their size. A default gives way to it, so that the chart,
    /// the record and the volume say the same, and go on to when it is changed; what somebody has
    /// named stays, and the summary says what will be.
    ///
    /// # Errors
    /// Ctrl-C while helm works.
    pub(super) async fn meet_volumes(&mut self, helm: &Helm, timeout: Duration) -> Result<()> {
        if self.args.delete_data || self.ground.volumes.is_empty() {
            return Ok(());
        }
        let found = self.of_another_size(helm, timeout).await?;
        let before = self.asked.answers.clone();
        let taken = self.take_up(&found);
        self.asked.reused = found;
        if taken.is_empty() {
            return Ok(());
        }
        let left = self.of_another_size(helm, timeout).await?;
        let is_left = |taken: &Reused| left.iter().any(|one| one.volume == taken.volume);
        if taken.iter().any(is_left) {
            // It is another parameter that says so.
            self.asked.answers = before;
        } else {
            self.asked.reused = taken.into_iter().chain(left).collect();
        }
        Ok(())
    }

    /// Those whose size has become the answer.
    fn take_up(&mut self, found: &[Reused]) -> Vec<Reused> {
        let mut taken = Vec::new();
        if let Way::Again { .. } = self.way() {
            return taken;
        }
        for one in found {
            let size = Value::Quantity(one.size.clone());
            let mut parameters = self.asked.parameters.iter();
            let fits = parameters.find(|known| one.is_sized_by(&known.name)).filter(|known| {
                let answer = self.asked.answers.get(&known.name);
                let is_open = answer.is_some_and(|answer| answer.is_default() && !known.fixed);
                is_open && known.check(&size).is_ok()
            });
            if let Some(parameter) = fits {
                self.asked.answers.take_up(&parameter.name, size);
                taken.push(Reused { asked: one.size.clone(), ..one.clone() });
            }
        }
        taken
    }

    /// What cannot be seen before is not told; what is wrong with it, helm says when it is its turn.
    async fn of_another_size(&self, helm: &Helm, timeout: Duration) -> Result<Vec<Reused>> {
        let rendered = match self.look(helm, timeout).await {
            Ok((_, rendered)) => rendered,
            Err(error) if matches!(error.kind, ErrorKind::Interrupted | ErrorKind::Terminated) => {
                return Err(error);
            }
            Err(_) => return Ok(Vec::new()),
        };
        let volumes = self.ground.volumes.iter();
        let volumes = volumes.filter_map(|claim| Some((&*claim.name, claim.size.as_deref()?)));
        let (asked, volumes) = (&self.asked, volumes.collect::<Vec<_>>());
        Ok(reused(&volumes, &rendered.objects, &asked.parameters, &asked.answers))
    }

    /// The same for machines.
    pub(super) fn reused_volumes(&self) -> Vec<PlannedVolume> {
        if self.args.delete_data {
            return Vec::new();
        }
        let differs = |name: &str| {
            let mut reused = self.asked.reused.iter();
            reused.find(|one| one.volume == name && one.size != one.asked)
        };
        let planned = self.ground.volumes.iter().map(|claim| PlannedVolume {
            name: claim.name.clone(),
            size: claim.size.clone(),
            asked: differs(&claim.name).map(|one| one.asked.to_string()),
        });
        planned.collect()
    }

    /// `--delete-data`: the volumes that an earlier instance left.
    pub(super) async fn clear_volumes(&self, limit: Limit) -> Result<()> {
        if !self.args.delete_data {
            return Ok(());
        }
        let cluster = self.context.cluster()?;
        for claim in &self.ground.volumes {
            cluster.delete_claim(claim).await?;
        }
        for claim in &self.ground.volumes {
            let deadline = limit.started + limit.timeout;
            if !cluster.claim_gone(claim, deadline).await? {
                return Err(Error::not_ready(format!("volume {} does not go away", claim.name)));
            }
        }
        Ok(())
    }
}
