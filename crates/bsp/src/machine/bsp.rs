//! A processor as its program sees it.

use std::cell::{Cell, RefCell};
use std::panic::{Location, resume_unwind};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::get::Arrives;
use super::wrong::Wrong;
use crate::Misuse;
use crate::objects::Objects;
use crate::place::Place;
use crate::processor::Processor;

/// One processor of a running machine. A program gets it as its argument.
///
/// A program proceeds in supersteps. In one, a processor computes on its own memory, writes to ([`Bsp::put`])
/// and reads from ([`Bsp::get`]) areas of others, and sends messages ([`Bsp::send`]). All of this takes effect
/// when all have called [`Bsp::sync`]: first all gets read, then they are written, then the puts are written.
/// Messages can be read in the next superstep. If several processors write to one place, the order is that of
/// their numbers, then of their calls.
///
/// Misuse stops the machine: the call does not return, and the error of [`Machine::run`](crate::Machine::run)
/// names the place and what was wrong.
///
/// Matrix times vector; each processor has some rows and all of the vector:
///
/// ```
/// use cll_bsp::{Bsp, Machine};
///
/// /// The product's elements that belong to this processor's rows.
/// fn product(bsp: &mut Bsp, rows: &[[f64; 4]], own_part: &[f64]) -> Vec<f64> {
///     let vector = bsp.gather_all(own_part).concat();
///     let dot = |row: &[f64; 4]| row.iter().zip(&vector).map(|(a, x)| a * x).sum();
///     rows.iter().map(dot).collect()
/// }
///
/// let matrix = [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 0.0], [5.0; 4], [0.0, 0.0, 0.0, 2.0]];
/// let vector = [1.0, 10.0, 100.0, 1000.0];
/// let whole = Machine::threads(2).run(|bsp| {
///     let own = 2 * bsp.pid()..2 * bsp.pid() + 2;
///     let part = product(bsp, &matrix[own.clone()], &vector[own]);
///     bsp.gather(0, &part)
/// });
/// assert_eq!(whole.unwrap().unwrap().concat(), [4321.0, 10.0, 5555.0, 2000.0]);
/// ```
pub struct Bsp {
    pub(super) processor: RefCell<Processor>,
    /// Identifies the areas of this processor and machine.
    pub(super) token: u64,
    /// Gets of this superstep.
    pub(super) gets: RefCell<Vec<Rc<dyn Arrives>>>,
    /// Areas that are released when the superstep ends.
    pub(super) released: RefCell<Vec<(NonNull<u8>, usize)>>,
    /// The parts of the machine, once there was one.
    pub(super) objects: RefCell<Option<Objects>>,
    /// The machine was stopped: the other processors may be anywhere, nothing can be relied on.
    stopped: Cell<bool>,
}

/// A processor unwinds with this when the machine was stopped.
pub(super) struct Unwinding;

impl Bsp {
    pub(super) fn new(processor: Processor) -> Bsp {
        static TOKENS: AtomicU64 = AtomicU64::new(1);
        Bsp {
            processor: RefCell::new(processor),
            token: TOKENS.fetch_add(1, Relaxed),
            gets: RefCell::default(),
            released: RefCell::default(),
            objects: RefCell::new(None),
            stopped: Cell::new(false),
        }
    }

    pub(super) fn into_processor(self) -> Processor {
        drop(self.objects.take());
        self.processor.into_inner()
    }

    /// This processor's number, from 0.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// assert_eq!(Machine::threads(2).run(|bsp| bsp.pid()).unwrap(), 0);
    /// ```
    pub fn pid(&self) -> usize {
        self.processor.borrow().pid()
    }

    /// The number of processors of the machine.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// assert_eq!(Machine::threads(3).run(|bsp| bsp.nprocs()).unwrap(), 3);
    /// ```
    pub fn nprocs(&self) -> usize {
        self.processor.borrow().nprocs()
    }

    /// Seconds since this processor began, by its own clock.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let time = Machine::threads(1).run(|bsp| {
    ///     let begin = bsp.time();
    ///     std::thread::sleep(std::time::Duration::from_millis(2));
    ///     bsp.time() - begin
    /// });
    /// assert!(time.unwrap() >= 0.002);
    /// ```
    pub fn time(&self) -> f64 {
        self.processor.borrow().time()
    }

    /// Ends the superstep, together with all other processors.
    ///
    /// It costs h·g + l; h is the largest number of bytes that any processor sends or receives.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let from_the_left = Machine::threads(3).run(|bsp| {
    ///     bsp.send((bsp.pid() + 1) % bsp.nprocs(), &[bsp.pid()]);
    ///     bsp.sync();
    ///     bsp.messages().next().unwrap().payload::<usize>()[0]
    /// });
    /// assert_eq!(from_the_left.unwrap(), 2);
    /// ```
    #[track_caller]
    pub fn sync(&mut self) {
        self.end_superstep("Bsp::sync", 0, Location::caller());
    }

    pub(super) fn end_superstep(
        &mut self,
        function: &str,
        kind: u64,
        place: &'static Location<'static>,
    ) {
        self.go_on();
        let done = self.processor.get_mut().sync_collective(Place::from(place), kind);
        self.checked(function, place, done.map_err(Wrong::from));
        self.gets.get_mut().drain(..).for_each(|get| get.arrive());
        for (memory, size) in self.released.get_mut().drain(..) {
            // SAFETY: its handle and its registration are gone, and all accesses of this superstep are
            // complete.
            unsafe { self.processor.get_mut().free(memory, size) };
        }
    }

    /// The program has returned.
    #[track_caller]
    pub(super) fn end(&mut self) {
        self.go_on();
        // It also has the memory, which processor 0 frees.
        drop(self.objects.take());
        let done = self.processor.get_mut().end(Place::NOWHERE);
        self.checked("the program's end", Location::caller(), done.map_err(Wrong::from));
    }

    /// Stops calls of a program that has caught the unwinding.
    pub(super) fn go_on(&self) {
        if self.stopped.get() {
            resume_unwind(Box::new(Unwinding));
        }
    }

    /// The value; on an error stops the machine and unwinds.
    pub(super) fn checked<T>(
        &self,
        function: &str,
        place: &'static Location<'static>,
        result: Result<T, Wrong>,
    ) -> T {
        result.unwrap_or_else(|wrong| self.refuse(function, place, &wrong))
    }

    #[cold]
    pub(super) fn refuse(
        &self,
        function: &str,
        place: &'static Location<'static>,
        wrong: &Wrong,
    ) -> ! {
        self.stopped.set(true);
        if !matches!(wrong, Wrong::Misuse(Misuse::Stopped)) {
            let site = Place::from(place);
            self.processor.borrow().stop_because(&format!("{function} at {site}: {wrong}"));
        }
        // Without a message: the failure has it.
        resume_unwind(Box::new(Unwinding))
    }
}

impl std::fmt::Debug for Bsp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "processor {} of {}", self.pid(), self.nprocs())
    }
}
