//! The time of a program by the costs of a machine: its instructions, in the order in which they are likely to follow each
//! other, on a core that begins an instruction as soon as what it needs is there.

use std::collections::{BTreeMap, HashMap, VecDeque};

use anyhow::{Context, Result, ensure};
use cll_machine::{Access, LatencyPoint, Machine, Pages};

use crate::callgrind::{Counts, Program, new_pages};
use crate::decode::{FLAGS, Instruction, Kind, Next, REGISTERS};
use crate::values::Values;

/// The numbers that a machine file lacks: how many instructions wait at the same time, and how many loads and stores
/// begin in a cycle. They are those of the processors of the last ten years.
const WINDOW: usize = 224;
const LOADS: usize = 2;
const STORES: usize = 1;
/// Stores that have ended, and wait for their line.
const WAITING_STORES: usize = 64;
/// Passages through the program, and instructions of each: some before time is taken, then those that count.
const WALKS: usize = 1500;
const BEFORE: usize = 500;
const COUNTED: usize = 1500;
/// A load that a pattern explains misses less often than this: more is a step of a line or beyond, which is not fetched
/// ahead over the borders of pages.
const STEP: f64 = 0.7;
/// A level is slower than the first one if a line takes this many times as long.
const CLEAR: f64 = 1.25;
/// The divider, a resource that is used in a cycle beside the kinds of instructions.
const DIVIDER: usize = 102;
/// Operations of the probe's loop between the number that the next turn needs and its branch: they are in what a wrong branch
/// takes there, and here they are followed.
const DECIDING: f64 = 4.0;
/// Bytes of a cache line.
const LINE: f64 = 64.0;

/// How far beyond the size of a cache the time of a line is asked for anew: a shared cache, or one that does not throw out
/// what was used longest ago, is not passed at once.
const BEYOND: [f64; 2] = [1.4, 2.0];
/// An interval of sizes ends at least so far before the next cache.
const BEFORE_NEXT: f64 = 0.85;
/// Working sets this many times the last size are of memory.
const FAR: f64 = 4.0;

/// Sizes that divide accesses by how many bytes were used since the last one to the same line: those of the caches, and
/// some behind each cache but the first.
pub fn bounds(machine: &Machine) -> Vec<f64> {
    let caches: Vec<f64> = machine
        .memory
        .levels
        .iter()
        .filter_map(|level| level.size)
        .map(|size| size.value)
        .collect();
    let mut all = Vec::new();
    for (k, size) in caches.iter().enumerate() {
        all.push(*size);
        let next = caches.get(k + 1).copied().unwrap_or(f64::INFINITY);
        let more = BEYOND.iter().map(|factor| factor * size);
        all.extend(more.filter(|value| k > 0 && *value < BEFORE_NEXT * next));
    }
    all
}

/// A working set in each interval between bounds.
fn working_sets(bounds: &[f64]) -> Vec<f64> {
    let first = bounds.first().map(|bound| bound / 2.0);
    let between = bounds.windows(2).map(|pair| (pair[0] * pair[1]).sqrt());
    first.into_iter().chain(between).chain(bounds.last().map(|bound| FAR * bound)).collect()
}

/// The value of a curve at a size, between the points beside it.
fn at(points: &[(f64, f64)], size: f64) -> Option<f64> {
    let after = points.iter().position(|point| point.0 >= size);
    match after {
        None => points.last().map(|point| point.1),
        Some(0) => Some(points[0].1),
        Some(after) => {
            let (one, other) = (points[after - 1], points[after]);
            let part = (size / one.0).ln() / (other.0 / one.0).ln();
            Some(one.1 + part * (other.1 - one.1))
        }
    }
}

fn points(of: &[LatencyPoint]) -> Vec<(f64, f64)> {
    of.iter().map(|point| (point.size, point.latency.value)).collect()
}

/// Costs in seconds.
pub struct Core {
    cycle: f64,
    latency: HashMap<(Kind, bool), f64>,
    /// How many begin in a cycle; below one: a cycle of how many.
    per_cycle: HashMap<Kind, f64>,
    levels: Vec<f64>,
    reads: Lines,
    writes: Lines,
    /// The additional time of a load or store beyond each level of translation.
    translation: Vec<f64>,
    /// A page, from its first use until it is given back.
    page: f64,
    wrong_branch: f64,
    /// The data that the file lacks.
    pub missing: Vec<String>,
}

