//! Events of PAPI. Its library is searched for when one is requested.

use std::ffi::{CStr, CString, c_char, c_int, c_longlong, c_ulong, c_void};
use std::mem::transmute_copy;
use std::ops::RangeInclusive;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::*};

use cll_trace::observable::MAX_OBSERVABLES;

use crate::abi;

/// The possible names of the library, the latest first; Debian's end with the minor version.
const LIBRARIES: [&CStr; 10] = [
    c"libpapi.so.7",
    c"libpapi.so.7.2",
    c"libpapi.so.7.1",
    c"libpapi.so.7.0",
    c"libpapi.so.6",
    c"libpapi.so.6.0",
    c"libpapi.so.5",
    c"libpapi.so.5.7",
    c"libpapi.so.5.6",
    c"libpapi.so",
];
/// Versions to try: the library accepts only its own.
const MAJORS: RangeInclusive<c_int> = 5..=9;
const MINORS: RangeInclusive<c_int> = 0..=15;
const OK: c_int = 0;
/// `PAPI_NULL`: no event set.
const NONE: c_int = -1;

/// The used functions of the library.
struct Papi {
    create_eventset: unsafe extern "C" fn(*mut c_int) -> c_int,
    add_named_event: unsafe extern "C" fn(c_int, *const c_char) -> c_int,
    start: unsafe extern "C" fn(c_int) -> c_int,
    read: unsafe extern "C" fn(c_int, *mut c_longlong) -> c_int,
    stop: unsafe extern "C" fn(c_int, *mut c_longlong) -> c_int,
    cleanup_eventset: unsafe extern "C" fn(c_int) -> c_int,
    destroy_eventset: unsafe extern "C" fn(*mut c_int) -> c_int,
    strerror: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// The library, once it was found. Never unloaded.
static LOADED: AtomicPtr<Papi> = AtomicPtr::new(ptr::null_mut());

/// Events of one of PAPI's components, counted for the calling thread.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    number: c_int,
    pub count: usize,
}

impl Set {
    pub const EMPTY: Set = Set { number: NONE, count: 0 };

    /// Adds an event. A set has events of one component.
    pub(super) fn add(&mut self, name: &str) -> Result<(), String> {
        let papi = papi()?;
        let name = CString::new(name).map_err(|_| "no name of PAPI has a zero byte".to_owned())?;
        // SAFETY: PAPI's own functions; the number is that of one of our sets.
        unsafe {
            if self.count == 0 {
                self.number = NONE;
                papi.check((papi.create_eventset)(&mut self.number))?;
            }
            papi.check((papi.add_named_event)(self.number, name.as_ptr())).inspect_err(|_| {
                if self.count == 0 {
                    self.close();
                }
            })?;
        }
        self.count += 1;
        Ok(())
    }

    /// Begins to count.
    pub(super) fn start(&self) -> Result<(), String> {
        let papi = papi()?;
        // SAFETY: one of our sets, with events.
        papi.check(unsafe { (papi.start)(self.number) })
    }

    /// Reads the counts so far; returns whether that succeeded.
    pub fn read(&self, values: &mut [c_longlong; MAX_OBSERVABLES]) -> bool {
        // SAFETY: the library is never unloaded.
        let Some(papi) = (unsafe { LOADED.load(Acquire).as_ref() }) else { return false };
        // SAFETY: the set has no more events than there is room.
        unsafe { (papi.read)(self.number, values.as_mut_ptr()) == OK }
    }

    /// Destroys the set.
    pub fn close(&mut self) {
        // SAFETY: the library is never unloaded.
        if let (Some(papi), true) = (unsafe { LOADED.load(Acquire).as_ref() }, self.number != NONE)
        {
            let mut values = [0; MAX_OBSERVABLES];
            // SAFETY: one of our sets. A set that cannot be stopped was not started.
            unsafe {
                (papi.stop)(self.number, values.as_mut_ptr());
                (papi.cleanup_eventset)(self.number);
                (papi.destroy_eventset)(&mut self.number);
            }
        }
        *self = Set::EMPTY;
    }
}

