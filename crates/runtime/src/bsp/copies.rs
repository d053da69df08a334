//! The threads engine for programs in C: each processor is a thread that runs a copy of the program.
//!
//! Variables of one processor must not be visible to the others. So the program is loaded once for each
//! processor, from memory files with its content. Each copy has its own copy of this library; the first copy
//! gives the others their slots in the machine. With PUB the copies continue after the end of their machine,
//! each until its `main` returns or calls `exit`, which is replaced by `cll_bsp_exit`.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::*};

use cll_bsp::Misuse;
use cll_bsp::threads::{Slot, report_crashes, slots};

use crate::{objects, sys};

use super::call::Call;
use super::context::{Spmd, Stage, stage};
use super::crew::{CREW, Crew, LOADED, crew, in_objects, is_first_part};
use super::ending::{self, program_ends, watch_the_end};

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;

/// As in `copy.c`.
#[repr(C)]
struct Task {
    slot: *mut Slot,
    crew: *const Crew,
    spmd: Option<Spmd>,
    main: Option<Main>,
    argc: c_int,
    argv: *mut *mut c_char,
    environment: *mut *mut c_char,
}

/// The slot of this copy, until it begins; null in the first copy.
static SLOT: AtomicPtr<Slot> = AtomicPtr::new(std::ptr::null_mut());

unsafe extern "C" {
    fn cll_bsp_leave_copy(status: c_int) -> !;
    static environ: *mut *mut c_char;
}

/// The first copy gives this one its slot.
///
/// # Safety
/// `slot` is a boxed [`Slot`], whose ownership is passed; `crew` belongs to the first copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_take_seat(slot: *mut c_void, crew: *mut c_void) {
    watch_the_end();
    CREW.store(crew.cast(), Release);
    SLOT.store(slot.cast(), Release);
}

/// The copy's function has returned.
#[unsafe(no_mangle)]
pub extern "C" fn cll_bsp_returned(from_main: c_int) {
    if in_objects() {
        return objects::returned();
    }
    match (stage(), from_main) {
        (Stage::Inside(_), 0) => {
            Call::nowhere("bsp_init").fail("its function has returned without bsp_end")
        }
        (Stage::Inside(_), _) => program_ends(),
        (_, 0) => Call::nowhere("bsp_init").fail("its function has returned without bsp_begin"),
        (_, _) => Call::nowhere("bsp_begin").fail(
            "main has returned in one of the copies, and bsp_begin was not called there; every \
             processor must call it",
        ),
    }
}

/// The thread of this loaded copy is at its end.
#[unsafe(no_mangle)]
pub extern "C" fn cll_bsp_gone(status: c_int) {
    if let Some(crew) = crew() {
        let _ = crew.status.compare_exchange(0, status, AcqRel, Relaxed);
        crew.running.fetch_sub(1, AcqRel);
    }
}

/// Whether `exit`, called now, must end only this copy's thread.
#[unsafe(no_mangle)]
pub extern "C" fn cll_bsp_may_leave() -> c_int {
    c_int::from(crew().is_some() && objects::is_done_here())
}

/// `_exit` or `quick_exit` is about to end the whole process, without any exit handler. Returns if it may.
///
/// # Safety
/// `name` is a string of C: the name of the called function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_bsp_may_exit_now(name: *const c_char) {
    // SAFETY: by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    ending::exits_at_once(&name);
    objects::exits_at_once(&name);
}

/// In the first copy, at its end: waits for the threads of the others. Returns the first of their statuses that
/// was not 0.
pub fn wait_for_others() -> Option<c_int> {
    while LOADED.running.load(Acquire) > 0 {
        sys::sleep_ns(200_000);
    }
    Some(LOADED.status.load(Acquire)).filter(|status| *status != 0)
}

/// Whether this is a copy that another one has loaded and that has not begun.
pub fn is_loaded() -> bool {
    !SLOT.load(Acquire).is_null()
}

/// Takes the slot of this copy, for machine objects or for the parallel part.
pub fn enter(call: Call, for_objects: bool) -> Option<Slot> {
    let slot = SLOT.swap(std::ptr::null_mut(), AcqRel);
    if !slot.is_null() && in_objects() != for_objects {
        let other = if for_objects { "bsp_begin" } else { "bsplib_init" };
        call.fail(format_args!("processor 0 has called {other} instead"));
    }
    // SAFETY: a boxed slot, taken once.
    (!slot.is_null()).then(|| unsafe { *Box::from_raw(slot) })
}

/// Ends the thread of a loaded copy.
pub fn leave() -> ! {
    // SAFETY: only a loaded copy comes here; its thread has called `setjmp`.
    unsafe { cll_bsp_leave_copy(0) }
}

/// In the first copy: makes a machine and starts the others, which then call `bsplib_init` or `bsp_begin`.
pub fn start(call: Call, count: usize, spmd: Option<Spmd>, for_objects: bool) -> Slot {
    LOADED.in_objects.store(for_objects, Release);
    LOADED.again.store(!is_first_part(), Release);
    let mut slots = match slots(count) {
        Ok(slots) => slots,
        Err(error) => call.fail(error),
    };
    report_crashes(&mut slots);
    let mut slots = slots.into_iter();
    let Some(own) = slots.next() else { call.fail(Misuse::NoSuchProcessor(0, 0)) };
    if count > 1 {
        let program = ProgramImage::find(call, spmd);
        for slot in slots {
            program.start(call, slot);
        }
    }
    own
}

