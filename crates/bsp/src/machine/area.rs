//! Memory of a processor that the others can write and read.

use std::marker::PhantomData;
use std::ops::Range;
use std::panic::Location;
use std::ptr::NonNull;

use bytemuck::Pod;

use super::Bsp;
use super::get::Get;
use super::wrong::Wrong;
use crate::Misuse;

/// A processor's part of memory that all have created together with [`Bsp::area`]. Its length may differ
/// between processors.
///
/// It is this processor's handle: [`Bsp::local`] and [`Bsp::local_mut`] give access to its elements; for those
/// of other processors it is the name.
///
/// ```
/// # use cll_bsp::Machine;
/// let neighbours = Machine::threads(3).run(|bsp| {
///     // A ring: element 0 is the value of the left neighbour, element 1 that of the right neighbour.
///     let (me, p) = (bsp.pid(), bsp.nprocs());
///     let area = bsp.area::<usize>(2);
///     bsp.sync();
///     bsp.put((me + 1) % p, &[me], &area, 0);
///     bsp.put((me + p - 1) % p, &[me], &area, 1);
///     bsp.sync();
///     bsp.local(&area).to_vec()
/// });
/// assert_eq!(neighbours.unwrap(), [2, 1]);
/// ```
#[derive(Debug)]
pub struct Area<T> {
    memory: NonNull<T>,
    length: usize,
    token: u64,
    elements: PhantomData<T>,
}

impl<T> Area<T> {
    /// The number of its elements on this processor.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let length = Machine::threads(2).run(|bsp| bsp.area::<u16>(10 + bsp.pid()).len());
    /// assert_eq!(length.unwrap(), 10);
    /// ```
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has no elements.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// assert!(Machine::threads(2).run(|bsp| bsp.area::<u16>(0).is_empty()).unwrap());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn bytes(&self) -> usize {
        self.length * size_of::<T>()
    }

    fn name(&self) -> *mut u8 {
        self.memory.as_ptr().cast()
    }
}

impl Bsp {
    /// Creates an area of `length` elements, all bits of which are 0. All processors do so together, each with
    /// its own length. The others can access it from the next superstep on.
    ///
    /// It costs nothing in the model, and one page fault for each 4 KiB at the first use.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let sum = Machine::threads(4).run(|bsp| {
    ///     let area = bsp.area::<u64>(bsp.nprocs());
    ///     bsp.sync();
    ///     for to in 0..bsp.nprocs() {
    ///         bsp.put(to, &[1], &area, bsp.pid());
    ///     }
    ///     bsp.sync();
    ///     bsp.local(&area).iter().sum::<u64>()
    /// });
    /// assert_eq!(sum.unwrap(), 4);
    /// ```
    #[track_caller]
    pub fn area<T: Pod>(&self, length: usize) -> Area<T> {
        self.go_on();
        self.checked("Bsp::area", Location::caller(), self.make_area(length))
    }

    fn make_area<T: Pod>(&self, length: usize) -> Result<Area<T>, Wrong> {
        let none_left = || Misuse::NoMemory(format!("an area of {length} elements"));
        let bytes = length.checked_mul(size_of::<T>()).ok_or_else(none_left)?;
        let mut processor = self.processor.borrow_mut();
        let memory = processor.allocate(bytes.max(1))?;
        if !memory.cast::<T>().is_aligned() {
            return Err(Misuse::NoMemory(format!("alignment to {}", align_of::<T>())).into());
        }
        // SAFETY: it is ours until it is freed, which is after its registration has ended.
        unsafe { processor.push_reg(memory.as_ptr(), bytes)? };
        Ok(Area { memory: memory.cast(), length, token: self.token, elements: PhantomData })
    }

    /// Frees an area when the superstep ends; all processors do so together.
    ///
    /// An area that is never released exists as long as the machine.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// Machine::threads(2).run(|bsp| {
    ///     for _ in 0..1000 {
    ///         let large = bsp.area::<u64>(1 << 30);
    ///         bsp.release(large);
    ///         bsp.sync();
    ///     }
    /// }).unwrap();
    /// ```
    #[track_caller]
    pub fn release<T: Pod>(&self, area: Area<T>) {
        let place = Location::caller();
        self.own("Bsp::release", place, &area);
        let popped = self.processor.borrow_mut().pop_reg(area.name());
        self.checked("Bsp::release", place, popped.map_err(Wrong::from));
        self.released.borrow_mut().push((area.memory.cast(), area.bytes().max(1)));
    }

    /// The elements on this processor.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let zeros = Machine::threads(1).run(|bsp| {
    ///     let area = bsp.area::<f32>(3);
    ///     bsp.local(&area).to_vec()
    /// });
    /// assert_eq!(zeros.unwrap(), [0.0; 3]);
    /// ```
    #[track_caller]
    pub fn local<'a, T: Pod>(&'a self, area: &'a Area<T>) -> &'a [T] {
        self.own("Bsp::local", Location::caller(), area);
        // SAFETY: memory of the machine, which exists as long as `self` unless the area is released, which
        // needs its handle. Others access it only while this processor synchronises, which needs `self`
        // exclusively; this processor writes through `local_mut`, which needs the area exclusively.
        unsafe { std::slice::from_raw_parts(area.memory.as_ptr(), area.length) }
    }

