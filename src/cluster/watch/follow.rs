//! One kind followed: kube's watcher keeps a store up to date, and a signal says that it changed.
//!
//! All kinds come as plain JSON: one watcher for them all is a tenth of the code that ten are.

use std::pin::Pin;

use futures::{Stream, StreamExt as _, stream};
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, Event, PersistentVolumeClaim, Pod, Secret};
use kube::core::{ApiResource, DynamicObject, Resource};
use kube::runtime::WatchStreamExt as _;
use kube::runtime::reflector::store::Writer;
use kube::runtime::watcher::{self, Config};
use kube::{Api, Client, ResourceExt as _};

use super::super::error;
use super::super::secret::Pick;
use super::super::target::Target;
use super::snapshot::Store;
use super::{ObjectRef, Watched, WorkloadKind};
use crate::domain::happening::Happening;
use crate::error::Result;

pub(super) type Signals = Pin<Box<dyn Stream<Item = Signal> + Send>>;

/// Something happened to one part.
pub(super) struct Signal {
    pub part: usize,
    pub news: News,
}

pub(super) enum News {
    /// The list is complete.
    Complete,
    Changed,
    /// An event, by the name of its object in the API.
    Event(String, Box<Happening>),
    Failed(watcher::Error),
}

/// A kind, or one object, that is followed.
pub(super) struct Part {
    /// `list pods`
    right: String,
    state: State,
    /// Whether the first snapshot waits for it.
    awaited: bool,
}

#[derive(PartialEq)]
enum State {
    Waiting,
    Here,
    Forbidden,
    NotServed,
    Trouble(String),
}

impl Part {
    pub fn is_waiting(&self) -> bool {
        self.awaited && self.state == State::Waiting
    }

    /// The missing right.
    pub fn forbidden(&self) -> Option<&str> {
        (self.state == State::Forbidden).then_some(self.right.as_str())
    }

    pub fn trouble(&self) -> Option<&str> {
        if let State::Trouble(says) = &self.state { Some(says) } else { None }
    }

    /// The server answered.
    pub fn answered(&mut self) {
        self.state = State::Here;
    }

    /// Returns whether that is news.
    pub fn failed(&mut self, error: watcher::Error, target: &Target) -> Result<bool> {
        let state = match error::of_watch(error, target)? {
            error::WatchTrouble::Forbidden => State::Forbidden,
            error::WatchTrouble::NotServed => State::NotServed,
            error::WatchTrouble::Says(says) => State::Trouble(says),
        };
        let news = self.state != state;
        self.state = state;
        Ok(news)
    }
}

/// Watches end of themselves after this long, and are taken up again: in seconds.
const WATCH: u32 = 120;

fn all() -> Config {
    Config::default().timeout(WATCH)
}

fn named(name: &str) -> Config {
    all().fields(&format!("metadata.name={name}"))
}

fn picked(pick: &Pick) -> Config {
    match pick {
        Pick::Name(name) => named(name),
        Pick::Selector(selector) => all().labels(selector),
    }
}

impl Watched {
    pub(super) fn begin(&mut self, client: &Client) {
        let wanted = self.wanted.clone();
        let namespace = wanted.namespace.as_str();
        self.stores.pods = self.follow::<Pod>(client, namespace, all().labels(&wanted.pods));
        self.stores.claims = self.follow::<PersistentVolumeClaim>(client, namespace, all());
        self.follow_workloads(client, namespace);
        for pick in &wanted.secrets {
            let store = self.follow::<Secret>(client, namespace, picked(pick));
            self.stores.secrets.extend(store);
        }
        for pick in &wanted.config_maps {
            let store = self.follow::<ConfigMap>(client, namespace, picked(pick));
            self.stores.config_maps.extend(store);
        }
        self.follow_events(client, namespace);
    }

    fn follow_workloads(&mut self, client: &Client, namespace: &str) {
        use WorkloadKind as Kind;
        if let Some(config) = self.workloads(Kind::StatefulSet) {
            self.stores.stateful_sets = self.follow::<StatefulSet>(client, namespace, config);
        }
        if let Some(config) = self.workloads(Kind::Deployment) {
            self.stores.deployments = self.follow::<Deployment>(client, namespace, config);
        }
        if let Some(config) = self.workloads(Kind::DaemonSet) {
            self.stores.daemon_sets = self.follow::<DaemonSet>(client, namespace, config);
        }
        if let Some(config) = self.workloads(Kind::Job) {
            self.stores.jobs = self.follow::<Job>(client, namespace, config);
        }
    }

