//! Goes through the supersteps of a machine and its parts, a window of them at a time.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::metric::Metric;

use super::cursor::{ABSENT, Cursor, Rows, Stop};
use super::machines::Machine;
use super::parts::{Account, Ended};
use super::reduce::Sums;
use super::relation::{Key, Relation, Relations};
use super::tree::{NodeId, Tree};

/// Supersteps of a window of the whole machine, and of one that has parts or is a part.
const WINDOW: u64 = 1024;
const SHORT: u64 = 64;
/// With fewer records in a window than this a second thread costs more than it saves.
const WORTH_A_THREAD: usize = 1 << 14;

/// What is gathered of all machines.
pub(super) struct Walk<'m> {
    pub(super) machines: &'m [Machine],
    pub(super) tree: Tree,
    pub(super) threads: usize,
    /// By node: for each processor of the program its sums, by metric.
    pub(super) each: Vec<[Vec<f64>; 4]>,
    pub(super) last: Vec<Vec<u64>>,
    pub(super) processors: usize,
    /// Supersteps of which not all tell, and the first.
    pub(super) incomplete: (u64, u64),
}

/// What a machine's supersteps took.
pub(super) struct Walked {
    pub(super) account: Account,
    /// Of each of its processors, from its first record to its last, seconds.
    pub(super) spans: Vec<f64>,
}

