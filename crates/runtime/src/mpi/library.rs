//! Loads a transport, and with it the MPI to which it is linked.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use cll_bsp::mpi::{Transport, VERSION};

use crate::abi;

use super::NoMpi;
use super::compiler::Library;
use super::launcher::Launcher;

/// The tables of a library, which stays loaded.
pub struct Loaded {
    pub transport: &'static Transport,
    /// `struct cll_mpi` of `cll_mpi.h`.
    pub gathering: *const c_void,
}

/// Loads the library; `ends` is called when MPI ends, if the table for gathering is attached.
pub fn load(
    launcher: &Launcher,
    library: &Library,
    ends: extern "C" fn(),
) -> Result<Loaded, NoMpi> {
    let before = loaded_already();
    let path = CString::new(library.transport.as_os_str().as_encoded_bytes()).unwrap_or_default();
    // Parts of MPIs look up symbols among the global ones. SAFETY: our own library.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if handle.is_null() {
        return Err(NoMpi::new(
            format_args!("cannot load {}: {}", library.transport.display(), loader_says()),
            "the MPI must be in the same folder on this host as on the others; LD_LIBRARY_PATH says where \
             libraries are; what was compiled for another MPI may be removed",
        ));
    }
    // SAFETY: the function of `transport.c`, which returns its table.
    let transport = unsafe {
        let symbol = libc::dlsym(handle, c"cll_mpi_transport".as_ptr());
        (!symbol.is_null()).then(|| {
            let table: extern "C" fn() -> *const c_void = std::mem::transmute(symbol);
            Transport::from_address(table())
        })
    };
    // SAFETY: the function of `gathering.c`, which returns its table.
    let gathering = unsafe {
        let symbol = libc::dlsym(handle, c"cll_mpi_gathering".as_ptr());
        (!symbol.is_null()).then(|| {
            let table: extern "C" fn(c_uint, extern "C" fn()) -> *const c_void =
                std::mem::transmute(symbol);
            table(abi::VERSION, ends)
        })
    };
    let (Some(transport), Some(gathering)) = (transport.flatten(), gathering) else {
        return Err(NoMpi::new(
            format_args!("{} has no table of version {VERSION}", library.transport.display()),
            "remove it: it is compiled again",
        ));
    };
    if let Some(version) = before
        && !is_of(&version, transport.family())
    {
        return Err(NoMpi::new(
            format_args!(
                "{} has started this program, which is itself linked with another MPI: {version}",
                launcher.name()
            ),
            "start it with the mpirun of that MPI",
        ));
    }
    Ok(Loaded { transport, gathering })
}

/// The version string of an MPI to which the program itself is linked.
fn loaded_already() -> Option<String> {
    // SAFETY: MPI's own function, which may be called before MPI begins; a version has at most this many bytes
    // in every MPI.
    unsafe {
        let symbol = libc::dlsym(libc::RTLD_DEFAULT, c"MPI_Get_library_version".as_ptr());
        if symbol.is_null() {
            return None;
        }
        let version: extern "C" fn(*mut c_char, *mut c_int) -> c_int = std::mem::transmute(symbol);
        let mut buffer = vec![0 as c_char; 1 << 14];
        let mut length = 0;
        version(buffer.as_mut_ptr(), &raw mut length);
        let text = CStr::from_ptr(buffer.as_ptr()).to_string_lossy();
        Some(text.lines().next().unwrap_or_default().trim().to_owned())
    }
}

fn is_of(version: &str, family: &str) -> bool {
    match family {
        "Open MPI" => version.contains("Open MPI"),
        "MPICH" => !version.contains("Open MPI"),
        _ => true,
    }
}

fn loader_says() -> String {
    // SAFETY: the text belongs to the loader, until its next call.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            return "the loader gives no reason".to_owned();
        }
        CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}