impl Papi {
    fn check(&self, result: c_int) -> Result<(), String> {
        if result >= OK {
            return Ok(());
        }
        // SAFETY: a string of the library, or null.
        let text = unsafe {
            let text = (self.strerror)(result);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        };
        Err(format!("PAPI says: {}", text.unwrap_or_else(|| format!("error {result}"))))
    }
}

/// The library, loaded at the first request. The lock of our library is held.
fn papi() -> Result<&'static Papi, String> {
    // SAFETY: never unloaded.
    if let Some(papi) = unsafe { LOADED.load(Acquire).as_ref() } {
        return Ok(papi);
    }
    let library =
        LIBRARIES.iter().map(|name| open(name)).find(|library| !library.is_null()).ok_or(
            "PAPI's library (libpapi.so, version 5 to 7) was not found: install PAPI, such as \
                Debian's libpapi-dev; programs that are linked statically cannot use it",
        )?;
    // SAFETY: the names are those of PAPI's functions with these types, since version 5.3.
    let papi = unsafe {
        let library_init: unsafe extern "C" fn(c_int) -> c_int =
            symbol(library, c"PAPI_library_init")?;
        let thread_init: unsafe extern "C" fn(unsafe extern "C" fn() -> c_ulong) -> c_int =
            symbol(library, c"PAPI_thread_init")?;
        let papi = Papi {
            create_eventset: symbol(library, c"PAPI_create_eventset")?,
            add_named_event: symbol(library, c"PAPI_add_named_event")?,
            start: symbol(library, c"PAPI_start")?,
            read: symbol(library, c"PAPI_read")?,
            stop: symbol(library, c"PAPI_stop")?,
            cleanup_eventset: symbol(library, c"PAPI_cleanup_eventset")?,
            destroy_eventset: symbol(library, c"PAPI_destroy_eventset")?,
            strerror: symbol(library, c"PAPI_strerror")?,
        };
        let mut versions =
            MAJORS.flat_map(|major| MINORS.map(move |minor| major << 24 | minor << 16));
        if !versions.any(|version| library_init(version) == version) {
            return Err("PAPI could not be initialised".to_owned());
        }
        // A program that uses PAPI itself may already have set the function that identifies its threads.
        thread_init(thread_number);
        papi
    };
    let papi = Box::leak(Box::new(papi));
    LOADED.store(papi, Release);
    Ok(papi)
}

/// A shared library of the system by its name; null if it does not exist, and in programs that are linked
/// statically, in which it would load a second C library.
fn open(name: &CStr) -> *mut c_void {
    // Looked up by name: linkers warn of static programs that name it themselves.
    // SAFETY: the types are those of `dlopen`.
    unsafe {
        let dlopen = libc::dlsym(libc::RTLD_DEFAULT, c"dlopen".as_ptr());
        if dlopen.is_null() || libc::getauxval(libc::AT_BASE) == 0 {
            return ptr::null_mut();
        }
        let dlopen: unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void =
            transmute_copy(&dlopen);
        dlopen(name.as_ptr(), libc::RTLD_NOW)
    }
}

/// A different number for each thread.
unsafe extern "C" fn thread_number() -> c_ulong {
    abi::this_thread() as usize as c_ulong
}

/// A function of the library.
///
/// # Safety
/// `F` is the type of a pointer to it.
unsafe fn symbol<F: Copy>(library: *mut c_void, name: &CStr) -> Result<F, String> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: the library is open, the name a string of C.
    let address = unsafe { libc::dlsym(library, name.as_ptr()) };
    if address.is_null() {
        Err(format!("PAPI's library has no {}: it is too old", name.to_string_lossy()))
    } else {
        // SAFETY: by the caller.
        Ok(unsafe { transmute_copy::<*mut c_void, F>(&address) })
    }
}
