//! The records of a program's accesses, and what they say of each passage of an experiment.

use std::collections::BTreeMap;

use crate::histogram::Histogram;
use crate::pages::{Paged, Pages};
use crate::stack::{ByNumber, Stack};

/// Bytes of a line.
pub const LINE: f64 = 64.0;
/// The most recent lines, whose accesses the program counts itself: `RECENT` of `probes/accesses.c`.
pub(crate) const RECENT: u64 = 16;
/// Words of a record.
pub const WORDS: usize = 3;
/// Callers of the function that allocates that tell arrays apart.
const CALLERS: usize = 3;

/// A variable of the program that is not on the stack, by its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The address in the file.
    pub address: u64,
    /// The size in bytes.
    pub size: u64,
}

/// Where the memory of an access belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Array {
    /// All that the same call has allocated: the return addresses of the call, of the call of the function that has it,
    /// and so on, as places in the file.
    Allocated(Vec<u64>),
    /// A variable with static storage.
    Static(String),
    /// The stack.
    Stack,
    /// Memory of libraries and of the system.
    Other,
}

/// The accesses of an instruction to an array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Those to lines that were used before, but not lately, by distance in lines.
    pub distances: Histogram,
    /// Those to lines that had never been used.
    pub first: u64,
}

/// The finished passages of a place with the same values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassageGroup {
    /// The number that the program's header has for the place.
    pub place: u64,
    /// The saved values.
    pub values: Vec<f64>,
    /// How many passages.
    pub passages: u64,
    /// One line of so many was followed.
    pub rate: u64,
    /// By index of the instruction and of the array.
    pub cells: BTreeMap<(usize, usize), Cell>,
    /// All accesses of each instruction; with sampling too, those to all lines.
    pub accesses: BTreeMap<usize, u64>,
    /// Distances in pages, one for each size of a page that was asked for.
    pub pages: Vec<Paged>,
}

/// A passage that has begun.
#[derive(Debug, Default)]
struct Open {
    place: u64,
    values: Vec<f64>,
    cells: ByNumber<u64, Cell>,
    accesses: BTreeMap<usize, u64>,
    /// By size of a page.
    pages: Vec<ByNumber<u64, Histogram>>,
}

/// An allocation whose callers are to come.
#[derive(Debug)]
struct Allocating {
    from: u64,
    to: u64,
    calls: Vec<u64>,
}

/// The memory that an instruction used last.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    from: u64,
    to: u64,
    array: usize,
    generation: u64,
}

/// The accesses of the records up to now.
#[derive(Debug)]
pub struct Accesses {
    /// One line of so many is followed.
    rate: u64,
    stack: Stack,
    /// By size of a page.
    pages: Vec<Pages>,
    variables: Vec<Variable>,
    /// Places in the file of the instructions, by number from 1.
    instructions: Vec<u64>,
    arrays: Vec<Array>,
    regions: BTreeMap<u64, (u64, usize)>,
    known: Vec<Known>,
    generation: u64,
    allocating: Option<Allocating>,
    open: Vec<Open>,
    groups: Vec<PassageGroup>,
    followed: u64,
}

/// The kinds of records, as in `probes/accesses.c`.
mod kind {
    pub const ACCESS: u64 = 0;
    pub const INSTRUCTION: u64 = 1;
    pub const ALLOCATE: u64 = 2;
    pub const FREE: u64 = 3;
    pub const BEGIN: u64 = 4;
    pub const VALUE: u64 = 5;
    pub const END: u64 = 6;
    pub const COUNT: u64 = 7;
    pub const STACK: u64 = 8;
    pub const CALLER: u64 = 9;
    pub const PAGE: u64 = 10;
}

impl Accesses {
    /// Nothing yet. `rate`: one line of so many is followed; 1 if all are. `pages`: the sizes of pages, bytes, and one of
    /// how many of them is followed.
    pub fn new(rate: u64, (pages, page_rate): (&[f64], u64), variables: Vec<Variable>) -> Accesses {
        Accesses {
            rate: rate.max(1),
            stack: Stack::default(),
            pages: pages.iter().filter_map(|size| Pages::new(*size, page_rate)).collect(),
            variables,
            instructions: vec![0],
            arrays: vec![Array::Other],
            regions: BTreeMap::new(),
            known: vec![Known::default()],
            generation: 1,
            allocating: None,
            open: Vec::new(),
            groups: Vec::new(),
            followed: 0,
        }
    }

