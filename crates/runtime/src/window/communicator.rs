//! The members of a communicator, through the table of `cll_mpi_sync.h`.

use std::ffi::{c_int, c_longlong, c_uint, c_void};

use crate::abi::VERSION;

use super::Kept;

/// `struct cll_mpi_team`.
#[repr(C)]
pub struct CommunicatorTable {
    version: c_uint,
    members: extern "C" fn(*const c_void, *mut c_int, *mut c_int) -> c_int,
    barrier: extern "C" fn(*const c_void) -> c_int,
    latest: extern "C" fn(*const c_void, *mut c_longlong, c_int) -> c_int,
    all: extern "C" fn(*const c_void, *const c_void, *mut c_void, c_int) -> c_int,
    part: extern "C" fn(*const c_void) -> c_int,
    give: extern "C" fn(*const c_void, c_int, c_int) -> c_int,
    take: extern "C" fn(*mut c_void, c_int, c_int) -> c_int,
    join: extern "C" fn() -> c_int,
    kept: extern "C" fn(*const c_void) -> *mut Kept,
    keep: extern "C" fn(*const c_void, *mut Kept) -> c_int,
}

/// MPI has failed, and the program continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// A communicator.
#[derive(Clone, Copy)]
pub struct Communicator<'a> {
    table: &'a CommunicatorTable,
    comm: *const c_void,
}

/// The rank of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub rank: usize,
    /// The number of members; 0 in a communicator of two groups.
    pub size: usize,
}

impl<'a> Communicator<'a> {
    /// `None`: the table has another version, which its unit reports.
    ///
    /// # Safety
    /// `table` is null or one of `cll_mpi_sync.h`, `comm` points to a communicator.
    pub unsafe fn new(
        table: *const CommunicatorTable,
        comm: *const c_void,
    ) -> Option<Communicator<'a>> {
        // SAFETY: by the caller.
        let table = unsafe { table.as_ref() }.filter(|table| table.version == VERSION)?;
        Some(Communicator { table, comm })
    }

    pub fn member(self) -> Result<Member, Failed> {
        let (mut rank, mut size) = (0, 0);
        done((self.table.members)(self.comm, &raw mut rank, &raw mut size))?;
        Ok(Member { rank: rank as usize, size: size as usize })
    }

    pub fn barrier(self) -> Result<(), Failed> {
        done((self.table.barrier)(self.comm))
    }

    /// The maximum of each of all members' values; no member has it before all have arrived.
    pub fn latest<const N: usize>(self, mut values: [i64; N]) -> Result<[i64; N], Failed> {
        done((self.table.latest)(self.comm, values.as_mut_ptr(), N as c_int))?;
        Ok(values)
    }

    /// The values of all `size` members.
    pub fn all<T: Copy + Default>(self, own: T, size: usize) -> Result<Vec<T>, Failed> {
        let mut all = vec![T::default(); size];
        let bytes = size_of::<T>() as c_int;
        let own = std::ptr::from_ref(&own).cast();
        done((self.table.all)(self.comm, own, all.as_mut_ptr().cast(), bytes))?;
        Ok(all)
    }

    /// All members begin to exchange messages in pairs, as `talk` does.
    pub fn in_pairs<T>(
        self,
        talk: impl FnOnce(Pairs<'a>) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        done((self.table.part)(self.comm))?;
        let result = talk(Pairs(self.table));
        done((self.table.join)())?;
        result
    }

    /// Returns the data that is kept with the communicator.
    ///
    /// # Safety
    /// Nobody else uses it while the reference exists.
    pub unsafe fn kept(self) -> Option<&'a mut Kept> {
        // SAFETY: null, or from `keep`; by the caller.
        unsafe { (self.table.kept)(self.comm).as_mut() }
    }

    /// Keeps it until the communicator ends.
    pub fn keep(self, kept: Kept) -> Result<(), Failed> {
        let kept = Box::into_raw(Box::new(kept));
        let result = done((self.table.keep)(self.comm, kept));
        if result.is_err() {
            // SAFETY: its ownership was not taken.
            drop(unsafe { Box::from_raw(kept) });
        }
        result
    }
}

/// Members that exchange messages in pairs.
#[derive(Clone, Copy)]
pub struct Pairs<'a>(&'a CommunicatorTable);

impl Pairs<'_> {
    pub fn give(self, value: i64, to: usize) -> Result<(), Failed> {
        done((self.0.give)((&raw const value).cast(), size_of::<i64>() as c_int, to as c_int))
    }

    pub fn take(self, from: usize) -> Result<i64, Failed> {
        let mut value = 0i64;
        done((self.0.take)((&raw mut value).cast(), size_of::<i64>() as c_int, from as c_int))?;
        Ok(value)
    }
}

fn done(result: c_int) -> Result<(), Failed> {
    if result == 0 { Ok(()) } else { Err(Failed) }
}