    /// The elements on this processor, for writing. Two areas can be used at the same time.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let last = Machine::threads(1).run(|bsp| {
    ///     let (mut a, mut b) = (bsp.area::<u32>(100), bsp.area::<u32>(100));
    ///     let (a, b) = (bsp.local_mut(&mut a), bsp.local_mut(&mut b));
    ///     a.iter_mut().zip(1..).for_each(|(a, i)| *a = i);
    ///     b.copy_from_slice(a);
    ///     b[99]
    /// });
    /// assert_eq!(last.unwrap(), 100);
    /// ```
    ///
    /// They cannot be kept over a synchronisation:
    ///
    /// ```compile_fail,E0502
    /// # use cll_bsp::Machine;
    /// Machine::threads(1).run(|bsp| {
    ///     let mut area = bsp.area::<u32>(100);
    ///     let kept = bsp.local_mut(&mut area);
    ///     bsp.sync();
    ///     kept[0] = 1;
    /// });
    /// ```
    #[track_caller]
    pub fn local_mut<'a, T: Pod>(&'a self, area: &'a mut Area<T>) -> &'a mut [T] {
        self.own("Bsp::local_mut", Location::caller(), area);
        // SAFETY: as for `local`; an area has one handle.
        unsafe { std::slice::from_raw_parts_mut(area.memory.as_ptr(), area.length) }
    }

    /// Copies elements now; at the end of the superstep they are written into a processor's area, from the
    /// element `offset` on.
    ///
    /// It costs g for each byte, at the sender and at the receiver.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let area = Machine::threads(2).run(|bsp| {
    ///     let area = bsp.area::<u8>(4);
    ///     bsp.sync();
    ///     bsp.put(0, b"ab", &area, 2 * bsp.pid());
    ///     bsp.sync();
    ///     bsp.local(&area).to_vec()
    /// });
    /// assert_eq!(area.unwrap(), b"abab");
    /// ```
    #[track_caller]
    #[inline]
    pub fn put<T: Pod>(&self, to: usize, elements: &[T], area: &Area<T>, offset: usize) {
        let place = Location::caller();
        self.own("Bsp::put", place, area);
        let (from, size) = (elements.as_ptr().cast(), size_of_val(elements));
        let offset = offset.saturating_mul(size_of::<T>());
        let mut processor = self.processor.borrow_mut();
        // SAFETY: the elements are there.
        let done = unsafe { processor.put(to, from, area.name(), offset, size) };
        drop(processor);
        self.checked("Bsp::put", place, done.map_err(Wrong::from));
    }

    /// Reads elements of a processor's area with the values that they have when all have ended their
    /// computation. They can be used in the next superstep.
    ///
    /// It costs g for each byte, at both processors.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let squares = Machine::threads(3).run(|bsp| {
    ///     let mut area = bsp.area::<usize>(2);
    ///     bsp.local_mut(&mut area).copy_from_slice(&[bsp.pid(), bsp.pid() * bsp.pid()]);
    ///     bsp.sync();
    ///     let gets: Vec<_> = (0..bsp.nprocs()).map(|from| bsp.get(from, &area, 1..2)).collect();
    ///     bsp.sync();
    ///     gets.iter().map(|get| get.values()[0]).collect::<Vec<_>>()
    /// });
    /// assert_eq!(squares.unwrap(), [0, 1, 4]);
    /// ```
    #[track_caller]
    pub fn get<T: Pod>(&self, from: usize, area: &Area<T>, range: Range<usize>) -> Get<T> {
        let place = Location::caller();
        self.own("Bsp::get", place, area);
        let get = Get::new(range.len());
        let offset = range.start.saturating_mul(size_of::<T>());
        let (to, size) = get.destination();
        let mut processor = self.processor.borrow_mut();
        // SAFETY: the destination exists in `gets` until the superstep has ended, and nobody else uses it
        // before.
        let done = unsafe { processor.get(from, area.name(), offset, to, size) };
        drop(processor);
        self.checked("Bsp::get", place, done.map_err(Wrong::from));
        self.gets.borrow_mut().push(get.arrival());
        get
    }

    /// As [`Bsp::get`], but writes the elements into an area of this processor, from the element `start` on,
    /// before puts are written.
    ///
    /// It costs g for each byte, at both processors.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let both = Machine::threads(2).run(|bsp| {
    ///     let (mut own, all) = (bsp.area::<usize>(1), bsp.area::<usize>(2));
    ///     bsp.local_mut(&mut own)[0] = 7 + bsp.pid();
    ///     bsp.sync();
    ///     for from in 0..2 {
    ///         bsp.get_into(from, &own, 0..1, &all, from);
    ///     }
    ///     bsp.sync();
    ///     bsp.local(&all).to_vec()
    /// });
    /// assert_eq!(both.unwrap(), [7, 8]);
    /// ```
    #[track_caller]
    pub fn get_into<T: Pod>(
        &self,
        from: usize,
        area: &Area<T>,
        range: Range<usize>,
        into: &Area<T>,
        start: usize,
    ) {
        let place = Location::caller();
        self.own("Bsp::get_into", place, area);
        self.own("Bsp::get_into", place, into);
        let (length, to) = (range.len(), start.saturating_add(range.len()));
        if to > into.length {
            let wrong = Wrong::BeyondOwn { from: start, to, length: into.length };
            self.refuse("Bsp::get_into", place, &wrong);
        }
        let offset = range.start.saturating_mul(size_of::<T>());
        let mut processor = self.processor.borrow_mut();
        // SAFETY: the destination is in an area, which exists until the superstep has ended, and to which there
        // is no reference while this processor synchronises.
        let done = unsafe {
            let destination = into.memory.as_ptr().add(start).cast();
            let size = length * size_of::<T>();
            processor.get(from, area.name(), offset, destination, size)
        };
        drop(processor);
        self.checked("Bsp::get_into", place, done.map_err(Wrong::from));
    }

    #[inline]
    fn own<T>(&self, function: &str, place: &'static Location<'static>, area: &Area<T>) {
        self.go_on();
        if area.token != self.token {
            self.refuse(function, place, &Wrong::ForeignArea);
        }
    }
}
