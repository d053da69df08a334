//! Makes correct programs from arbitrary numbers. A choice that would be an error is skipped, so any part of a
//! list of choices is also a program, and a failure can be shrunk.

use proptest::prelude::*;

use super::model::{Area, Get, Model, Put, Slot};
use super::program::{At, BLOCKS, Message, Op, PAGE, Program, Superstep, lead, pattern};

/// Random programs.
pub fn program() -> impl Strategy<Value = Program> {
    let choices = prop::collection::vec((0..KINDS, any::<u64>()), 0..120);
    (1..6usize, choices).prop_map(|(processors, choices)| make(processors, &choices))
}

const KINDS: usize = 35;

fn make(processors: usize, choices: &[(usize, u64)]) -> Program {
    let mut maker = Maker::new(processors);
    for &(kind, seed) in choices {
        let mut dice = Dice(seed);
        match kind {
            0..3 => maker.push(&mut dice),
            3 => drop(maker.pop(&mut dice)),
            29 => while maker.pop(&mut dice) {},
            4 => maker.set_tag(&mut dice),
            5..7 => maker.write(&mut dice),
            7..12 => maker.put(false, &mut dice),
            12..17 => maker.get(false, &mut dice),
            17..20 => maker.send(false, &mut dice),
            20..22 => maker.put(true, &mut dice),
            22..24 => maker.get(true, &mut dice),
            24 => maker.send(true, &mut dice),
            25 | 28 => maker.remap(&mut dice),
            33 => maker.iterate(&mut dice),
            34 => maker.bulk(&mut dice),
            _ => maker.sync(seed),
        }
    }
    // The last messages arrive in a separate superstep.
    maker.sync(0);
    maker.sync(u64::MAX);
    maker.program
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    /// From 0 to a limit, often where something begins or ends in the library.
    fn size(&mut self, limit: usize) -> usize {
        const EDGES: [usize; 12] =
            [0, 1, 8, 16, 472, 512, 4096, 8192, 16_384, 20_480, 32_768, 65_536];
        let size = match self.below(4) {
            0 => self.below(limit + 1),
            1 => self.below(40),
            2 => limit - self.below(limit.min(9) + 1),
            _ => (EDGES[self.below(EDGES.len())] + self.below(3)).saturating_sub(1),
        };
        size.min(limit)
    }

    fn offset(&mut self, limit: usize) -> usize {
        match self.below(3) {
            0 => self.size(limit),
            _ => self.below(200).min(limit),
        }
    }

    fn place(&mut self) -> At {
        let block = self.below(BLOCKS.len());
        At { block, byte: self.offset(BLOCKS[block] - 1) }
    }
}

/// Memory that is used in a superstep, and whether it may be used once more.
#[derive(Clone, Copy)]
struct Use {
    pid: usize,
    place: At,
    size: usize,
    alone: bool,
}

impl Use {
    fn clashes(&self, other: &Use) -> bool {
        (self.alone || other.alone)
            && (self.pid, self.place.block) == (other.pid, other.place.block)
            && self.place.byte < other.place.byte + other.size
            && other.place.byte < self.place.byte + self.size
    }
}

/// A get.
#[derive(Clone, Copy)]
struct Wanted {
    by: usize,
    name: At,
    from: usize,
    offset: usize,
    dst: At,
    size: usize,
}

struct Maker {
    processors: usize,
    model: Model,
    step: Superstep,
    uses: Vec<Use>,
    program: Program,
}

impl Maker {
    fn new(processors: usize) -> Maker {
        let mut maker = Maker {
            processors,
            model: Model::new(processors),
            step: Superstep::default(),
            uses: Vec::new(),
            program: Program { processors, supersteps: Vec::new() },
        };
        maker.begin(0);
        maker
    }

    fn begin(&mut self, seed: u64) {
        let inbox = self.model.inbox.clone();
        let mut dice = Dice(seed);
        let taken = inbox.iter().map(|inbox| dice.below(inbox.len() + 1)).collect();
        self.step = Superstep { inbox, taken, ..Superstep::default() };
        self.step.ops = vec![Vec::new(); self.processors];
        self.step.changing = vec![Vec::new(); self.processors];
        self.uses.clear();
    }

    fn sync(&mut self, seed: u64) {
        self.model.sync();
        self.step.memory = self.model.memory.clone();
        self.program.supersteps.push(std::mem::take(&mut self.step));
        self.begin(seed);
    }

    fn op(&mut self, pid: usize, op: Op) {
        self.step.ops[pid].push(op);
    }

    /// Uses memory, all of these or none. Returns whether it may be used.
    fn may_use(&mut self, alone: bool, uses: &[(usize, At, usize)]) -> bool {
        let before = self.uses.len();
        for &(pid, place, size) in uses {
            let new = Use { pid, place, size, alone };
            if self.uses.iter().any(|other| new.clashes(other)) {
                self.uses.truncate(before);
                return false;
            }
            self.uses.push(new);
            if alone {
                self.step.changing[pid].push((place, size));
            }
        }
        true
    }

