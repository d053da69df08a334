//! Call paths of all processes with common numbers, and what a process does: calls, and the computation between two.

use crate::FastMap as HashMap;

use cll_trace::layout::call::Op;

use crate::Overview;

/// The number of a call path among those of the run. The same path in several processes has one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// The number of an [`Activity`] among those of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActivityId(pub u32);

/// A call of MPI with the path that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Which call it is.
    pub op: Op,
    /// A process that made it: an index among the overviews.
    pub process: usize,
    /// The thread of the process.
    pub lane: u32,
    /// The place, in the tables of that thread.
    pub point: Option<u32>,
}

/// An activity of a process that takes some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// It computes between two calls of MPI: a segment of the program.
    Computation {
        /// The call before; `None`: the thread has made none yet.
        after: Option<SiteId>,
        /// The call behind it.
        before: SiteId,
    },
    /// It is ready to run before a call, and has no core.
    WithoutCore(SiteId),
    /// It is in a call.
    Call(SiteId),
}

/// Computations before a call that are looked up without hashing.
const NEAR: usize = 16;

/// The numbers that were given.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    pub(crate) activities: Vec<Activity>,
    modules: HashMap<String, u32>,
    paths: HashMap<(Op, Vec<(u32, u64)>), SiteId>,
    /// By process, lane, call and point: without looking at the path again.
    known: HashMap<(usize, u32, Op, Option<u32>), SiteId>,
    numbers: HashMap<Activity, ActivityId>,
    /// By call path: the activity that it is.
    calls: Vec<Option<ActivityId>>,
    /// The same of the time without a core before it.
    starved: Vec<Option<ActivityId>>,
    /// By call path: the first computations before it, by the call before them.
    near: Vec<Vec<(Option<SiteId>, ActivityId)>>,
}

impl Sites {
    /// The number of a call's path.
    pub(crate) fn site(
        &mut self,
        process: usize,
        overview: &Overview,
        lane: u32,
        op: Op,
        point: Option<u32>,
    ) -> SiteId {
        if let Some(&known) = self.known.get(&(process, lane, op, point)) {
            return known;
        }
        let mut path = Vec::new();
        if let Some((place, modules)) = overview.place(lane, point) {
            for &(id, offset) in &place.path {
                let known_module = modules.iter().find(|module| module.id == id);
                let name = known_module.map_or(String::new(), |known_module| {
                    format!("{} {}", known_module.path, known_module.build)
                });
                let count = self.modules.len() as u32;
                path.push((*self.modules.entry(name).or_insert(count), offset));
            }
        }
        let next = SiteId(self.sites.len() as u32);
        let site = *self.paths.entry((op, path)).or_insert(next);
        if site == next {
            self.sites.push(Site { op, process, lane, point });
        }
        self.known.insert((process, lane, op, point), site);
        site
    }

    /// The number of what a process does.
    pub(crate) fn activity(&mut self, activity: Activity) -> ActivityId {
        let (Activity::Call(site)
        | Activity::WithoutCore(site)
        | Activity::Computation { before: site, .. }) = activity;
        let index = site.0 as usize;
        if self.calls.len() <= index {
            self.calls.resize(index + 1, None);
            self.starved.resize(index + 1, None);
            self.near.resize(index + 1, Vec::new());
        }
        let known = match activity {
            Activity::Call(_) => self.calls[index],
            Activity::WithoutCore(_) => self.starved[index],
            Activity::Computation { after, .. } => {
                let entry = self.near[index].iter().find(|pair| pair.0 == after);
                entry.map(|pair| pair.1)
            }
        };
        if let Some(known) = known {
            return known;
        }
        let id = self.numbered(activity);
        match activity {
            Activity::Call(_) => self.calls[index] = Some(id),
            Activity::WithoutCore(_) => self.starved[index] = Some(id),
            Activity::Computation { after, .. } if self.near[index].len() < NEAR => {
                self.near[index].push((after, id));
            }
            Activity::Computation { .. } => {}
        }
        id
    }

    fn numbered(&mut self, activity: Activity) -> ActivityId {
        let next = ActivityId(self.activities.len() as u32);
        let id = *self.numbers.entry(activity).or_insert(next);
        if id == next {
            self.activities.push(activity);
        }
        id
    }
}
