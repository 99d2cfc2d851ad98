//! Volumes that an earlier instance left: named first, then used again or deleted.

use super::job::Job;
use crate::error::{Error, Result};
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