/// How often lines can come, in seconds for each.
struct Lines {
    /// From each interval of sizes, in the order of memory: they are fetched ahead. 0 where the instructions of the probe's loop are the
    /// limit, as they are in the first level.
    in_order: Vec<f64>,
    /// In random order, as many at once as the core can wait for: what each takes more than one in the first level, whose
    /// instructions are followed. No line comes quicker than in the order of memory.
    anywhere: Vec<f64>,
    /// The additional time of each access beyond each level of translation.
    translated: Vec<f64>,
}

impl Lines {
    fn of(
        machine: &Machine,
        access: Access,
        sets: &[f64],
        missing: &mut Vec<String>,
    ) -> Result<Lines> {
        let memory = &machine.memory;
        let curve =
            memory.bandwidth.iter().find(|curve| curve.access == access && curve.cores == 1);
        let curve = curve.context("no bandwidth of one core in the machine file")?;
        let rates: Vec<(f64, f64)> =
            curve.points.iter().map(|point| (point.size, point.rate.value)).collect();
        let all: Vec<f64> =
            sets.iter().filter_map(|set| at(&rates, *set)).map(|rate| LINE / rate).collect();
        ensure!(all.len() == sets.len(), "the bandwidth of one core has no points");
        let in_order: Vec<f64> =
            all.iter().map(|value| if *value > CLEAR * all[0] { *value } else { 0.0 }).collect();
        let independent = |pages: Pages| {
            memory.independent.iter().find(|curve| {
                curve.access == access && curve.pages == pages && curve.stride <= LINE
            })
        };
        let each: Vec<(f64, f64)> = independent(Pages::Large)
            .or(independent(Pages::Small))
            .map_or(Vec::new(), |curve| points(&curve.points));
        if each.is_empty() {
            missing.push(format!(
                "{}s at the same time, taken as in the order of memory",
                access.name()
            ));
        }
        let first = at(&each, sets[0]).unwrap_or(0.0);
        let anywhere = sets
            .iter()
            .zip(&in_order)
            .map(|(set, in_order)| at(&each, *set).map_or(0.0, |each| each - first).max(*in_order));
        let anywhere = anywhere.collect();
        let translated = (0..memory.translation.len()).map(|step| {
            memory.each_translated(access, step).map_or(0.0, |uncertain| uncertain.value)
        });
        Ok(Lines { translated: translated.collect(), in_order, anywhere })
    }
}

impl Core {
    /// By a machine file.
    pub fn of(machine: &Machine) -> Result<Core> {
        let mut missing = Vec::new();
        let cost = |name: &str, operand: &str| {
            machine
                .operations
                .iter()
                .find(|operation| operation.name == name && operation.operand == operand)
        };
        let integer = cost("add", "integer").context("no integer addition in the machine file")?;
        let cycle = integer.latency.context("no latency of it")?.value;
        let (mut latency, mut per_cycle) = (HashMap::new(), HashMap::new());
        let kinds = [
            (Kind::Integer, "add", "integer"),
            (Kind::IntegerMultiply, "multiply", "integer"),
            (Kind::IntegerDivide, "divide", "integer"),
            (Kind::Add, "add", ""),
            (Kind::Multiply, "multiply", ""),
            (Kind::Fma, "fma", ""),
            (Kind::Divide, "divide", ""),
            (Kind::Sqrt, "sqrt", ""),
        ];
        for (kind, name, operand) in kinds {
            for is_single in [false, true] {
                let of = match (operand, is_single) {
                    ("", false) => "double",
                    ("", true) => "single",
                    (operand, _) => operand,
                };
                let Some(operation) = cost(name, of) else {
                    missing.push(format!("{name} of {of}"));
                    continue;
                };
                if let Some(value) = operation.latency {
                    latency.insert((kind, is_single), value.value);
                }
                if let Some(each) = operation.each.filter(|_| !is_single) {
                    per_cycle.insert(kind, cycle / each.value);
                }
            }
        }
        // Files of before this operation was measured: as a division of floating-point numbers.
        if !latency.contains_key(&(Kind::IntegerDivide, false)) {
            missing.push("division of integers, taken as that of doubles".to_owned());
            for is_single in [false, true] {
                if let Some(of) = latency.get(&(Kind::Divide, false)).copied() {
                    latency.insert((Kind::IntegerDivide, is_single), of);
                }
            }
            if let Some(of) = per_cycle.get(&Kind::Divide).copied() {
                per_cycle.insert(Kind::IntegerDivide, of);
            }
        }
        let sets = working_sets(&bounds(machine));
        let chase = |pages: Pages| {
            let curves = &mut machine.memory.latency.iter();
            curves.find(|curve| curve.pages == pages && curve.stride == LINE)
        };
        let chase = chase(Pages::Large).or(chase(Pages::Small));
        let chase = points(&chase.context("no latency of lines side by side")?.points);
        let levels: Vec<f64> = sets.iter().filter_map(|set| at(&chase, *set)).collect();
        ensure!(!sets.is_empty() && levels.len() == sets.len(), "there is no cache with a size");
        let reads = Lines::of(machine, Access::Read, &sets, &mut missing)?;
        let writes = Lines::of(machine, Access::Write, &sets, &mut missing)?;
        let translation =
            machine.memory.translation.iter().map(|translation| translation.cost.value).collect();
        if machine.page_use.is_none() {
            missing.push("first use of a page".to_owned());
        }
        let wrong_branch = machine.operations.iter().find(|operation| operation.name == "branch");
        let wrong_branch = wrong_branch.and_then(|operation| operation.latency.or(operation.each));
        Ok(Core {
            cycle,
            latency,
            per_cycle,
            levels,
            reads,
            writes,
            translation,
            page: machine.page_use.map_or(0.0, |uncertain| uncertain.value),
            wrong_branch: wrong_branch.context("no mispredicted branch in the machine file")?.value
                - DECIDING * cycle,
            missing,
        })
    }

