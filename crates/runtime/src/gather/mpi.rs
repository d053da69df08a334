//! The used part of MPI, through the table of `cll_mpi.h`. No wait is a call of MPI: a waiting process checks
//! its clock.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::*};
use std::time::{Duration, Instant};

use crate::abi::VERSION;
use crate::message::Message;

/// `struct cll_mpi`.
#[repr(C)]
pub struct MpiTable {
    version: c_uint,
    attach: extern "C" fn() -> c_int,
    place: extern "C" fn(rank: *mut c_int, size: *mut c_int) -> c_int,
    agree: extern "C" fn() -> c_int,
    share: unsafe extern "C" fn(own: *const c_void, all: *mut c_void, bytes: c_int) -> c_int,
    send: unsafe extern "C" fn(slot: c_int, bytes: *const c_void, count: c_int, to: c_int) -> c_int,
    receive:
        unsafe extern "C" fn(slot: c_int, bytes: *mut c_void, count: c_int, from: c_int) -> c_int,
    done: extern "C" fn(slot: c_int) -> c_int,
    finalize: extern "C" fn() -> c_int,
}

static TABLE: AtomicPtr<MpiTable> = AtomicPtr::new(ptr::null_mut());

/// The slot of messages that are not pieces of a file.
pub const CONTROL: usize = 2;

/// Why nothing is gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The others did not arrive in time.
    Late,
    /// MPI returned an error.
    Mpi,
}

/// The MPI of this program.
#[derive(Clone, Copy)]
pub struct Mpi(&'static MpiTable);

impl Mpi {
    /// Keeps the first table of several.
    ///
    /// # Safety
    /// `table` is null or valid, and stays.
    pub unsafe fn register(table: *const MpiTable) {
        // SAFETY: by the caller.
        let Some(known) = (unsafe { table.as_ref() }) else { return };
        if known.version != VERSION {
            // The unit of this source reports the version, and what to do.
            return;
        }
        let _ = TABLE.compare_exchange(ptr::null_mut(), table.cast_mut(), AcqRel, Relaxed);
    }

    /// The table, if a source of the program has a `report` of MPI.
    pub fn known() -> Option<Mpi> {
        // SAFETY: null or registered.
        unsafe { TABLE.load(Acquire).as_ref() }.map(Mpi)
    }

    /// Whether the library will be called at the end of MPI from now on.
    pub fn attach(self) -> bool {
        (self.0.attach)() == 0
    }

    /// The rank of this process, and the number of processes.
    pub fn place(self) -> Option<(usize, usize)> {
        let (mut rank, mut size) = (0, 0);
        ((self.0.place)(&raw mut rank, &raw mut size) == 0).then_some(())?;
        Some((usize::try_from(rank).ok()?, usize::try_from(size).ok()?))
    }

    /// Creates the communicator; all processes call it.
    pub fn agree(self, timeout: Option<Duration>) -> Result<(), Failed> {
        begun((self.0.agree)())?;
        self.wait(0, timeout)
    }

    /// Gathers the bytes of all processes, one after the other.
    pub fn share(
        self,
        own: &[u8],
        size: usize,
        timeout: Option<Duration>,
    ) -> Result<Vec<u8>, Failed> {
        // MPI may write there when we no longer wait.
        let all = Box::leak(vec![0; own.len() * size].into_boxed_slice());
        let own = Box::leak(Box::<[u8]>::from(own));
        // SAFETY: both have room and are never freed.
        begun(unsafe {
            (self.0.share)(own.as_ptr().cast(), all.as_mut_ptr().cast(), own.len() as c_int)
        })?;
        self.wait(0, timeout)?;
        Ok(all.to_vec())
    }

    /// Begins to send; `bytes` do not change until the slot is complete.
    ///
    /// # Safety
    /// As described.
    pub unsafe fn send(self, slot: usize, bytes: &[u8], to: usize) -> Result<(), Failed> {
        // SAFETY: by the caller.
        begun(unsafe {
            (self.0.send)(slot as c_int, bytes.as_ptr().cast(), bytes.len() as c_int, to as c_int)
        })
    }

    /// Begins to receive; nobody reads `bytes` until the slot is complete.
    ///
    /// # Safety
    /// As described.
    pub unsafe fn receive(self, slot: usize, bytes: &mut [u8], from: usize) -> Result<(), Failed> {
        // SAFETY: by the caller.
        begun(unsafe {
            (self.0.receive)(
                slot as c_int,
                bytes.as_mut_ptr().cast(),
                bytes.len() as c_int,
                from as c_int,
            )
        })
    }

    /// Sends a byte.
    pub fn send_byte(self, byte: u8, to: usize) -> Result<(), Failed> {
        let bytes = [byte];
        // SAFETY: its end is awaited here.
        unsafe { self.send(CONTROL, &bytes, to)? };
        self.wait(CONTROL, None)
    }

    /// Receives a byte.
    pub fn receive_byte(self, from: usize) -> Result<u8, Failed> {
        let mut bytes = [0];
        // SAFETY: its end is awaited here.
        unsafe { self.receive(CONTROL, &mut bytes, from)? };
        self.wait(CONTROL, None)?;
        Ok(bytes[0])
    }

    /// Waits until a slot is complete. In a longer wait the process yields its core.
    pub fn wait(self, slot: usize, timeout: Option<Duration>) -> Result<(), Failed> {
        const SPINS: u32 = 200;
        const YIELDS: u32 = 4000;
        const MAX_SLEEP: Duration = Duration::from_millis(1);
        let began = Instant::now();
        let mut polls = 0;
        loop {
            match (self.0.done)(slot as c_int) {
                0 => {}
                1 => return Ok(()),
                _ => return Err(Failed::Mpi),
            }
            polls += 1;
            match polls {
                0..SPINS => std::hint::spin_loop(),
                SPINS..YIELDS => std::thread::yield_now(),
                _ => {
                    if timeout.is_some_and(|timeout| began.elapsed() > timeout) {
                        return Err(Failed::Late);
                    }
                    std::thread::sleep(MAX_SLEEP);
                }
            }
        }
    }
}

fn begun(result: c_int) -> Result<(), Failed> {
    if result == 0 { Ok(()) } else { Err(Failed::Mpi) }
}

/// Continues in the next MPI_Finalize after ours: that of a tool that was loaded before the MPI, or that of MPI itself.
pub fn finalize(here: extern "C" fn() -> c_int) -> c_int {
    // SAFETY: a name; the symbol has the type of MPI_Finalize.
    let next = unsafe {
        let address = libc::dlsym(libc::RTLD_NEXT, c"MPI_Finalize".as_ptr());
        (!address.is_null() && address != here as *mut c_void)
            .then(|| std::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(address))
    };
    match (next, Mpi::known()) {
        (Some(next), _) => next(),
        (None, Some(mpi)) => (mpi.0.finalize)(),
        (None, None) => {
            Message::new()
                .text("MPI cannot be ended: its table has another version; translate again")
                .send();
            0
        }
    }
}
