//! Collectives that combine values of all processors.

use std::panic::Location;

use bytemuck::Pod;

use super::{Call, MIN_TWO_STEP_BYTES};
use crate::machine::Bsp;

impl Bsp {
    /// Combines the values of all processors, from the left, in the order of the processors. All get the
    /// result.
    ///
    /// For a value of n bytes it costs (p - 1)·n·g + l.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let largest = Machine::threads(5).run(|bsp| {
    ///     let value = ((bsp.pid() * 3) % 5) as f64;
    ///     bsp.fold(value, f64::max)
    /// });
    /// assert_eq!(largest.unwrap(), 4.0);
    /// ```
    #[track_caller]
    pub fn fold<T: Pod>(&mut self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let (place, size) = (Location::caller(), size_of::<T>());
        let call = Call { name: "Bsp::fold", place, number: 6, root: 0, size };
        self.begin(call);
        let values = self.values(call, value, |_| true);
        values.into_iter().reduce(combine).unwrap_or(value)
    }

    /// Combines the values of all processors up to and including this one.
    ///
    /// For a value of n bytes it costs (p - 1)·n·g + l.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let sums = Machine::threads(4).run(|bsp| {
    ///     let sum = bsp.scan(bsp.pid() + 1, |a, b| a + b);
    ///     bsp.gather_all(&[sum]).concat()
    /// });
    /// assert_eq!(sums.unwrap(), [1, 3, 6, 10]);
    /// ```
    #[track_caller]
    pub fn scan<T: Pod>(&mut self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let (place, size) = (Location::caller(), size_of::<T>());
        let call = Call { name: "Bsp::scan", place, number: 7, root: 0, size };
        self.begin(call);
        let me = self.pid();
        let values = self.values(call, value, |to| to > me);
        values.into_iter().take(me + 1).reduce(combine).unwrap_or(value)
    }

    /// Sends a value to some of the others. Returns the received values by processor, with this processor's own
    /// value where there is none.
    fn values<T: Pod>(&mut self, call: Call, value: T, is_for: impl Fn(usize) -> bool) -> Vec<T> {
        for to in self.others().filter(|&to| is_for(to)) {
            self.give(call, to, &[value]);
        }
        self.superstep(call);
        let mut values = vec![value; self.nprocs()];
        for (from, given) in self.given() {
            // Empty if values have no bytes.
            values[from] = given.first().copied().unwrap_or(value);
        }
        values
    }

    /// Combines the elements of all processors, first with first and so on, in the order of the processors. The
    /// results replace the elements everywhere. All pass the same number.
    ///
    /// For n bytes it costs (p - 1)·n·g + l; from 4 KiB and p = 3 on it takes two supersteps, 2·n·g + 2·l.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let counts = Machine::threads(3).run(|bsp| {
    ///     let mut counts = [0u32; 4];
    ///     counts[bsp.pid()] = 1;
    ///     counts[3] = 1;
    ///     bsp.fold_each(&mut counts, |a, b| a + b);
    ///     counts
    /// });
    /// assert_eq!(counts.unwrap(), [1, 1, 1, 3]);
    /// ```
    #[track_caller]
    pub fn fold_each<T: Pod>(&mut self, elements: &mut [T], combine: impl Fn(T, T) -> T) {
        let (place, size) = (Location::caller(), size_of_val(elements));
        let call = Call { name: "Bsp::fold_each", place, number: 8, root: 0, size };
        self.begin(call);
        let (me, length) = (self.pid(), elements.len());
        let two = size >= MIN_TWO_STEP_BYTES && self.nprocs() > 2;
        let share = |to| if two { self.share(length, to) } else { 0..length };
        for to in self.others() {
            self.give(call, to, &elements[share(to)]);
        }
        let own = share(me);
        self.superstep(call);
        let all = self.by_sender(&elements[own.clone()]);
        for (i, element) in elements[own.clone()].iter_mut().enumerate() {
            *element = all.iter().map(|values| values[i]).reduce(&combine).unwrap_or(*element);
        }
        if !two {
            return;
        }
        for to in self.others() {
            self.give(call, to, &elements[own.clone()]);
        }
        self.superstep(call);
        for (from, given) in self.given() {
            elements[self.share(length, from)].copy_from_slice(given);
        }
    }

    /// Whether the condition is true on all processors.
    ///
    /// It costs (p - 1)·g + l.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// assert!(!Machine::threads(3).run(|bsp| bsp.all(bsp.pid() != 1)).unwrap());
    /// ```
    #[track_caller]
    pub fn all(&mut self, is_so: bool) -> bool {
        self.fold(u8::from(is_so), |a, b| a & b) != 0
    }

    /// Whether the condition is true on at least one processor.
    ///
    /// It costs (p - 1)·g + l.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// assert!(Machine::threads(3).run(|bsp| bsp.any(bsp.pid() == 1)).unwrap());
    /// ```
    #[track_caller]
    pub fn any(&mut self, is_so: bool) -> bool {
        self.fold(u8::from(is_so), |a, b| a | b) != 0
    }
}