    /// Takes a record. Unknown ones are skipped.
    pub fn record(&mut self, [head, a, b]: [u64; WORDS]) {
        let (kind, number) = (head & 0xFF, head >> 8);
        if kind == kind::ACCESS {
            return self.access(number as usize, a, b);
        }
        if kind == kind::PAGE {
            return self.page(number as usize, a, b);
        }
        if kind == kind::CALLER {
            let place = self.place(number);
            if let Some(allocating) = &mut self.allocating {
                allocating.calls.push(place);
            }
            return;
        }
        self.allocated();
        match kind {
            kind::INSTRUCTION => {
                let index = number as usize;
                if index >= self.instructions.len() && index <= self.instructions.len() + 64 {
                    self.instructions.resize(index + 1, 0);
                    self.known.resize(index + 1, Known::default());
                }
                if let Some(place) = self.instructions.get_mut(index) {
                    *place = a;
                }
            }
            kind::ALLOCATE if number == 0 && b == 0 => self.load(a),
            kind::ALLOCATE => {
                let calls = vec![self.place(number)];
                self.allocating = Some(Allocating { from: a, to: a.saturating_add(b), calls });
            }
            kind::FREE => {
                self.regions.remove(&a);
                self.generation += 1;
            }
            kind::BEGIN => {
                let pages = self.pages.iter().map(|_| ByNumber::default()).collect();
                self.open.push(Open { place: number, pages, ..Open::default() });
            }
            kind::VALUE => {
                if let Some(open) = self.open.last_mut() {
                    open.values.push(f64::from_bits(a));
                }
            }
            kind::END => self.end(number),
            kind::COUNT => {
                for open in &mut self.open {
                    *open.accesses.entry(number as usize).or_default() += a;
                }
            }
            kind::STACK => {
                let array = self.array(Array::Stack);
                self.regions.insert(a, (b, array));
            }
            _ => {}
        }
    }

    /// The passages that have ended.
    pub fn groups(&self) -> &[PassageGroup] {
        &self.groups
    }

    /// The place in the file of an instruction's return address.
    pub fn instruction(&self, index: usize) -> u64 {
        self.instructions.get(index).copied().unwrap_or(0)
    }

    /// The arrays that the cells of groups name.
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// The accesses whose distances were followed.
    pub fn followed(&self) -> u64 {
        self.followed
    }

    /// One line of so many was followed.
    pub fn rate(&self) -> u64 {
        self.rate
    }

    fn place(&self, number: u64) -> u64 {
        self.instructions.get(number as usize).copied().unwrap_or(0)
    }

    fn access(&mut self, instruction: usize, line: u64, before: u64) {
        self.followed += 1;
        let distance = self.stack.removed(line);
        if before != 0 {
            self.stack.pushed(before);
        }
        if self.open.is_empty() {
            return;
        }
        self.allocated();
        let array = self.array_of(instruction, line << 6);
        let key = (instruction as u64) << 32 | array as u64;
        for open in &mut self.open {
            let cell = open.cells.entry(key).or_default();
            match distance {
                Some(rest) => {
                    let distance = ((rest + RECENT) * self.rate) as f64;
                    cell.distances.add(distance, self.rate);
                }
                None => cell.first += self.rate,
            }
        }
    }

    /// A page is used that is not among the most recent ones, by an access to a line of it; `before` leaves these.
    fn page(&mut self, instruction: usize, line: u64, before: u64) {
        let distances: Vec<Option<f64>> =
            self.pages.iter_mut().map(|pages| pages.used(line, before)).collect();
        if self.open.is_empty() || distances.iter().all(Option::is_none) {
            return;
        }
        self.allocated();
        let array = self.array_of(instruction, line << 6);
        let key = (instruction as u64) << 32 | array as u64;
        for open in &mut self.open {
            for ((distance, pages), cells) in distances.iter().zip(&self.pages).zip(&mut open.pages)
            {
                if let Some(distance) = distance {
                    cells.entry(key).or_default().add(*distance, pages.rate());
                }
            }
        }
    }

    fn array_of(&mut self, instruction: usize, address: u64) -> usize {
        let last = address | 63;
        let index = if instruction < self.known.len() { instruction } else { 0 };
        let known = self.known[index];
        if known.generation == self.generation && known.from <= last && address < known.to {
            return known.array;
        }
        // A line may begin before the array that it has the beginning of.
        let region = self.regions.range(..=last).next_back();
        match region.filter(|(_, (to, _))| address < *to) {
            Some((&from, &(to, array))) => {
                self.known[index] = Known { from, to, array, generation: self.generation };
                array
            }
            None => 0,
        }
    }

