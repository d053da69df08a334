//! Goes through the supersteps of a machine and its parts, a window of them at a time.

use std::collections::{BTreeMap, HashMap};

use cll_units::ProcessorId;
use rayon::prelude::*;

use super::cursor::{ABSENT, Cursor, Position, Rows, Stop};
use super::machines::GatheredMachine;
use super::parts::{Account, Ended};
use super::recorder::Recorder;
use super::reduce::{STRIP, Sums};
use super::relation::Relations;
use super::tree::{NodeId, Tree};

/// Supersteps of a window of the whole machine, and of one that has parts or is a part.
const WINDOW: u64 = 1024;
const SHORT: u64 = 64;
/// With fewer records in a window than this a second thread costs more than it saves.
const WORTH_A_THREAD: usize = 1 << 14;

/// Different columns of call paths of all processors that are remembered.
const COLUMNS: usize = 1 << 12;

/// The state that is gathered of all machines.
pub(super) struct Traversal<'m> {
    pub(super) machines: &'m [GatheredMachine],
    pub(super) tree: Tree,
    /// Whether the threads of the pool that this runs in share the work.
    pub(super) shared: bool,
    /// For each node and each processor of the program: the sums, by metric.
    pub(super) each: Vec<[Vec<f64>; 4]>,
    pub(super) last: Vec<Vec<u64>>,
    pub(super) processors: usize,
    /// Supersteps that not all logs have, and the first.
    pub(super) incomplete: (u64, u64),
    /// Centres of supersteps that processors end by different call paths: by these, and the first processor.
    columns: HashMap<Box<[u32]>, NodeId>,
    column: Vec<u32>,
    /// For each node: its number among the centres of a window.
    slots: Vec<u32>,
    /// The sums of the strips of a window.
    sums: Vec<Sums>,
    /// The centre of each superstep of the window that was added up, or none if the superstep is left out. Empty if
    /// nothing is recorded.
    added: Vec<Option<NodeId>>,
}

/// The costs of a machine's supersteps.
pub(super) struct Traversed {
    pub(super) account: Account,
    /// The seconds of each of its processors, from the first record to the last.
    pub(super) spans: Vec<f64>,
    /// The supersteps of the machine, if they are recorded.
    pub(super) recorder: Option<Recorder>,
}

/// Some supersteps of a machine that follow each other.
struct Window {
    base: u64,
    size: u64,
    /// By processor.
    rows: Vec<Rows>,
    /// Parts of the machine that have ended, by the superstep that they were in.
    parts: BTreeMap<u64, Vec<Ended>>,
    /// The records of these parts, by the same superstep.
    recorded: BTreeMap<u64, Vec<Recorder>>,
}

impl Window {
    fn new(processors: usize) -> Window {
        let rows = (0..processors).map(|_| Rows::default()).collect();
        Window { base: 1, size: 0, rows, parts: BTreeMap::new(), recorded: BTreeMap::new() }
    }

    fn limits(&self) -> (u64, u64) {
        (self.base, self.base + self.size)
    }

    /// The number of supersteps up to the last one that any processor has.
    fn used(&self) -> usize {
        let last = |row: &Rows| Some(row.paths.iter().rposition(|&path| path != ABSENT)? + 1);
        self.rows.iter().filter_map(last).max().unwrap_or(0)
    }

    /// Whether it is large enough for several threads.
    fn is_worth_sharing(&self) -> bool {
        self.size as usize * self.rows.len() >= WORTH_A_THREAD
    }
}

