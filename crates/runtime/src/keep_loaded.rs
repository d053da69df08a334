//! Keeps the library's code in memory.
//!
//! A shared object that is linked with `libcll.a` may be closed by the program that opened it. Then the end of
//! a thread, the end of the process and forks would still call into the library.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering::*};

use crate::critical_section::Inside;

/// Whether the library is part of a shared object, as [`keep_loaded`] has found.
static IN_SHARED_OBJECT: AtomicBool = AtomicBool::new(false);

struct Search {
    /// An address in this library.
    address: usize,
    /// The object that contains it, by the loader's name; empty for the program itself.
    name: CString,
}

/// Takes a reference to the shared object that contains this code, once, so that closing it does not unload it.
/// Does nothing if the library is part of the program.
///
/// No lock of the library may be held: the loader calls constructors, which call the library, with its own
/// locks held.
pub fn keep_loaded() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.swap(true, Relaxed) {
        return;
    }
    let _inside = Inside::enter();
    let mut search = Search { address: (&raw const DONE).addr(), name: CString::default() };
    // SAFETY: `visit` gets the search, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
    if search.name.is_empty() {
        return;
    }
    IN_SHARED_OBJECT.store(true, Relaxed);
    // Looked up by name: linkers warn of static programs that name it themselves. SAFETY: the types are those
    // of `dlopen`; the object is loaded, so its constructors have begun.
    unsafe {
        let dlopen = libc::dlsym(libc::RTLD_DEFAULT, c"dlopen".as_ptr());
        if !dlopen.is_null() {
            let dlopen: unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void =
                std::mem::transmute(dlopen);
            let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
            // The handle is not closed: the reference keeps the object.
            dlopen(search.name.as_ptr(), flags);
        }
    }
}

/// Whether the library is part of a shared object: then there may be other copies of it in the process. Valid
/// after [`keep_loaded`].
pub fn is_in_shared_object() -> bool {
    IN_SHARED_OBJECT.load(Relaxed)
}

unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the loader describes an object that it has loaded; the search is that of `keep_loaded`.
    unsafe {
        let (info, search) = (&*info, &mut *search.cast::<Search>());
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into());
        let holds = |header: &libc::Elf64_Phdr| {
            let from = info.dlpi_addr as usize + header.p_vaddr as usize;
            header.p_type == libc::PT_LOAD
                && (from..from + header.p_memsz as usize).contains(&search.address)
        };
        if !headers.iter().any(holds) {
            return 0;
        }
        search.name = CStr::from_ptr(info.dlpi_name).to_owned();
        1
    }
}
