//! Processes with different `MPI_COMM_WORLD`s that communicate: those that a program has started (`MPI_Comm_spawn`), and
//! those of programs that have connected (`MPI_Comm_accept`). They get ranks one after the other, and their communicators
//! the same keys, so that all else sees one run.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use cll_trace::meta::Communicator;

use crate::overview::{Overview, World};

/// The processes of a job, before they are joined.
struct Job {
    name: String,
    members: Vec<usize>,
    ranks: u32,
    started: bool,
    begun_ns: u64,
}

/// One side of a communicator of two worlds.
#[derive(Clone)]
struct WorldSide {
    job: usize,
    key: String,
    link: String,
    /// It has accepted or started the other one.
    is_first: bool,
    ranks: Vec<i64>,
    remote: usize,
    at_ns: u64,
}

/// Joins logs of different worlds with those of the first one: the earliest that no other one has started. The logs that
/// are joined have [`Overview::world`], and [`Overview::job`] of the first; none are if the logs show no connection.
pub fn join(overviews: &mut [Overview]) {
    let jobs = jobs(overviews);
    if jobs.len() < 2 {
        return;
    }
    let links = pairs(sides(overviews, &jobs));
    // From world to world, the first one first.
    let mut order = vec![0];
    let mut index = 0;
    while index < order.len() {
        let next = links.iter().filter_map(|[side, other]| match order[index] {
            job if side.job == job => Some(other.job),
            job if other.job == job => Some(side.job),
            _ => None,
        });
        for job in next.collect::<Vec<_>>() {
            if !order.contains(&job) {
                order.push(job);
            }
        }
        index += 1;
    }
    if order.len() < 2 {
        return;
    }
    order.sort_unstable();
    let total: u32 = order.iter().map(|&job| jobs[job].ranks).sum();
    let mut worlds: Vec<World> = Vec::new();
    let mut firsts = vec![None; jobs.len()];
    for &job in &order {
        let first = worlds.last().map_or(0, |last| last.first + last.ranks);
        firsts[job] = Some(first);
        let Job { ranks, started, ref members, .. } = jobs[job];
        let program = overviews[members[0]].process.program.clone();
        worlds.push(World { first, ranks, program, started });
    }
    let mut linked: HashMap<(usize, String), Linked> = HashMap::new();
    for (number, [own, other]) in links.iter().enumerate() {
        let (Some(first), Some(other_first)) = (firsts[own.job], firsts[other.job]) else {
            continue;
        };
        let key = hash(&("linked", number));
        let shifted = |side: &WorldSide, by: u32| -> Vec<i64> { shifted(&side.ranks, by) };
        let key_of = |side: &WorldSide| (side.job, side.key.clone());
        linked.insert(key_of(own), Linked { key, remote: shifted(other, other_first) });
        linked.insert(key_of(other), Linked { key, remote: shifted(own, first) });
    }
    for &job in &order {
        let first = firsts[job].unwrap_or(0);
        for &member in &jobs[job].members {
            let overview = &mut overviews[member];
            renumber(overview, job, first, &linked);
            overview.job.clone_from(&jobs[0].name);
            overview.world = worlds.iter().find(|world| world.first == first).cloned();
            if let Some(mpi) = &mut overview.mpi {
                mpi.rank += first;
                mpi.ranks = total;
            }
        }
    }
}

/// A communicator of two worlds: its common key, and the ranks of the other side.
struct Linked {
    key: u64,
    remote: Vec<i64>,
}

fn jobs(overviews: &[Overview]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (index, overview) in overviews.iter().enumerate() {
        let Some(mpi) = &overview.mpi else { continue };
        let begun_ns = overview.zero_ns;
        match jobs.iter_mut().find(|job| job.name == overview.job) {
            Some(job) => {
                job.members.push(index);
                job.ranks = job.ranks.max(mpi.ranks);
                job.begun_ns = job.begun_ns.min(begun_ns);
            }
            None => jobs.push(Job {
                name: overview.job.clone(),
                members: vec![index],
                ranks: mpi.ranks,
                started: mpi.started,
                begun_ns,
            }),
        }
    }
    jobs.sort_by_key(|job| (job.started, job.begun_ns));
    jobs
}

/// Sides of communicators whose other group has another world.
fn sides(overviews: &[Overview], jobs: &[Job]) -> Vec<WorldSide> {
    let mut sides: Vec<WorldSide> = Vec::new();
    for (job, entry) in jobs.iter().enumerate() {
        for table in
            entry.members.iter().flat_map(|&member| overviews[member].communicators.values())
        {
            let is_outside = expanded(&table.remote).iter().all(|&rank| rank < 0);
            let is_known = sides.iter().any(|side| side.job == job && side.key == table.key);
            let ranks = expanded(&table.ranks);
            if table.link.is_empty() || !is_outside || is_known || ranks.is_empty() {
                continue;
            }
            sides.push(WorldSide {
                job,
                key: table.key.clone(),
                link: table.link.clone(),
                is_first: !["parent", "Comm_connect"].contains(&table.made_by.as_str()),
                ranks,
                remote: table.remote_size as usize,
                at_ns: table.linked_ns,
            });
        }
    }
    sides
}

