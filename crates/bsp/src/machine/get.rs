//! Requested elements, before and after they arrive.

use std::cell::{Cell, UnsafeCell};
use std::rc::Rc;

use bytemuck::Pod;

/// Elements of another processor, requested by [`Bsp::get`](crate::Bsp::get). They can be used from the next
/// superstep on.
///
/// ```
/// # use cll_bsp::Machine;
/// let both = Machine::threads(2).run(|bsp| {
///     let mut area = bsp.area(1);
///     bsp.local_mut(&mut area)[0] = 5 * bsp.pid();
///     bsp.sync();
///     let first = bsp.get(1, &area, 0..1);
///     bsp.sync();
///     bsp.local_mut(&mut area)[0] += 1;
///     let second = bsp.get(1, &area, 0..1);
///     bsp.sync();
///     (first.values()[0], second.values()[0])
/// });
/// assert_eq!(both.unwrap(), (5, 6));
/// ```
#[derive(Debug)]
pub struct Get<T> {
    elements: Rc<Elements<T>>,
}

#[derive(Debug)]
struct Elements<T> {
    /// Written by the machine until they have arrived, then by nobody.
    memory: UnsafeCell<Vec<T>>,
    arrived: Cell<bool>,
}

/// Receives the end of the superstep.
pub(super) trait Arrives {
    fn arrive(&self);
}

impl<T> Arrives for Elements<T> {
    fn arrive(&self) {
        self.arrived.set(true);
    }
}

impl<T: Pod> Get<T> {
    pub(super) fn new(length: usize) -> Get<T> {
        let memory = UnsafeCell::new(bytemuck::zeroed_vec(length));
        Get { elements: Rc::new(Elements { memory, arrived: Cell::new(false) }) }
    }

    /// Where the elements are written, and their size in bytes.
    pub(super) fn destination(&self) -> (*mut u8, usize) {
        // SAFETY: there is no other reference to the elements before they have arrived.
        let memory = unsafe { &mut *self.elements.memory.get() };
        (memory.as_mut_ptr().cast(), size_of_val(memory.as_slice()))
    }

    pub(super) fn arrival(&self) -> Rc<dyn Arrives> {
        self.elements.clone()
    }

    /// The elements.
    ///
    /// # Panics
    /// If called in the superstep of the get: the elements arrive when it has ended.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let failure = Machine::threads(1).run(|bsp| {
    ///     let area = bsp.area::<u8>(8);
    ///     bsp.sync();
    ///     bsp.get(0, &area, 0..8).values()[0]
    /// });
    /// assert!(failure.unwrap_err().to_string().contains("call Bsp::sync first"));
    /// ```
    #[track_caller]
    pub fn values(&self) -> &[T] {
        let arrived = self.elements.arrived.get();
        assert!(
            arrived,
            "the elements arrive when the superstep of the get has ended: call Bsp::sync first"
        );
        // SAFETY: nobody writes to it any more.
        unsafe { &*self.elements.memory.get() }
    }

    /// The elements, owned.
    ///
    /// # Panics
    /// As [`Get::values`].
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let zeros = Machine::threads(2).run(|bsp| {
    ///     let area = bsp.area::<u8>(8);
    ///     bsp.sync();
    ///     let get = bsp.get(1, &area, 3..8);
    ///     bsp.sync();
    ///     get.into_values()
    /// });
    /// assert_eq!(zeros.unwrap(), [0; 5]);
    /// ```
    #[track_caller]
    pub fn into_values(self) -> Vec<T> {
        self.values();
        match Rc::try_unwrap(self.elements) {
            Ok(elements) => elements.memory.into_inner(),
            // SAFETY: as in `values`.
            Err(shared) => unsafe { &*shared.memory.get() }.clone(),
        }
    }
}
