//! Collectives in which every processor sends to others.

use std::panic::Location;

use bytemuck::Pod;

use super::Call;
use crate::machine::Bsp;
use crate::machine::wrong::Wrong;

impl Bsp {
    /// Sends part i of a processor's parts to processor i. Returns what was received, by sender. Parts may have
    /// any lengths.
    ///
    /// It costs h·g + l; h is the largest number of bytes that a processor sends to others or receives from
    /// them.
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

    /// Gives the elements of every processor to all, by processor. Lengths may differ.
    ///
    /// It costs h·g + l; h is the larger of (p - 1) times the largest number of bytes of a processor, and the
    /// sum of the bytes of all others.
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

    /// Returns the elements that have arrived, by sender, one message from each, and this processor's own elements.
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
