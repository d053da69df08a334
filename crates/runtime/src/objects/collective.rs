//! Collective calls of a machine's processors: parts that they send each other, and one end of a superstep. A
//! hash of each processor's arguments must be the same on all.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::copy;

use cll_bsp::{Delivered, Handle, Misuse};

use super::context::{named, objects};
use crate::bsp::area::{DESTINATION, SOURCE};
use crate::bsp::call::Call;
use crate::bsp::number;

/// The kind of a call.
#[derive(Clone, Copy)]
enum CallKind {
    Broadcast = 1,
    Gather,
    Scatter,
    AllGather,
    TotalExchange,
    Reduce,
    Scan,
}

/// A call whose arguments were checked.
struct Collective {
    call: Call,
    handle: Handle,
    kind: CallKind,
    root: usize,
    source: *const u8,
    destination: *mut u8,
    /// Size of each processor's part in bytes.
    size: usize,
}

impl Collective {
    /// # Safety
    /// As `pub.h` says.
    unsafe fn new(
        call: Call,
        kind: CallKind,
        machine: *const Handle,
        root: c_int,
        (source, destination): (*const c_void, *mut c_void),
        size: c_int,
    ) -> Collective {
        let objects = objects(call);
        // SAFETY: by the caller.
        let handle = unsafe { named(call, machine) };
        call.must(objects.check(handle));
        let root = call.must(number::pid(root));
        if root >= handle.nprocs() {
            call.must(Err(Misuse::NoSuchProcessor(root, handle.nprocs())))
        }
        let size = call.must(number::size(size));
        let (source, destination) = (source.cast(), destination.cast());
        let collective = Collective { call, handle, kind, root, source, destination, size };
        collective.check_places();
        collective
    }

    fn is_root(&self) -> bool {
        self.root == self.handle.pid()
    }

    fn check_places(&self) {
        let reads = !matches!(self.kind, CallKind::Broadcast | CallKind::Scatter) || self.is_root();
        let writes = !matches!(self.kind, CallKind::Gather) || self.is_root();
        for (used, pointer, what) in
            [(reads, self.source, SOURCE), (writes, self.destination.cast_const(), DESTINATION)]
        {
            if used && self.size > 0 && pointer.is_null() {
                self.call.must(Err(Misuse::NullPointer(what)))
            }
        }
    }

    /// Sends each other processor what `goes` to it and ends the superstep. Returns what has arrived, by
    /// sender.
    ///
    /// # Safety
    /// The data of `goes` have the size of parts.
    unsafe fn exchange(&self, goes: impl Fn(usize) -> Option<*const u8>) -> &'static [Delivered] {
        let Collective { call, handle, kind, root, size, .. } = *self;
        let (pid, nprocs) = (handle.pid(), handle.nprocs());
        let objects = objects(call);
        for to in (1..nprocs).map(|distance| (pid + distance) % nprocs) {
            if let Some(part) = goes(to).filter(|_| size > 0) {
                // SAFETY: by the caller.
                call.must(unsafe { objects.send_part(handle, to, part, size) });
            }
        }
        // Equal calls have equal hashes; others have different ones, except with negligible probability.
        let word =
            (kind as u64) << 56 ^ (root as u64) << 32 ^ (size as u64).rotate_left(3) ^ 1 << 63;
        call.must(objects.sync_collective(handle, call.name, call.place, word));
        call.must(objects.parts(handle))
    }

    /// The place of a processor's part in a row of all parts.
    fn slot(&self, row: *mut u8, pid: usize) -> *mut u8 {
        row.wrapping_add(pid * self.size)
    }

    /// Writes the received parts into the row at the destination, and this processor's own part.
    ///
    /// # Safety
    /// As `pub.h` says.
    unsafe fn write_row(&self, parts: &[Delivered], own: *const u8) {
        // SAFETY: by the caller.
        unsafe {
            copy(own, self.slot(self.destination, self.handle.pid()), self.size);
            for part in parts {
                copy(part.data(), self.slot(self.destination, part.source()), self.size);
            }
        }
    }

    /// # Safety
    /// As `pub.h` says.
    unsafe fn broadcast(&self) {
        // SAFETY: by the caller.
        unsafe {
            let parts = self.exchange(|_| self.is_root().then_some(self.source));
            if self.size > 0 {
                let from = if self.is_root() { self.source } else { parts[0].data().cast_const() };
                copy(from, self.destination, self.size);
            }
        }
    }

    /// # Safety
    /// As `pub.h` says.
    unsafe fn gather(&self) {
        // SAFETY: by the caller.
        unsafe {
            let parts = self.exchange(|to| (to == self.root).then_some(self.source));
            if self.is_root() && self.size > 0 {
                self.write_row(parts, self.source);
            }
        }
    }

    /// # Safety
    /// As `pub.h` says.
    unsafe fn scatter(&self) {
        let slot = |pid| self.slot(self.source.cast_mut(), pid).cast_const();
        // SAFETY: by the caller.
        unsafe {
            let parts = self.exchange(|to| self.is_root().then(|| slot(to)));
            if self.size > 0 {
                let from =
                    if self.is_root() { slot(self.root) } else { parts[0].data().cast_const() };
                copy(from, self.destination, self.size);
            }
        }
    }

    /// # Safety
    /// As `pub.h` says.
    unsafe fn all_gather(&self) {
        // SAFETY: by the caller.
        unsafe {
            let parts = self.exchange(|_| Some(self.source));
            if self.size > 0 {
                self.write_row(parts, self.source);
            }
        }
    }

    /// # Safety
    /// As `pub.h` says.
    unsafe fn total_exchange(&self) {
        let slot = |pid| self.slot(self.source.cast_mut(), pid).cast_const();
        // SAFETY: by the caller.
        unsafe {
            let parts = self.exchange(|to| Some(slot(to)));
            if self.size > 0 {
                self.write_row(parts, slot(self.handle.pid()));
            }
        }
    }

    /// Combines all values, or those up to this processor's, from the lowest number on.
    ///
    /// # Safety
    /// As `pub.h` says.
    unsafe fn combine(&self, operator: Option<Operator>) {
        let Some(operator) = operator else {
            self.call.must(Err(Misuse::NullPointer("the operator")))
        };
        let (pid, size) = (self.handle.pid(), self.size);
        let is_scan = matches!(self.kind, CallKind::Scan);
        // SAFETY: by the caller.
        let parts = unsafe { self.exchange(|to| (!is_scan || to > pid).then_some(self.source)) };
        if size == 0 {
            return;
        }
        let last = if is_scan { pid } else { self.handle.nprocs() - 1 };
        let mut parts = parts.iter();
        // Words, so that values of every type are aligned.
        let room = || vec![0u128; size.div_ceil(16)];
        let (mut left, mut right, mut result) = (room(), room(), room());
        for index in 0..=last {
            let value = if index == pid {
                self.source
            } else {
                match parts.next() {
                    Some(part) => part.data().cast_const(),
                    None => break,
                }
            };
            // SAFETY: both have this many bytes; the operator is the program's, called as `pub.h` says.
            unsafe {
                if index == 0 {
                    copy(value, left.as_mut_ptr().cast(), size);
                    continue;
                }
                copy(value, right.as_mut_ptr().cast(), size);
                let mut size = size as c_int;
                let [to, left, right] =
                    [&mut result, &mut left, &mut right].map(|room| room.as_mut_ptr().cast());
                operator(to, left, right, &mut size);
            }
            std::mem::swap(&mut left, &mut result);
        }
        // SAFETY: by the caller.
        unsafe { copy(left.as_ptr().cast(), self.destination, size) };
    }
}