/// Both sides of each communicator. A port may be used several times: then they belong together in the order of time.
fn pairs(mut sides: Vec<WorldSide>) -> Vec<[WorldSide; 2]> {
    sides.sort_by_key(|side| side.at_ns);
    let (ones, mut others): (Vec<WorldSide>, Vec<WorldSide>) =
        sides.into_iter().partition(|side| side.is_first);
    let mut pairs = Vec::new();
    for side in ones {
        let fits = |other: &WorldSide| {
            other.link == side.link
                && other.job != side.job
                && (other.ranks.len(), side.ranks.len()) == (side.remote, other.remote)
        };
        if let Some(index) = others.iter().position(fits) {
            pairs.push([side, others.remove(index)]);
        }
    }
    pairs
}

/// Gives the communicators and windows of a process keys and ranks of the whole run.
fn renumber(
    overview: &mut Overview,
    job: usize,
    first: u32,
    linked: &HashMap<(usize, String), Linked>,
) {
    let own_key = |key: &str| match job {
        0 => key.to_owned(),
        _ => format!("{:x}", hash(&(job, key))),
    };
    // By the old key: the tables of communicators with processes of several worlds.
    let mut mixed: HashMap<String, Communicator> = HashMap::new();
    let mut made: HashMap<(String, String, Vec<i64>), u32> = HashMap::new();
    let mut new_keys: HashMap<u32, (String, bool)> = HashMap::new();
    for table in overview.communicators.values_mut() {
        let mut ranks = shifted(&expanded(&table.ranks), first);
        let mut remote = shifted(&expanded(&table.remote), first);
        let old = table.key.clone();
        let mut key = own_key(&old);
        let mut is_mixed = false;
        if let Some(link) = linked.get(&(job, old.clone())) {
            remote.clone_from(&link.remote);
            key = format!("{:x}", link.key);
            is_mixed = true;
        } else if let Some(parent) = mixed.get(&table.parent)
            && made_of(parent, &table.made_by, &mut ranks, &mut remote)
        {
            let mut members = [ranks.clone(), remote.clone()];
            members.sort();
            let name = (parent.key.clone(), table.made_by.clone(), members.concat());
            let count = made.entry(name.clone()).or_insert(0);
            *count += 1;
            key = format!("{:x}", hash(&(name, *count)));
            is_mixed = true;
        }
        table.ranks = stretches(&ranks);
        table.remote = stretches(&remote);
        table.parent = match mixed.get(&table.parent) {
            Some(parent) => parent.key.clone(),
            None if table.parent.is_empty() => String::new(),
            None => own_key(&table.parent),
        };
        table.key.clone_from(&key);
        new_keys.insert(table.id, (key, is_mixed));
        if is_mixed {
            mixed.insert(old, table.clone());
        }
    }
    let mut windows: HashMap<String, u32> = HashMap::new();
    for window in overview.windows.values_mut() {
        window.key = match new_keys.get(&window.communicator) {
            Some((new_key, true)) => {
                let count = windows.entry(new_key.clone()).or_insert(0);
                *count += 1;
                format!("{:x}", hash(&("window", new_key, *count)))
            }
            _ => own_key(&window.key),
        };
    }
}

/// Fills in the processes of other worlds in a communicator that was made from one that has such. Returns whether all
/// are known then: in parts of it their order is not.
fn made_of(
    parent: &Communicator,
    made_by: &str,
    ranks: &mut Vec<i64>,
    remote: &mut Vec<i64>,
) -> bool {
    let (parents, others) = (expanded(&parent.ranks), expanded(&parent.remote));
    if made_by == "Intercomm_merge" {
        let mut others = others.into_iter();
        for rank in ranks.iter_mut().filter(|rank| **rank < 0) {
            *rank = others.next().unwrap_or(-1);
        }
    } else {
        let is_like = |own: &[i64], of: &[i64]| {
            own.len() == of.len()
                && own.iter().zip(of).all(|(&own, &expected)| own < 0 || own == expected)
        };
        if is_like(ranks, &parents) && is_like(remote, &others) {
            (*ranks, *remote) = (parents, others);
        }
    }
    ranks.iter().chain(remote.iter()).all(|&rank| rank >= 0)
}

fn shifted(ranks: &[i64], by: u32) -> Vec<i64> {
    ranks.iter().map(|&rank| if rank < 0 { rank } else { rank + i64::from(by) }).collect()
}

fn expanded(stretches: &[(i32, u32, i32)]) -> Vec<i64> {
    let expand = |&(first, count, step): &(i32, u32, i32)| {
        (0..i64::from(count)).map(move |index| i64::from(first) + index * i64::from(step))
    };
    stretches.iter().flat_map(expand).collect()
}

fn stretches(ranks: &[i64]) -> Vec<(i32, u32, i32)> {
    let mut all: Vec<(i32, u32, i32)> = Vec::new();
    for rank in ranks.iter().map(|&rank| rank as i32) {
        match all.last_mut() {
            Some((first, count, step)) if *count == 1 => (*count, *step) = (2, rank - *first),
            Some((first, count, step)) if *first + *count as i32 * *step == rank => *count += 1,
            _ => all.push((rank, 1, 0)),
        }
    }
    all
}

/// The same in each run of this program: keys only need to differ.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