impl Walk<'_> {
    /// All supersteps of a machine, whose processors' cursors these are.
    pub(super) fn machine(&mut self, at: usize, cursors: &mut [Cursor<'_>]) -> Walked {
        let count = cursors.len();
        let first = self.machines[at].first as usize;
        let mut account = Account::default();
        let mut relations = Relations::default();
        let mut rows: Vec<Rows> = (0..count).map(|_| Rows::default()).collect();
        let mut inside = vec![0.0; count];
        let mut spans = vec![None; count];
        let mut stops = vec![Stop::Window; count];
        let mut window = if self.machines[at].parent.is_none() { WINDOW } else { SHORT };
        let mut base = 1;
        loop {
            let limit = base + window;
            rows.iter_mut().for_each(|row| row.clear(window as usize));
            let mut parts: BTreeMap<u64, Vec<Ended>> = BTreeMap::new();
            loop {
                let going = stops.iter().map(|stop| *stop == Stop::Window).collect::<Vec<_>>();
                self.fill(
                    at,
                    (base, limit),
                    cursors,
                    &mut rows,
                    &mut inside,
                    &mut spans,
                    &mut stops,
                    &going,
                );
                let mut entered: Vec<usize> = stops
                    .iter()
                    .filter_map(|stop| if let Stop::Part(part) = stop { Some(*part) } else { None })
                    .collect();
                if entered.is_empty() {
                    break;
                }
                window = SHORT;
                entered.sort_unstable();
                entered.dedup();
                for part in entered {
                    let Machine { first: from, nprocs, within, .. } = self.machines[part];
                    let own = from as usize - first;
                    let range = own..own + nprocs as usize;
                    let walked = self.machine(part, &mut cursors[range.clone()]);
                    for (inside, span) in inside[range.clone()].iter_mut().zip(walked.spans) {
                        *inside += span;
                    }
                    let costs = walked.account.inherited(&self.tree);
                    let ended = Ended { first: own, processors: nprocs as usize, costs };
                    parts.entry(within).or_default().push(ended);
                    for stop in &mut stops[range] {
                        if matches!(stop, Stop::Part(_)) {
                            *stop = Stop::Window;
                        }
                    }
                }
            }
            self.close(first, base, cursors, &rows, &mut account, &mut relations);
            for ended in parts.into_values() {
                account.combine(&ended, count);
            }
            let waiting = stops.iter().zip(cursors.iter_mut());
            let waiting = waiting.filter(|(stop, _)| **stop == Stop::Window);
            match waiting.filter_map(|(_, cursor)| cursor.next_number()).min() {
                Some(next) => base = next,
                None => break,
            }
        }
        let spans = cursors.iter().zip(&spans);
        let spans = spans.map(|(cursor, span)| span.map_or(0.0, |span| cursor.seconds(span)));
        Walked { account, spans: spans.collect() }
    }

    /// Reads a window's supersteps of those processors that go on.
    #[allow(clippy::too_many_arguments)]
    fn fill(
        &self,
        at: usize,
        limits: (u64, u64),
        cursors: &mut [Cursor<'_>],
        rows: &mut [Rows],
        inside: &mut [f64],
        spans: &mut [Option<(u64, u64)>],
        stops: &mut [Stop],
        going: &[bool],
    ) {
        let machines = self.machines;
        let part_of = |of: usize| {
            let mut now = of;
            while let Some(parent) = machines[now].parent {
                if parent == at {
                    return Some(now);
                }
                now = parent;
            }
            None
        };
        let records = (limits.1 - limits.0) as usize * cursors.len();
        let threads = if records < WORTH_A_THREAD { 1 } else { self.threads.max(1) };
        let each = cursors.len().div_ceil(threads);
        let fill = |((((cursors, rows), inside), spans), (stops, going)): Chunk<'_, '_>| {
            let state = inside.iter_mut().zip(spans);
            let all = cursors.iter_mut().zip(rows).zip(state).zip(stops.iter_mut().zip(going));
            for (((cursor, row), (inside, span)), (stop, going)) in all {
                if *going {
                    *stop = cursor.fill(row, limits, at, part_of, inside, span);
                }
            }
        };
        let chunks = (cursors.chunks_mut(each).zip(rows.chunks_mut(each)))
            .zip(inside.chunks_mut(each))
            .zip(spans.chunks_mut(each))
            .zip(stops.chunks_mut(each).zip(going.chunks(each)));
        if threads == 1 {
            return chunks.for_each(fill);
        }
        std::thread::scope(|scope| {
            let mut chunks = chunks;
            let own = chunks.next();
            for chunk in chunks {
                scope.spawn(move || fill(chunk));
            }
            own.map(fill);
        });
    }

    /// Adds a window's supersteps to their centres.
    fn close(
        &mut self,
        first: usize,
        base: u64,
        cursors: &mut [Cursor<'_>],
        rows: &[Rows],
        account: &mut Account,
        relations: &mut Relations,
    ) {
        let size = rows[0].ways.len();
        let used = rows.iter().filter_map(|row| row.ways.iter().rposition(|&way| way != ABSENT));
        let Some(used) = used.max().map(|last| (last + 1).min(size)) else { return };
        let (nodes, centres) = self.centres(base, cursors, rows, used);
        // One more, for what is left out.
        let count = nodes.len() + 1;
        let threads = if used * rows.len() < WORTH_A_THREAD { 1 } else { self.threads.max(1) };
        let each = used.div_ceil(threads);
        let ranges = (0..threads).map(|thread| each * thread..(each * (thread + 1)).min(used));
        let ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).collect();
        let sum = |range| Sums::of(rows, range, &centres, count);
        let sums: Vec<Sums> = match &ranges[..] {
            [all] => vec![sum(all.clone())],
            [own, others @ ..] => std::thread::scope(|scope| {
                let spawned: Vec<_> =
                    others.iter().map(|range| scope.spawn(|| sum(range.clone()))).collect();
                let own = sum(own.clone());
                let join = |one: std::thread::ScopedJoinHandle<'_, Sums>| match one.join() {
                    Ok(sums) => sums,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
                std::iter::once(own).chain(spawned.into_iter().map(join)).collect()
            }),
            [] => return,
        };
        for sums in &sums {
            for (local, &node) in nodes.iter().enumerate() {
                *account.own.entry(node).or_default() += sums.costs[local];
                for (member, last) in (first..).zip(0..rows.len()) {
                    for time in 0..3 {
                        self.each[node][time][member] += sums.each[time][last * count + local];
                    }
                    self.last[node][member] += sums.last[last * count + local];
                }
            }
        }
        let keys = sums.iter().flat_map(|sums| &sums.keys);
        let mut run: Option<Run> = None;
        for (at, (&key, &centre)) in keys.zip(&centres).enumerate() {
            let Some(&node) = nodes.get(centre as usize) else { continue };
            match &mut run {
                Some((same, of, _, times)) if *same == node && *of == key => *times += 1.0,
                _ => {
                    let relation = relations.find(key, cursors, |member| rows[member].sets[at]);
                    if let Some(ended) = run.replace((node, key, relation, 1.0)) {
                        self.add(first, account, &ended);
                    }
                }
            }
        }
        if let Some(ended) = run {
            self.add(first, account, &ended);
        }
    }

    /// Adds so many supersteps with the same relation.
    fn add(&mut self, first: usize, account: &mut Account, (node, _, relation, times): &Run) {
        let h = Metric::HRelation.index();
        account.own.entry(*node).or_default().metrics[h] += relation.summary.times(*times);
        for (own, value) in self.each[*node][h][first..].iter_mut().zip(&relation.each) {
            *own += value * times;
        }
    }

    /// The centres of a window, and that of each superstep: one behind them where it is left out.
    fn centres(
        &mut self,
        base: u64,
        cursors: &[Cursor<'_>],
        rows: &[Rows],
        used: usize,
    ) -> (Vec<NodeId>, Vec<u32>) {
        let of_first = &rows[0].ways[..used];
        let mut differs = vec![false; used];
        for row in &rows[1..] {
            for (differs, (way, first)) in differs.iter_mut().zip(row.ways.iter().zip(of_first)) {
                *differs |= way != first;
            }
        }
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut centres = vec![u32::MAX; used];
        let mut before: Option<(u32, u32)> = None;
        for at in 0..used {
            let way = of_first[at];
            if !differs[at] && way == ABSENT {
                continue;
            }
            if !differs[at]
                && let Some((same, centre)) = before
                && same == way
            {
                centres[at] = centre;
                continue;
            }
            let node = match differs[at] {
                false => self.tree.centre(way),
                true => match self.mixed(at, cursors, rows) {
                    Some(node) => node,
                    None => {
                        if self.incomplete.0 == 0 {
                            self.incomplete.1 = base + at as u64;
                        }
                        self.incomplete.0 += 1;
                        continue;
                    }
                },
            };
            let known = nodes.iter().position(|known| *known == node);
            let centre = known.unwrap_or_else(|| {
                nodes.push(node);
                nodes.len() - 1
            });
            centres[at] = centre as u32;
            if !differs[at] {
                before = Some((way, centre as u32));
            }
        }
        let outside = nodes.len() as u32;
        centres.iter_mut().filter(|centre| **centre == u32::MAX).for_each(|c| *c = outside);
        while self.each.len() < self.tree.nodes.len() {
            self.each.push(std::array::from_fn(|_| vec![0.0; self.processors]));
            self.last.push(vec![0; self.processors]);
        }
        (nodes, centres)
    }

    /// The centre of a superstep that processors end at different places; `None` if some do not tell of it.
    fn mixed(&mut self, at: usize, cursors: &[Cursor<'_>], rows: &[Rows]) -> Option<NodeId> {
        let mut ways: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (row, cursor) in rows.iter().zip(cursors) {
            match row.ways[at] {
                ABSENT => return None,
                way => ways.entry(way).or_default().push(cursor.number),
            }
        }
        let ways: Vec<(u32, Vec<u32>)> = ways.into_iter().collect();
        let node = self.tree.mixed(&ways);
        self.tree.seen(node, &ways);
        Some(node)
    }
}

/// Supersteps of a centre with the same relation, whose key this is: how many follow each other.
type Run = (NodeId, Key, Rc<Relation>, f64);

/// Some processors with all that belongs to them.
type Chunk<'c, 'a> = (
    (((&'c mut [Cursor<'a>], &'c mut [Rows]), &'c mut [f64]), &'c mut [Option<(u64, u64)>]),
    (&'c mut [Stop], &'c [bool]),
);