    fn array(&mut self, array: Array) -> usize {
        let number = self.arrays.iter().position(|other| *other == array);
        number.unwrap_or_else(|| {
            self.arrays.push(array);
            self.arrays.len() - 1
        })
    }

    /// The program is loaded at an address.
    fn load(&mut self, base: u64) {
        for variable in std::mem::take(&mut self.variables) {
            let array = self.array(Array::Static(variable.name));
            let from = base.wrapping_add(variable.address);
            self.regions.insert(from, (from.saturating_add(variable.size), array));
        }
        self.generation += 1;
    }

    fn allocated(&mut self) {
        let Some(mut allocating) = self.allocating.take() else { return };
        allocating.calls.truncate(1 + CALLERS);
        let array = self.array(Array::Allocated(allocating.calls));
        self.regions.insert(allocating.from, (allocating.to, array));
        self.generation += 1;
    }

    fn end(&mut self, place: u64) {
        // Passages that a jump has left are dropped.
        let Some(position) = self.open.iter().rposition(|open| open.place == place) else { return };
        let open = self.open.swap_remove(position);
        self.open.truncate(position);
        let is_same = |group: &PassageGroup| {
            let values = group.values.iter().zip(&open.values);
            group.place == place
                && group.values.len() == open.values.len()
                && values.into_iter().all(|(a, b)| a.to_bits() == b.to_bits())
        };
        let index = self.groups.iter().rposition(is_same).unwrap_or_else(|| {
            let values = open.values.clone();
            let pages = self.pages.iter().map(Pages::no_cells).collect();
            self.groups.push(PassageGroup {
                place,
                values,
                rate: self.rate,
                pages,
                ..PassageGroup::default()
            });
            self.groups.len() - 1
        });
        let group = &mut self.groups[index];
        group.passages += 1;
        let pair = |key: u64| ((key >> 32) as usize, (key & 0xFFFF_FFFF) as usize);
        for (known, cells) in group.pages.iter_mut().zip(open.pages) {
            for (key, distances) in cells {
                known.cells.entry(pair(key)).or_default().merge(&distances);
            }
        }
        for (key, cell) in open.cells {
            let key = pair(key);
            let known = group.cells.entry(key).or_default();
            known.distances.merge(&cell.distances);
            known.first += cell.first;
        }
        for (instruction, number) in open.accesses {
            *group.accesses.entry(instruction).or_default() += number;
        }
    }
}

/// The accesses of several runs of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// Places in the file of the instructions' return addresses.
    pub instructions: Vec<u64>,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The passages, by indices of these.
    pub groups: Vec<PassageGroup>,
}

impl Stream {
    /// Adds what a run says, except of passages whose place and values are known already.
    pub fn add(&mut self, run: &Accesses) {
        let index = |known: &mut Vec<u64>, place: u64| {
            known.iter().position(|number| *number == place).unwrap_or_else(|| {
                known.push(place);
                known.len() - 1
            })
        };
        let instructions: Vec<usize> =
            run.instructions.iter().map(|place| index(&mut self.instructions, *place)).collect();
        let arrays = run.arrays.iter().map(|array| {
            self.arrays.iter().position(|other| other == array).unwrap_or_else(|| {
                self.arrays.push(array.clone());
                self.arrays.len() - 1
            })
        });
        let arrays: Vec<usize> = arrays.collect();
        let known = self.groups.len();
        for group in &run.groups {
            let is_same =
                |other: &PassageGroup| other.place == group.place && other.values == group.values;
            if self.groups[..known].iter().any(is_same) {
                continue;
            }
            let renumbered = |(instruction, array): &(usize, usize)| {
                (instructions.get(*instruction).copied().unwrap_or(0), arrays[*array])
            };
            let cells = group.cells.iter().map(|(key, cell)| (renumbered(key), cell.clone()));
            let pages = group.pages.iter().map(|paged| Paged {
                page: paged.page,
                rate: paged.rate,
                cells: paged
                    .cells
                    .iter()
                    .map(|(key, histogram)| (renumbered(key), histogram.clone()))
                    .collect(),
            });
            let accesses = group.accesses.iter().map(|(instruction, number)| {
                (instructions.get(*instruction).copied().unwrap_or(0), *number)
            });
            self.groups.push(PassageGroup {
                place: group.place,
                values: group.values.clone(),
                passages: group.passages,
                rate: group.rate,
                cells: cells.collect(),
                accesses: accesses.collect(),
                pages: pages.collect(),
            });
        }
    }
}