    /// Returns the additional time of an access beyond so many levels of translation, and that of each of many accesses
    /// that do not need each other.
    fn translated(&self, lines: &Lines, passed: usize) -> (f64, f64) {
        match passed.checked_sub(1) {
            Some(step) => (self.translation[step], lines.translated[step]),
            None => (0.0, 0.0),
        }
    }

    /// The time of the whole program's instructions, and of its pages beyond `own`, seconds.
    pub fn time(
        &self,
        code: &BTreeMap<u64, Instruction>,
        counts: &Program,
        own: u64,
    ) -> (f64, f64) {
        let executed: Vec<(u64, u64)> = counts
            .iter()
            .filter(|(at, counts)| counts.executed > 0 && code.contains_key(at))
            .map(|(at, counts)| (*at, counts.executed))
            .collect();
        let all: u64 = counts.values().map(|counts| counts.executed).sum();
        let known: u64 = executed.iter().map(|pair| pair.1).sum();
        let mut callers: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
        for (at, counts) in counts {
            for (to, number) in &counts.calls {
                callers.entry(*to).or_default().push((*at, *number));
            }
        }
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut seconds, mut number) = (0.0, 0u64);
        for walk in 0..WALKS {
            // Beginnings are spread evenly over the executed instructions.
            let wanted = ((walk as f64 + random.unit()) / WALKS as f64 * known as f64) as u64;
            let mut sum = 0;
            let begin = executed.iter().find(|(_, count)| {
                sum += count;
                sum > wanted
            });
            let Some(&(begin, _)) = begin else { continue };
            let mut walk = Walk::new(self, code, counts, &callers, &mut random);
            let (time, of) = walk.from(begin);
            seconds += time;
            number += of;
        }
        let pages = new_pages(counts).saturating_sub(own) as f64 * self.page;
        let walked = if number == 0 { 0.0 } else { seconds / number as f64 * all as f64 };
        (walked, pages)
    }
}

/// A generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of these, by their numbers.
    fn one_of(&mut self, all: &[(u64, u64)]) -> Option<u64> {
        let sum: u64 = all.iter().map(|pair| pair.1).sum();
        let mut wanted = (self.unit() * sum as f64) as u64;
        all.iter().find_map(|(at, number)| {
            if wanted < *number {
                Some(*at)
            } else {
                wanted -= number;
                None
            }
        })
    }
}

struct Walk<'a> {
    core: &'a Core,
    code: &'a BTreeMap<u64, Instruction>,
    counts: &'a Program,
    callers: &'a HashMap<u64, Vec<(u64, u64)>>,
    random: &'a mut Random,
    /// When registers are known, and whether what is in them came from an array.
    ready: [f64; REGISTERS],
    loaded: [bool; REGISTERS],
    /// Begun in each cycle, by what is used.
    used: HashMap<(usize, u64), u32>,
    /// Until when the way of lines is taken.
    way: f64,
    /// When stores that wait for their line have it.
    stores: VecDeque<f64>,
    values: Values,
    front: f64,
    retired: Vec<f64>,
}

