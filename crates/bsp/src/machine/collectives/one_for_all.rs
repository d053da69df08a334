//! Collectives with a root.

use std::panic::Location;

use bytemuck::Pod;

use super::{Call, MIN_TWO_STEP_BYTES};
use crate::Misuse;
use crate::machine::Bsp;

impl Bsp {
    /// Copies elements of the root to all processors; all pass the same number.
    ///
    /// For n bytes it costs (p - 1)·n·g + l; from 4 KiB and p = 3 on it takes two supersteps, 2·n·g + 2·l.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let copy = Machine::threads(4).run(|bsp| {
    ///     let mut elements = [bsp.pid(); 10_000];
    ///     bsp.broadcast(3, &mut elements);
    ///     elements
    /// });
    /// assert_eq!(copy.unwrap(), [3; 10_000]);
    /// ```
    #[track_caller]
    pub fn broadcast<T: Pod>(&mut self, root: usize, elements: &mut [T]) {
        let (place, size) = (Location::caller(), size_of_val(elements));
        let call = Call { name: "Bsp::broadcast", place, number: 3, root, size };
        self.begin(call);
        self.check_root(call);
        let (me, length) = (self.pid(), elements.len());
        let two = size >= MIN_TWO_STEP_BYTES && self.nprocs() > 2;
        let share = |to| if two { self.share(length, to) } else { 0..length };
        if me == root {
            for to in self.others() {
                self.give(call, to, &elements[share(to)]);
            }
        }
        let own = if two { self.share(length, me) } else { 0..length };
        self.superstep(call);
        for (_, given) in self.given() {
            elements[own.clone()].copy_from_slice(given);
        }
        if !two {
            return;
        }
        for to in self.others().filter(|to| *to != root) {
            self.give(call, to, &elements[own.clone()]);
        }
        self.superstep(call);
        if me != root {
            for (from, given) in self.given() {
                elements[self.share(length, from)].copy_from_slice(given);
            }
        }
    }

    /// Collects the elements of every processor at the root, by processor; `None` elsewhere. Lengths may
    /// differ.
    ///
    /// It costs h·g + l; h is the number of bytes that the root receives from others.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let all = Machine::threads(3).run(|bsp| bsp.gather(0, &[bsp.pid()]));
    /// assert_eq!(all.unwrap().unwrap(), [[0], [1], [2]]);
    /// ```
    #[track_caller]
    pub fn gather<T: Pod>(&mut self, root: usize, elements: &[T]) -> Option<Vec<Vec<T>>> {
        let place = Location::caller();
        let call = Call { name: "Bsp::gather", place, number: 4, root, size: 0 };
        self.begin(call);
        self.check_root(call);
        if self.pid() != root {
            self.give(call, root, elements);
        }
        self.superstep(call);
        (self.pid() == root).then(|| self.by_sender(elements))
    }

    /// Sends part i of the root's parts to processor i. The parts that others pass are ignored.
    ///
    /// It costs h·g + l; h is the number of bytes that the root sends to others.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let part = Machine::threads(3).run(|bsp| {
    ///     let parts = match bsp.pid() {
    ///         2 => vec![vec![4, 5], vec![6], vec![]],
    ///         _ => vec![],
    ///     };
    ///     bsp.scatter::<u64>(2, &parts)
    /// });
    /// assert_eq!(part.unwrap(), [4, 5]);
    /// ```
    #[track_caller]
    pub fn scatter<T: Pod>(&mut self, root: usize, parts: &[impl AsRef<[T]>]) -> Vec<T> {
        let place = Location::caller();
        let call = Call { name: "Bsp::scatter", place, number: 5, root, size: 0 };
        self.begin(call);
        self.check_root(call);
        if self.pid() == root {
            self.check_parts(call, parts.len());
            for to in self.others() {
                self.give(call, to, parts[to].as_ref());
            }
        }
        self.superstep(call);
        if self.pid() == root {
            return parts[root].as_ref().to_vec();
        }
        self.given().flat_map(|(_, part)| part.to_vec()).collect()
    }

    fn check_root(&self, call: Call) {
        if call.root >= self.nprocs() {
            let wrong = Misuse::NoSuchProcessor(call.root, self.nprocs());
            self.refuse(call.name, call.place, &wrong.into());
        }
    }
}
