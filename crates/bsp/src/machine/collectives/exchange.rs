//! Data of each processor's for some other.

use std::panic::Location;

use bytemuck::Pod;

use super::Call;
use crate::machine::Bsp;
use crate::machine::wrong::Wrong;

impl Bsp {
    /// Gives part i of a processor's parts to processor i; what it has got, by sender. Parts may have any
    /// lengths.
    ///
    /// Costs h·g + l, h being the most bytes that a processor gives to others or gets of them.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let got = Machine::threads(3).run(|bsp| {
    ///     let parts: Vec<Vec<usize>> = (0..3).map(|to| vec![bsp.pid(); to + 1]).collect();
    ///     bsp.exchange(&parts)
    /// });
    /// assert_eq!(got.unwrap(), [[0], [1], [2]]);
    /// ```
    #[track_caller]
    pub fn exchange<T: Pod>(&mut self, parts: &[impl AsRef<[T]>]) -> Vec<Vec<T>> {
        let place = Location::caller();
        let call = Call { name: "Bsp::exchange", place, number: 1, root: 0, size: 0 };
        self.begin(call);
        self.check_parts(call, parts.len());
        for to in self.others() {
            self.give(call, to, parts[to].as_ref());
        }
        self.superstep(call);
        self.by_sender(parts[self.pid()].as_ref())
    }

    /// Gives everybody's elements to all, by processor. Lengths may differ.
    ///
    /// Costs h·g + l, h being (p - 1) times the most bytes that a processor gives, or what all others give,
    /// whichever is more.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let all = Machine::threads(3).run(|bsp| bsp.gather_all(&vec![7u8; bsp.pid()]));
    /// assert_eq!(all.unwrap(), [vec![], vec![7], vec![7, 7]]);
    /// ```
    #[track_caller]
    pub fn gather_all<T: Pod>(&mut self, elements: &[T]) -> Vec<Vec<T>> {
        let place = Location::caller();
        let call = Call { name: "Bsp::gather_all", place, number: 2, root: 0, size: 0 };
        self.begin(call);
        for to in self.others() {
            self.give(call, to, elements);
        }
        self.superstep(call);
        self.by_sender(elements)
    }

    /// What has arrived by sender, one message of each, and this processor's own.
    pub(super) fn by_sender<T: Pod>(&self, own: &[T]) -> Vec<Vec<T>> {
        let mut all = vec![Vec::new(); self.nprocs()];
        all[self.pid()] = own.to_vec();
        for (from, elements) in self.given() {
            all[from] = elements.to_vec();
        }
        all
    }

    pub(super) fn check_parts(&self, call: Call, given: usize) {
        let wanted = self.nprocs();
        if given != wanted {
            self.refuse(call.name, call.place, &Wrong::Parts { given, wanted });
        }
    }
}