    /// One name is asked for by name; of several, the namespace's are watched and the wanted ones
    /// kept.
    fn workloads(&self, kind: WorkloadKind) -> Option<Config> {
        let mut names = self.wanted.workloads.iter().filter(|one| one.kind == kind);
        let first = names.next()?;
        Some(if names.next().is_some() { all() } else { named(&first.name) })
    }

    fn follow<K>(&mut self, client: &Client, namespace: &str, config: Config) -> Option<Store>
    where
        K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>,
    {
        let resource = ApiResource::erase::<K>(&());
        let api = Api::namespaced_with(client.clone(), namespace, &resource);
        Some(self.keep(api, resource, config))
    }

    pub(super) fn follow_object(
        &mut self,
        object: ObjectRef,
        api: Option<(Api<DynamicObject>, ApiResource)>,
    ) {
        let store = api.map(|(api, resource)| self.keep(api, resource, named(&object.name)));
        self.stores.objects.push((object, store));
    }

    fn keep(&mut self, api: Api<DynamicObject>, resource: ApiResource, config: Config) -> Store {
        let dot = if resource.group.is_empty() { "" } else { "." };
        let right = format!("list {}{dot}{}", resource.plural, resource.group);
        let part = self.parts.len();
        self.parts.push(Part { right, state: State::Waiting, awaited: true });
        let writer = Writer::new(resource);
        let store = writer.as_reader();
        let events = watched(api, config).reflect(writer);
        let signals = events.filter_map(move |event| async move {
            let news = match event {
                Ok(watcher::Event::Init | watcher::Event::InitApply(_)) => return None,
                Ok(watcher::Event::InitDone) => News::Complete,
                Ok(watcher::Event::Apply(_) | watcher::Event::Delete(_)) => News::Changed,
                Err(error) => News::Failed(error),
            };
            Some(Signal { part, news })
        });
        self.signals.push(until_refused(signals));
        store
    }

    /// Events are many and short-lived: those of other objects are dropped as they come, and the
    /// first snapshot does not wait for them.
    fn follow_events(&mut self, client: &Client, namespace: &str) {
        let part = self.parts.len();
        let right = "list events".to_owned();
        self.parts.push(Part { right, state: State::Waiting, awaited: false });
        let names = self.wanted.names.clone();
        let resource = ApiResource::erase::<Event>(&());
        let api = Api::namespaced_with(client.clone(), namespace, &resource);
        let signals = watched(api, all()).filter_map(move |event| {
            let news = match event {
                Ok(watcher::Event::Apply(event) | watcher::Event::InitApply(event)) => {
                    relevant(event, &names)
                }
                Ok(watcher::Event::InitDone) => Some(News::Complete),
                Ok(watcher::Event::Init | watcher::Event::Delete(_)) => None,
                Err(error) => Some(News::Failed(error)),
            };
            std::future::ready(news.map(|news| Signal { part, news }))
        });
        self.signals.push(until_refused(signals));
    }
}

fn watched(
    api: Api<DynamicObject>,
    config: Config,
) -> impl Stream<Item = Result<watcher::Event<DynamicObject>, watcher::Error>> + Send {
    let events = watcher::watcher(api, config).default_backoff();
    // The store panics at an object without a name, which only garbage has.
    let events = events.filter(|event| std::future::ready(is_named(event)));
    events.modify(|object| object.managed_fields_mut().clear())
}

fn is_named(event: &Result<watcher::Event<DynamicObject>, watcher::Error>) -> bool {
    use watcher::Event as News;
    match event {
        Ok(News::Apply(object) | News::InitApply(object) | News::Delete(object)) => {
            object.metadata.name.is_some()
        }
        Ok(News::Init | News::InitDone) | Err(_) => true,
    }
}

fn relevant(event: DynamicObject, names: &[String]) -> Option<News> {
    let about = event.data["involvedObject"]["name"].as_str().unwrap_or_default();
    if !names.iter().any(|name| about.contains(name.as_str())) {
        return None;
    }
    let key = event.name_any();
    let event: Event = event.try_parse().ok()?;
    Some(News::Event(key, Box::new(Happening::from(event))))
}

/// What is refused stays refused: asking again every second would only load the server.
fn until_refused(signals: impl Stream<Item = Signal> + Send + 'static) -> Signals {
    let state = (Box::pin(signals), false);
    Box::pin(stream::unfold(state, |(mut signals, refused)| async move {
        if refused {
            return None;
        }
        let signal = signals.next().await?;
        let refused = matches!(&signal.news, News::Failed(error) if error::is_refusal(error));
        Some((signal, (signals, refused)))
    }))
}
