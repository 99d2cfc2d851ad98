//! The classes on offer, each with its status; a broken one never hides the others.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::cluster::{Asked, Cluster, Found};
use crate::domain::class::{Availability, ChartSource, Class, Sharing, read};
use crate::domain::lint;
use crate::domain::suggest::nearest;
use crate::error::{Error, Result};

/// One class of the catalog, understood or broken.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub summary: Option<String>,
    pub labels: BTreeMap<String, String>,
    pub status: Status,
    /// `None` where it could not be read at all.
    pub class: Option<Class>,
    /// Why it is broken.
    pub broken: Option<String>,
}

/// The word in the column STATUS: the first that holds, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Broken,
    NotAllowed,
    Closed,
    Deprecated,
    Shared,
    Available,
}

impl Status {
    /// The word a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::NotAllowed => "not allowed",
            Self::Closed => "closed",
            Self::Deprecated => "deprecated",
            Self::Shared => "shared",
            Self::Available => "available",
        }
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