    fn push(&mut self, dice: &mut Dice) {
        let areas: Vec<Area> = (0..self.processors)
            .map(|_| {
                let block = dice.below(BLOCKS.len());
                // Few begins, so that the same address is registered several times.
                let byte = [0, 0, 1, 100, BLOCKS[block] / 2][dice.below(5)];
                let rest = BLOCKS[block] - byte;
                let size = if dice.below(3) > 0 { rest } else { dice.size(rest) };
                (dice.below(6) > 0).then_some((At { block, byte }, size))
            })
            .collect();
        for (pid, area) in areas.iter().enumerate() {
            let (place, size) = (area.map(|(place, _)| place), area.map_or(0, |(_, size)| size));
            self.op(pid, Op::Push { at: place, size });
        }
        self.model.slots.push(Slot { areas, in_force: false, popped: false });
    }

    /// Returns whether there was one to pop.
    fn pop(&mut self, dice: &mut Dice) -> bool {
        let slots = &self.model.slots;
        let can_be_named = |&index: &usize| {
            let areas = || slots[index].areas.iter().enumerate();
            if areas().all(|(_, area)| area.is_none()) {
                let none = |slot: &Slot| !slot.popped && slot.areas.iter().all(Option::is_none);
                return slots.iter().rposition(none) == Some(index);
            }
            areas().all(|(pid, area)| {
                area.is_none_or(|(place, _)| self.model.last(pid, place) == Some(index))
            })
        };
        let candidates: Vec<usize> =
            (0..slots.len()).filter(|&i| !slots[i].popped).filter(can_be_named).collect();
        if candidates.is_empty() {
            return false;
        }
        let slot = &mut self.model.slots[candidates[dice.below(candidates.len())]];
        slot.popped = true;
        for (pid, area) in slot.areas.clone().into_iter().enumerate() {
            self.op(pid, Op::Pop { at: area.map(|(place, _)| place) });
        }
        true
    }

    fn set_tag(&mut self, dice: &mut Dice) {
        let size = [0, 1, 4, 8, 16, 33][dice.below(6)];
        let before = std::mem::replace(&mut self.model.tags.2, size);
        for pid in 0..self.processors {
            self.op(pid, Op::SetTag { size, before });
        }
    }

    fn write(&mut self, dice: &mut Dice) {
        let (pid, place, seed) = (dice.below(self.processors), dice.place(), dice.0);
        let size = dice.size(BLOCKS[place.block] - place.byte);
        if self.may_use(false, &[(pid, place, size)]) {
            self.model.bytes(pid, place, size).copy_from_slice(&pattern(seed, size));
            self.op(pid, Op::Write { seed, at: place, size });
        }
    }

    /// A processor, a name that it has for an area, another processor and its area with this name.
    fn access(&self, dice: &mut Dice) -> Option<(usize, At, usize, At, usize)> {
        (0..8).find_map(|_| self.one_access(dice))
    }

    fn one_access(&self, dice: &mut Dice) -> Option<(usize, At, usize, At, usize)> {
        let (pid, other) = (dice.below(self.processors), dice.below(self.processors));
        let in_force = self.model.slots.iter().filter(|slot| slot.in_force);
        let names: Vec<At> = in_force.filter_map(|slot| Some(slot.areas[pid]?.0)).collect();
        let name = *names.get(dice.below(names.len().max(1)))?;
        let (place, size) = self.model.find(pid, name)?.areas[other]?;
        Some((pid, name, other, place, size))
    }

    fn put(&mut self, hp: bool, dice: &mut Dice) {
        let Some((from, name, to, area, area_size)) = self.access(dice) else { return };
        let src = dice.place();
        let offset = dice.offset(area_size);
        let size = dice.size((area_size - offset).min(BLOCKS[src.block] - src.byte));
        let place = At { byte: area.byte + offset, ..area };
        if self.may_use(hp, &[(from, src, size), (to, place, size)]) {
            let bytes = self.model.bytes(from, src, size).to_vec();
            self.model.puts.push(Put { from, to, place, bytes });
            self.op(from, Op::Put { hp, to, src, name, offset, size });
        }
    }

    fn get(&mut self, hp: bool, dice: &mut Dice) {
        let Some((by, name, from, area, area_size)) = self.access(dice) else { return };
        let dst = dice.place();
        let offset = dice.offset(area_size);
        let size = dice.size((area_size - offset).min(BLOCKS[dst.block] - dst.byte));
        self.get_this(Wanted { by, name, from, offset, dst, size }, hp, area);
    }