/// `cll_pub_operator`.
type Operator = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_int);

macro_rules! rooted {
    ($name:literal $function:ident $kind:ident $inner:ident) => {
        #[doc = concat!("`", $name, "`.")]
        ///
        /// # Safety
        /// As `pub.h` says; `file` is null or a string literal.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            machine: *const Handle,
            root: c_int,
            source: *const c_void,
            destination: *mut c_void,
            size: c_int,
            file: *const c_char,
            line: c_int,
        ) {
            // SAFETY: by the caller.
            unsafe {
                let call = Call::ending($name, file, line);
                let places = (source, destination);
                Collective::new(call, CallKind::$kind, machine, root, places, size).$inner();
            }
        }
    };
}

rooted!("bsp_bcast" cll_pub_bcast Broadcast broadcast);
rooted!("bsp_gather" cll_pub_gather Gather gather);
rooted!("bsp_scatter" cll_pub_scatter Scatter scatter);

macro_rules! rootless {
    ($name:literal $function:ident $kind:ident $inner:ident) => {
        #[doc = concat!("`", $name, "`.")]
        ///
        /// # Safety
        /// As `pub.h` says; `file` is null or a string literal.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            machine: *const Handle,
            source: *const c_void,
            destination: *mut c_void,
            size: c_int,
            file: *const c_char,
            line: c_int,
        ) {
            // SAFETY: by the caller.
            unsafe {
                let call = Call::ending($name, file, line);
                let places = (source, destination);
                Collective::new(call, CallKind::$kind, machine, 0, places, size).$inner();
            }
        }
    };
}

rootless!("bsp_allgather" cll_pub_allgather AllGather all_gather);
rootless!("bsp_total_exchange" cll_pub_total_exchange TotalExchange total_exchange);

macro_rules! combining {
    ($name:literal $function:ident $kind:ident) => {
        #[doc = concat!("`", $name, "`.")]
        ///
        /// # Safety
        /// As `pub.h` says; `file` is null or a string literal.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            machine: *const Handle,
            operator: Option<Operator>,
            source: *const c_void,
            destination: *mut c_void,
            size: c_int,
            file: *const c_char,
            line: c_int,
        ) {
            // SAFETY: by the caller.
            unsafe {
                let call = Call::ending($name, file, line);
                let places = (source, destination);
                Collective::new(call, CallKind::$kind, machine, 0, places, size).combine(operator);
            }
        }
    };
}

combining!("bsp_reduce" cll_pub_reduce Reduce);
combining!("bsp_scan" cll_pub_scan Scan);