impl<'m> Traversal<'m> {
    /// For these machines of a program with `processors` processors. If `shared` is set, the threads of the current
    /// pool share the work.
    pub(super) fn new(
        machines: &'m [GatheredMachine],
        tree: Tree,
        processors: usize,
        shared: bool,
    ) -> Traversal<'m> {
        Traversal {
            machines,
            tree,
            shared,
            each: Vec::new(),
            last: Vec::new(),
            processors,
            incomplete: (0, 0),
            columns: HashMap::new(),
            column: Vec::new(),
            slots: Vec::new(),
            sums: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Goes through all supersteps of a machine; `cursors` are those of its processors. While a window is read, the
    /// previous window is added up. The recorder keeps each superstep.
    pub(super) fn machine(
        &mut self,
        index: usize,
        cursors: &mut [Cursor<'_>],
        mut recorder: Option<Recorder>,
    ) -> Traversed {
        let count = cursors.len();
        let machines = self.machines;
        let first = machines[index].first as usize;
        let mut account = Account::default();
        let mut relations = Relations::default();
        let mut positions = vec![Position::default(); count];
        let (mut ahead, mut behind) = (Window::new(count), Window::new(count));
        let mut size = if machines[index].parent.is_none() { WINDOW } else { SHORT };
        let mut next = Some(1);
        while let Some(base) = next {
            (ahead.base, ahead.size) = (base, size);
            let shared = self.shared && (ahead.is_worth_sharing() || behind.is_worth_sharing());
            let fill = |cursors: &mut _, ahead: &mut Window, positions: &mut _| {
                fill(machines, index, cursors, ahead, positions, shared);
            };
            let mut read = || {
                ahead.rows.iter_mut().for_each(|rows| rows.clear(size as usize));
                fill(cursors, &mut ahead, &mut positions);
            };
            let record = recorder.is_some();
            let mut add = || self.add(first, &behind, &mut account, &mut relations, shared, record);
            if shared {
                rayon::join(add, read);
            } else {
                add();
                read();
            }
            let sums = (&mut account, &mut relations);
            self.settle(first, &mut behind, cursors, sums, recorder.as_mut());
            while self.parts(index, cursors, &mut ahead, &mut positions, recorder.as_ref()) {
                size = SHORT;
                fill(cursors, &mut ahead, &mut positions);
            }
            std::mem::swap(&mut ahead, &mut behind);
            let waiting = positions.iter().zip(cursors.iter_mut());
            let waiting = waiting.filter(|(position, _)| position.stop == Stop::Window);
            next = waiting.filter_map(|(_, cursor)| cursor.next_number()).min();
        }
        self.add(first, &behind, &mut account, &mut relations, false, recorder.is_some());
        let sums = (&mut account, &mut relations);
        self.settle(first, &mut behind, cursors, sums, recorder.as_mut());
        if let Some(recorder) = &mut recorder {
            recorder.settle(cursors);
        }
        relations.settle(&mut account, &mut self.each, first);
        let spans = cursors.iter().zip(&positions);
        let spans = spans.map(|(cursor, position)| cursor.seconds(position.span));
        Traversed { account, spans: spans.collect(), recorder }
    }

    /// Goes through the parts that processors have reached; `false` if there are none.
    fn parts(
        &mut self,
        machine: usize,
        cursors: &mut [Cursor<'_>],
        window: &mut Window,
        positions: &mut [Position],
        recorder: Option<&Recorder>,
    ) -> bool {
        let part = |position: &Position| {
            if let Stop::Part(part) = position.stop { Some(part) } else { None }
        };
        let mut entered: Vec<usize> = positions.iter().filter_map(part).collect();
        entered.sort_unstable();
        entered.dedup();
        for &part in &entered {
            let GatheredMachine { first, nprocs, within, .. } = self.machines[part];
            let own = (first - self.machines[machine].first) as usize;
            let range = own..own + nprocs as usize;
            let own_recorder = recorder.map(|recorder| recorder.of_part(first as usize));
            let traversed = self.machine(part, &mut cursors[range.clone()], own_recorder);
            window.recorded.entry(within).or_default().extend(traversed.recorder);
            for (position, span) in positions[range].iter_mut().zip(traversed.spans) {
                position.inside += span;
                if matches!(position.stop, Stop::Part(_)) {
                    position.stop = Stop::Window;
                }
            }
            let costs = traversed.account.inherited(&self.tree);
            let ended = Ended { first: own, processors: nprocs as usize, costs };
            window.parts.entry(within).or_default().push(ended);
        }
        !entered.is_empty()
    }

    /// Adds a window's supersteps to their centres, except relations that are not known yet.
    fn add(
        &mut self,
        first: usize,
        window: &Window,
        account: &mut Account,
        relations: &mut Relations,
        shared: bool,
        record: bool,
    ) {
        let used = window.used();
        let rows = &window.rows;
        let (nodes, centres) = self.centres(first, window, used);
        // Always the same strips, so that sums are the same with any number of threads.
        let strips = used.div_ceil(STRIP);
        self.sums.resize_with(strips, Sums::default);
        let sum = |(strip, sums): (usize, &mut Sums)| {
            let range = strip * STRIP..((strip + 1) * STRIP).min(used);
            sums.take(rows, range.clone(), &centres[range]);
        };
        if shared {
            self.sums.par_iter_mut().enumerate().for_each(sum)
        } else {
            self.sums.iter_mut().enumerate().for_each(sum)
        }
        for sums in &self.sums {
            for (own, &centre) in sums.present.iter().enumerate() {
                let Some(&node) = nodes.get(centre as usize) else { continue };
                *account.own.entry(node).or_default() += sums.costs[own];
                sums.add_each(own, &mut self.each[node], &mut self.last[node], first);
            }
        }
        self.added.clear();
        if record {
            self.added.extend(centres.iter().map(|&centre| nodes.get(centre as usize).copied()));
        }
        let keys = self.sums.iter().flat_map(|sums| &sums.keys);
        for (position, (&key, &centre)) in keys.zip(&centres).enumerate() {
            if let Some(&node) = nodes.get(centre as usize) {
                relations.count(key, node, position);
            }
        }
    }

    /// Computes the missing relations of a window that was added up, and adds the parts that ended in it.
    fn settle(
        &mut self,
        first: usize,
        window: &mut Window,
        cursors: &mut [Cursor<'_>],
        (account, relations): (&mut Account, &mut Relations),
        recorder: Option<&mut Recorder>,
    ) {
        let rows = &window.rows;
        relations.learn(cursors, |position, member| rows[member].sets[position]);
        if let Some(recorder) = recorder {
            let strips = self.sums.iter().flat_map(|sums| &sums.keys);
            let mut parts = std::mem::take(&mut window.recorded);
            for (position, (node, &key)) in self.added.iter().zip(strips).enumerate() {
                let ended = parts.remove(&(window.base + position as u64));
                ended.into_iter().flatten().for_each(|part| recorder.part(part));
                if let (Some(node), Some(relation)) = (*node, relations.get(key)) {
                    recorder.superstep(node, position, rows, relation);
                }
            }
            parts.into_values().flatten().for_each(|part| recorder.part(part));
        }
        if relations.is_full() {
            relations.settle(account, &mut self.each, first);
        }
        for ended in std::mem::take(&mut window.parts).into_values() {
            account.combine(&ended, cursors.len());
        }
    }
    /// The centres of a window, and the index of the centre of each superstep. The index after the last centre means
    /// that the superstep is left out.
    fn centres(&mut self, first: usize, window: &Window, used: usize) -> (Vec<NodeId>, Vec<u32>) {
        let (of_first, others) =
            window.rows.split_first().map_or((&[][..], &[][..]), |(row, all)| (&row.paths, all));
        let mut differs = vec![false; used];
        for row in others {
            for (differs, (path, first)) in differs.iter_mut().zip(row.paths.iter().zip(of_first)) {
                *differs |= path != first;
            }
        }
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut centres = vec![ABSENT; used];
        let mut before = (ABSENT, ABSENT);
        for (position, (&path, &differs)) in of_first.iter().zip(&differs).enumerate() {
            if !differs && path == before.0 {
                centres[position] = before.1;
                continue;
            }
            let node = match (differs, path) {
                (true, _) => self.mixed(first, position, &window.rows),
                (false, ABSENT) => continue,
                (false, path) => Some(self.tree.centre(path)),
            };
            let Some(node) = node else {
                if self.incomplete.0 == 0 {
                    self.incomplete.1 = window.base + position as u64;
                }
                self.incomplete.0 += 1;
                continue;
            };
            if self.slots.len() <= node {
                self.slots.resize(node + 1, ABSENT);
            }
            if self.slots[node] == ABSENT {
                self.slots[node] = nodes.len() as u32;
                nodes.push(node);
            }
            centres[position] = self.slots[node];
            if !differs {
                before = (path, centres[position]);
            }
        }
        nodes.iter().for_each(|&node| self.slots[node] = ABSENT);
        let outside = nodes.len() as u32;
        centres.iter_mut().filter(|centre| **centre == ABSENT).for_each(|c| *c = outside);
        while self.each.len() < self.tree.nodes.len() {
            self.each.push(std::array::from_fn(|_| vec![0.0; self.processors]));
            self.last.push(vec![0; self.processors]);
        }
        (nodes, centres)
    }

    /// The centre of a superstep that processors end at different places; `None` if some logs do not have it.
    fn mixed(&mut self, first: usize, position: usize, rows: &[Rows]) -> Option<NodeId> {
        self.column.clear();
        self.column.extend(rows.iter().map(|row| row.paths[position]));
        if self.column.contains(&ABSENT) {
            return None;
        }
        self.column.push(first as u32);
        if let Some(&node) = self.columns.get(&self.column[..]) {
            return Some(node);
        }
        let mut paths: BTreeMap<u32, Vec<ProcessorId>> = BTreeMap::new();
        for (number, row) in (first as u32..).zip(rows) {
            paths.entry(row.paths[position]).or_default().push(ProcessorId(number));
        }
        let paths: Vec<(u32, Vec<ProcessorId>)> = paths.into_iter().collect();
        let node = self.tree.mixed(&paths);
        self.tree.seen(node, &paths);
        if self.columns.len() == COLUMNS {
            self.columns.clear();
        }
        self.columns.insert(self.column[..].into(), node);
        Some(node)
    }
}

/// Reads the supersteps of a window, for the processors that have more.
fn fill(
    machines: &[GatheredMachine],
    machine: usize,
    cursors: &mut [Cursor<'_>],
    window: &mut Window,
    positions: &mut [Position],
    shared: bool,
) {
    let part_of = |inner: usize| {
        let mut now = inner;
        while let Some(parent) = machines[now].parent {
            if parent == machine {
                return Some(now);
            }
            now = parent;
        }
        None
    };
    let limits = window.limits();
    let fill = |((cursor, rows), position): ((&mut Cursor<'_>, &mut Rows), &mut Position)| {
        if position.stop == Stop::Window {
            cursor.fill(rows, limits, machine, part_of, position);
        }
    };
    let rows = &mut window.rows;
    if shared {
        cursors.par_iter_mut().zip(rows).zip(positions).for_each(fill)
    } else {
        cursors.iter_mut().zip(rows).zip(positions).for_each(fill)
    }
}
