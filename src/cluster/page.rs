//! Lists in pages: each is read into small structs and dropped before the next one is asked for.

use serde::{Deserialize, Deserializer};

use super::answer::Failure;
use super::ask::Asked;
use super::{Cluster, error};
use crate::error::Result;

/// Objects per page, as kubectl asks.
const LIMIT: &str = "500";
/// How often a list begins again because its continue token was too old.
const RESTARTS: usize = 2;

/// The metadata of a list.
#[derive(Default, Deserialize)]
pub(super) struct ListMeta {
    /// What asks for the next page; empty or absent at the end.
    #[serde(default, rename = "continue")]
    token: Option<String>,
}

/// What a page is read into.
pub(super) trait Page: Sized {
    /// Adds what the page holds to `all`, and says how the list goes on.
    ///
    /// # Errors
    /// The page is not what Kubernetes answers.
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure>;
}

/// The plain form of a list.
#[derive(Deserialize)]
pub(super) struct Items<T> {
    #[serde(default)]
    pub metadata: ListMeta,
    /// Some servers write `null` for none; without the word it is no list.
    #[serde(deserialize_with = "null_as_empty", bound(deserialize = "T: Deserialize<'de>"))]
    pub items: Vec<T>,
}

fn null_as_empty<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    list: D,
) -> Result<Vec<T>, D::Error> {
    Option::<Vec<T>>::deserialize(list).map(Option::unwrap_or_default)
}

impl Cluster {
    /// The whole list, page after page.
    pub(super) async fn pages<T: Page>(&self, asked: &Asked) -> Result<Vec<T>> {
        self.try_pages(asked).await.map_err(|failure| error::explain(failure, asked, &self.target))
    }

    /// The same, before a failure is put into words.
    ///
    /// A token that has expired (410) makes the rest of the list unreadable: it begins again, as
    /// <https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks>
    /// tells clients to.
    pub(super) async fn try_pages<T: Page>(&self, asked: &Asked) -> Result<Vec<T>, Failure> {
        let mut restarts = 0;
        loop {
            match self.one_pass(asked).await {
                Err(failure) if failure.is_expired() && restarts < RESTARTS => restarts += 1,
                done => return done,
            }
        }
    }

    async fn one_pass<T: Page>(&self, asked: &Asked) -> Result<Vec<T>, Failure> {
        let mut all = Vec::new();
        let mut token: Option<String> = None;
        loop {
            let mut page = asked.clone().query("limit", LIMIT);
            if let Some(token) = &token {
                page = page.query("continue", token);
            }
            let bytes = self.bytes(&page).await?;
            match T::read(&bytes, &mut all)?.token.filter(|token| !token.is_empty()) {
                Some(next) => token = Some(next),
                None => return Ok(all),
            }
        }
    }
}