impl<'a> Walk<'a> {
    fn new(
        core: &'a Core,
        code: &'a BTreeMap<u64, Instruction>,
        counts: &'a Program,
        callers: &'a HashMap<u64, Vec<(u64, u64)>>,
        random: &'a mut Random,
    ) -> Walk<'a> {
        Walk {
            core,
            code,
            counts,
            callers,
            random,
            ready: [0.0; REGISTERS],
            loaded: [false; REGISTERS],
            used: HashMap::new(),
            way: 0.0,
            stores: VecDeque::new(),
            values: Values::new(WAITING_STORES),
            front: 0.0,
            retired: Vec::new(),
        }
    }

    /// The time from the counted begin to the end, and the number of instructions between.
    fn from(&mut self, begin: u64) -> (f64, u64) {
        let mut at = begin;
        let mut stack = Vec::new();
        while self.retired.len() < BEFORE + COUNTED {
            let Some(instruction) = self.code.get(&at) else { break };
            let empty = Counts::default();
            let counts = self.counts.get(&at).unwrap_or(&empty);
            self.execute(instruction, counts);
            match self.next(instruction, counts, &mut stack) {
                Some(next) => at = next,
                None => break,
            }
        }
        // A passage that ends early counts from its middle on.
        let from = BEFORE.min(self.retired.len() / 2);
        match self.retired.last() {
            Some(last) if self.retired.len() > from + 1 => {
                (last - self.retired[from], (self.retired.len() - 1 - from) as u64)
            }
            _ => (0.0, 0),
        }
    }

    fn next(
        &mut self,
        instruction: &Instruction,
        counts: &Counts,
        stack: &mut Vec<u64>,
    ) -> Option<u64> {
        match &instruction.next {
            Next::Fall => Some(instruction.after),
            Next::Branch(to) => {
                if let (Some(on_equal), Some(is_equal)) =
                    (instruction.on_equal, self.values.is_equal())
                {
                    return if on_equal == is_equal { *to } else { Some(instruction.after) };
                }
                let taken: u64 = counts.jumps.iter().map(|jump| jump.1).sum();
                let part = taken as f64 / counts.executed.max(1) as f64;
                if self.random.unit() < part { *to } else { Some(instruction.after) }
            }
            Next::Jump(Some(to)) => Some(*to),
            Next::Jump(None) => {
                self.random.one_of(&counts.jumps).or_else(|| self.random.one_of(&counts.calls))
            }
            Next::Call(to) => {
                stack.push(instruction.after);
                to.or_else(|| self.random.one_of(&counts.calls))
            }
            Next::Return => match stack.pop() {
                Some(back) => Some(back),
                None => {
                    let callers = self.callers.get(&instruction.function)?;
                    let site = self.random.one_of(callers)?;
                    self.code.get(&site).map(|call| call.after)
                }
            },
        }
    }

    /// When something of which so many begin in a cycle can begin, from a time on.
    fn slot(&mut self, what: usize, per_cycle: f64, from: f64) -> f64 {
        let cycle = self.core.cycle;
        let length = (1.0 / per_cycle).round().max(1.0) as u64;
        let room = per_cycle.round().max(1.0) as u32;
        // What takes several cycles has places of so many.
        let mut place = (from / cycle) as u64 / length;
        while self.used.get(&(what, place)).is_some_and(|used| *used >= room) {
            place += 1;
        }
        *self.used.entry((what, place)).or_default() += 1;
        from.max((place * length) as f64 * cycle)
    }

    /// When the divider, which also takes square roots, is free for so many cycles, from a time on.
    fn divider(&mut self, cycles: u64, from: f64) -> f64 {
        let cycle = self.core.cycle;
        let mut begin = (from / cycle) as u64;
        while let Some(taken) =
            (begin..begin + cycles).rev().find(|at| self.used.contains_key(&(DIVIDER, *at)))
        {
            begin = taken + 1;
        }
        self.used.extend((begin..begin + cycles).map(|at| ((DIVIDER, at), 1)));
        from.max(begin as f64 * cycle)
    }

    fn execute(&mut self, instruction: &Instruction, counts: &Counts) {
        let core = self.core;
        let width = core.per_cycle.get(&Kind::Integer).copied().unwrap_or(1.0);
        self.front += core.cycle / width;
        if let Some(before) = self.retired.len().checked_sub(WINDOW) {
            self.front = self.front.max(self.retired[before]);
        }
        let known = |registers: &[usize], ready: &[f64]| {
            registers.iter().map(|register| ready[*register]).fold(0.0, f64::max)
        };
        let mut at = self.front.max(known(&instruction.reads, &self.ready));
        let mut comes_from_array = instruction.reads.iter().any(|register| self.loaded[*register]);
        if instruction.loads {
            let begin = self.front.max(known(&instruction.address, &self.ready));
            let begin = self.slot(100, LOADS as f64, begin);
            let is_known = !instruction.address.iter().any(|register| self.loaded[*register]);
            let forwarded = instruction.place.as_ref().and_then(|from| self.values.loaded(from));
            at = at.max(match forwarded {
                // It gets what the store has, when that is there.
                Some(stored) => begin.max(stored) + core.levels[0],
                None => begin + self.load(counts, is_known, begin),
            });
            comes_from_array = instruction.is_array;
        } else if instruction.stores {
            at = at.max(known(&instruction.address, &self.ready));
        }
        if instruction.kind != Kind::None {
            let per_cycle = core.per_cycle.get(&instruction.kind).copied().unwrap_or(1.0);
            at = match instruction.kind {
                Kind::Divide | Kind::Sqrt => {
                    self.divider((1.0 / per_cycle).round().max(1.0) as u64, at)
                }
                kind => self.slot(kind as usize, per_cycle, at),
            };
            at += core
                .latency
                .get(&(instruction.kind, instruction.is_single))
                .copied()
                .unwrap_or(core.cycle);
        }
        if instruction.stores {
            at = self.slot(101, STORES as f64, at);
            if let Some(to) = &instruction.place {
                self.values.stored(to, at);
            }
            at = self.store(counts, at);
        }
        self.values.step(
            instruction.effect,
            &instruction.writes,
            instruction.writes.contains(&FLAGS),
        );
        for register in &instruction.writes {
            self.ready[*register] = at;
            self.loaded[*register] = comes_from_array;
        }
        let wrong = counts.mispredicted as f64 / counts.branches.max(1) as f64;
        if counts.branches > 0 && self.random.unit() < wrong {
            self.front = self.front.max(at) + core.wrong_branch;
        }
        let before = self.retired.last().copied().unwrap_or(0.0);
        self.retired.push(before.max(at));
    }

    /// The latency of a load.
    fn load(&mut self, counts: &Counts, is_known: bool, begin: f64) -> f64 {
        let core = self.core;
        let drawn = self.random.unit();
        let level = passed(&counts.read_misses, counts.reads, drawn).min(core.levels.len() - 1);
        let translated = passed(&counts.read_pages, counts.reads, drawn);
        let (more, each) = core.translated(&core.reads, translated);
        let first = counts.read_misses.first().copied().unwrap_or(0);
        // It is read ahead: only the way of its line is limited.
        let is_ahead = is_known && (first as f64) < STEP * counts.reads as f64;
        let line = match (level, is_ahead) {
            (0, _) => 0.0,
            (level, true) => core.reads.in_order[level],
            (level, false) => core.reads.anywhere[level],
        };
        let from = self.way.max(begin);
        if line + each > 0.0 {
            self.way = from + line + each;
        }
        match (level, is_ahead) {
            (0, _) => core.levels[0] + more,
            (_, true) => (self.way - begin).max(core.levels[0]) + more,
            (level, false) => from - begin + core.levels[level] + more,
        }
    }

    /// When a store that begins at a time has ended. It waits for its line beyond its end, and the next ones behind it; if
    /// as many wait as can, the core does.
    fn store(&mut self, counts: &Counts, begin: f64) -> f64 {
        let core = self.core;
        let drawn = self.random.unit();
        let level = passed(&counts.write_misses, counts.writes, drawn).min(core.levels.len() - 1);
        let translated = passed(&counts.write_pages, counts.writes, drawn);
        let (more, each) = core.translated(&core.writes, translated);
        let first = counts.write_misses.first().copied().unwrap_or(0);
        let is_ahead = (first as f64) < STEP * counts.writes as f64;
        let line = match (level, is_ahead) {
            (0, _) => 0.0,
            (level, true) => core.writes.in_order[level],
            (level, false) => core.writes.anywhere[level],
        };
        if line + each > 0.0 {
            self.way = self.way.max(begin) + line + each;
        }
        let there = if level == 0 { begin } else { self.way };
        let before = self.stores.back().copied().unwrap_or(0.0);
        self.stores.push_back(there.max(before));
        if self.stores.len() > WAITING_STORES
            && let Some(oldest) = self.stores.pop_front()
        {
            self.front = self.front.max(oldest);
        }
        begin + more
    }
}

/// Returns the level of an access, by a number from 0 to 1: the first level without such a miss. The accesses that miss
/// the most levels of the caches are those that miss the most levels of translation.
fn passed(misses: &[u64], accesses: u64, drawn: f64) -> usize {
    let of = |misses: &&u64| drawn < **misses as f64 / accesses.max(1) as f64;
    misses.iter().take_while(of).count()
}