    fn get_this(&mut self, wanted: Wanted, hp: bool, area: At) {
        let Wanted { by, name, from, offset, dst, size } = wanted;
        let src = At { byte: area.byte + offset, ..area };
        if self.may_use(hp, &[(from, src, size), (by, dst, size)]) {
            self.model.gets.push(Get { by, from, src, dst, size });
            self.op(by, Op::Get { hp, from, name, offset, dst, size });
        }
    }

    /// Supersteps with the same, or nearly the same, gets of data that is written or put again.
    fn iterate(&mut self, dice: &mut Dice) {
        let mut wanted: Vec<Wanted> = (0..1 + dice.below(5))
            .filter_map(|_| {
                let (by, name, from, _, area_size) = self.access(dice)?;
                let dst = dice.place();
                let inside = area_size.saturating_sub(300);
                let offset = if dice.below(4) > 0 { inside / 2 } else { dice.offset(inside) };
                let room = (area_size - offset).min(BLOCKS[dst.block] - dst.byte);
                let size = [8, 8, 24, 100, 300][dice.below(5)].min(room);
                Some(Wanted { by, name, from, offset, dst, size })
            })
            .collect();
        for _ in 0..2 + dice.below(6) {
            // Sometimes without them, or with one less.
            let other = dice.below(12);
            if other == 2 {
                wanted.pop();
            }
            for &wanted in wanted.iter().filter(|_| other > 1) {
                let area_of = |slot: &Slot| slot.areas[wanted.from];
                let name = wanted.name;
                let area = self.model.find(wanted.by, name).filter(|slot| slot.in_force);
                if let Some((area, size)) = area.and_then(area_of)
                    && wanted.offset + wanted.size <= size
                {
                    self.get_this(wanted, false, area);
                }
            }
            match dice.below(8) {
                0..3 => self.write(dice),
                3..6 => self.put(false, dice),
                6 => self.get(false, dice),
                _ => {}
            }
            self.sync(dice.0);
        }
    }

    /// A superstep with much data from one processor to another, in one piece or in several that may overlap,
    /// and some other data.
    fn bulk(&mut self, dice: &mut Dice) {
        self.sync(dice.0);
        let is_large =
            |&(from, _, to, _, size): &(usize, At, usize, At, usize)| from != to && size > 20_000;
        let access = (0..20).find_map(|_| self.access(dice).filter(is_large));
        let Some((from, name, to, area, area_size)) = access else { return };
        for _ in 0..1 + dice.below(3) {
            let src = At { block: dice.below(2), byte: dice.below(200) };
            let offset = dice.offset(area_size / 4);
            let room = (area_size - offset).min(BLOCKS[src.block] - src.byte);
            let size = room - dice.below(room / 4);
            let place = At { byte: area.byte + offset, ..area };
            if self.may_use(false, &[(from, src, size), (to, place, size)]) {
                let bytes = self.model.bytes(from, src, size).to_vec();
                self.model.puts.push(Put { from, to, place, bytes });
                self.op(from, Op::Put { hp: false, to, src, name, offset, size });
            }
        }
        match dice.below(8) {
            0 => self.get(false, dice),
            1 | 2 => self.put(false, dice),
            3 => self.send(false, dice),
            4 => drop(self.pop(dice)),
            _ => {}
        }
        self.sync(dice.0);
    }

    fn send(&mut self, hp: bool, dice: &mut Dice) {
        let (source, to) = (dice.below(self.processors), dice.below(self.processors));
        let src = dice.place();
        let size = dice.size(BLOCKS[src.block] - src.byte);
        if self.may_use(hp, &[(source, src, size)]) {
            let tag = pattern(dice.0, self.model.tags.1);
            let payload = self.model.bytes(source, src, size).to_vec();
            self.model.sent[to].push(Message { source, tag: tag.clone(), payload });
            self.op(source, Op::Send { hp, to, tag, src, size });
        }
    }

    fn remap(&mut self, dice: &mut Dice) {
        let all = (0..self.processors).flat_map(|pid| (0..BLOCKS.len()).map(move |b| (pid, b)));
        let is_free = |&(pid, block): &(usize, usize)| {
            let is_there =
                |slot: &Slot| slot.areas[pid].is_some_and(|(place, _)| place.block == block);
            !self.model.slots.iter().any(is_there)
        };
        let free: Vec<(usize, usize)> = all.filter(is_free).collect();
        let Some(&(pid, block)) = free.get(dice.below(free.len().max(1))) else { return };
        let lead = lead(pid, block);
        let all = (lead + BLOCKS[block]).div_ceil(PAGE);
        let from = dice.below(all);
        let pages = from..from + 1 + dice.below(all - from);
        let begin = (pages.start * PAGE).max(lead) - lead;
        let end = ((pages.end * PAGE) - lead).min(BLOCKS[block]);
        let place = At { block, byte: begin };
        if self.may_use(false, &[(pid, place, end - begin)]) {
            self.model.bytes(pid, place, end - begin).fill(0);
            self.op(pid, Op::Remap { block, pages });
        }
    }
}