/// The program as a file, and where it begins.
struct ProgramImage {
    content: Vec<u8>,
    /// The distance of the function with the parallel part from `main`.
    spmd: Option<isize>,
    argc: c_int,
    argv: *mut *mut c_char,
}

impl ProgramImage {
    fn find(call: Call, spmd: Option<Spmd>) -> ProgramImage {
        let content = std::fs::read("/proc/self/exe").unwrap_or_else(|error| {
            call.fail(format_args!("the program's file cannot be read: {error}"))
        });
        // SAFETY: the program itself; the name is a string of C.
        let main = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"main".as_ptr()) };
        if main.is_null() {
            not_linked_for_it(call, "its symbol main is missing");
        }
        let spmd = spmd.map(|spmd| (spmd as usize).wrapping_sub(main as usize) as isize);
        // They stay as long as the process.
        let arguments = std::fs::read("/proc/self/cmdline").unwrap_or_default();
        let words = arguments.split_inclusive(|byte| *byte == 0);
        let mut pointers: Vec<*mut c_char> = words
            .filter_map(|word| CString::from_vec_with_nul(word.to_vec()).ok())
            .map(CString::into_raw)
            .collect();
        let argc = pointers.len() as c_int;
        pointers.push(std::ptr::null_mut());
        ProgramImage { content, spmd, argc, argv: pointers.leak().as_mut_ptr() }
    }

    /// Loads a copy and runs it in a thread.
    fn start(&self, call: Call, slot: Slot) {
        let handle = self.load(call);
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open, the name a string of C.
            let address = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if address.is_null() {
                not_linked_for_it(call, "a copy of it lacks a symbol of the program")
            } else {
                address
            }
        };
        let (main, run) = (symbol(c"main"), symbol(c"cll_bsp_run_copy"));
        // SAFETY: functions of these types, in the copy as in this program.
        let (main, run, spmd) = unsafe {
            let spmd = self.spmd.map(|distance| main.byte_offset(distance));
            (
                std::mem::transmute::<*mut c_void, Main>(main),
                std::mem::transmute::<*mut c_void, extern "C" fn(*mut c_void) -> *mut c_void>(run),
                spmd.map(|spmd| std::mem::transmute::<*mut c_void, Spmd>(spmd)),
            )
        };
        let task = Box::new(Task {
            slot: Box::into_raw(Box::new(slot)),
            crew: &raw const LOADED,
            spmd,
            main: Some(main),
            argc: self.argc,
            argv: self.argv,
            // SAFETY: as every program reads it.
            environment: unsafe { environ },
        });
        LOADED.running.fetch_add(1, AcqRel);
        // SAFETY: the thread's function belongs to the copy, which stays loaded; the ownership of the task is
        // passed.
        let error = unsafe {
            let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
            libc::pthread_attr_init(&raw mut attributes);
            libc::pthread_attr_setstacksize(&raw mut attributes, stack_size());
            libc::pthread_attr_setdetachstate(&raw mut attributes, libc::PTHREAD_CREATE_DETACHED);
            let mut thread = std::mem::zeroed();
            let task = Box::into_raw(task).cast();
            libc::pthread_create(&raw mut thread, &raw const attributes, run, task)
        };
        if error != 0 {
            let error = std::io::Error::from_raw_os_error(error);
            call.fail(format_args!("cannot start a thread: {error}"));
        }
    }

    fn load(&self, call: Call) -> *mut c_void {
        /// The number of copies that were loaded, in all parallel parts.
        static COPIES: AtomicUsize = AtomicUsize::new(0);
        let index = COPIES.fetch_add(1, Relaxed) + 1;
        let file = self.copy().unwrap_or_else(|error| {
            call.fail(format_args!("no memory for a copy of the program: {error}"))
        });
        // A file name that was loaded is not loaded again, and descriptors are reused. So each copy has another
        // name.
        let slashes = "/".repeat(index);
        let path = format!("/proc/self/fd{slashes}{}", file.as_raw_fd());
        let path = CString::new(path).unwrap_or_default();
        // SAFETY: loads the program again: only its own constructors run.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: after a failure it is a string of C.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy();
            not_linked_for_it(call, &why);
        }
        handle
    }

    fn copy(&self) -> std::io::Result<OwnedFd> {
        // SAFETY: the name is a string of C.
        let file = unsafe { libc::memfd_create(c"cll-copy".as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return Err(std::io::Error::last_os_error());
        }
        // SAFETY: it is open and ours.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let mut rest = &self.content[..];
        while !rest.is_empty() {
            // SAFETY: the bytes exist.
            let written =
                unsafe { libc::write(file.as_raw_fd(), rest.as_ptr().cast(), rest.len()) };
            match usize::try_from(written) {
                Ok(written) => rest = &rest[written..],
                Err(_) => return Err(std::io::Error::last_os_error()),
            }
        }
        Ok(file)
    }
}

/// The stack size of the program's first thread, within limits.
fn stack_size() -> usize {
    const UNLIMITED: usize = 64 << 20;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: it is filled; otherwise it is 0.
    unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) };
    match limit.rlim_cur {
        libc::RLIM_INFINITY => UNLIMITED,
        size => (size as usize).clamp(1 << 20, 1 << 30),
    }
}

fn not_linked_for_it(call: Call, why: &str) -> ! {
    call.fail_with(
        format_args!("CLL_ENGINE=threads, but this program cannot be loaded a second time: {why}"),
        "compile and link it with cll cc --engine threads; such a program runs on every engine",
    )
}
