//! The files that contain code: the program, and loaded libraries.

use std::ffi::{CStr, c_int, c_void};

use cll_trace::meta::Module;

/// Note type of a build id.
const BUILD_ID: u32 = 3;

/// The files that were written to the log.
#[derive(Default)]
pub struct Modules {
    written: Vec<Loaded>,
}

struct Loaded {
    /// The difference between addresses in memory and in the file.
    base: usize,
    /// The addresses of its code.
    from: usize,
    to: usize,
}

impl Modules {
    /// The number of the file for an address, and the address in the file; with the file, if it was not written
    /// yet. An address that is in no file belongs to a file without a name.
    pub fn find(&mut self, address: usize) -> (u32, u64, Option<Module>) {
        let known =
            self.written.iter().position(|loaded| (loaded.from..loaded.to).contains(&address));
        if let Some(known) = known {
            return (known as u32, (address - self.written[known].base) as u64, None);
        }
        let (loaded, path, build) = look_up(address).unwrap_or_else(|| {
            let nowhere = Loaded { base: 0, from: address, to: address + 1 };
            (nowhere, String::new(), String::new())
        });
        let id = self.written.len() as u32;
        let offset = (address - loaded.base) as u64;
        self.written.push(loaded);
        (id, offset, Some(Module { processor: 0, id, path, build }))
    }
}

struct Search {
    address: usize,
    module: Option<(Loaded, String, String)>,
}

fn look_up(address: usize) -> Option<(Loaded, String, String)> {
    let mut search = Search { address, module: None };
    // SAFETY: the function uses what is passed here only during the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
    let mut module = search.module?;
    if module.1.is_empty() || is_copy(&module.1, &module.2) {
        module.1 = crate::tables::program_path();
    } else if !module.1.starts_with('/')
        && let Ok(full_path) = std::fs::canonicalize(&module.1)
    {
        // With its full path; the log is read in another folder.
        module.1 = full_path.to_string_lossy().into_owned();
    }
    Some(module)
}

/// Whether a file is a copy of the program, loaded from memory: each processor that is a thread has one.
fn is_copy(path: &str, build: &str) -> bool {
    path.starts_with("/proc/self/fd/") && {
        let mut program = Search { address: program_address(), module: None };
        // SAFETY: as above.
        unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut program).cast()) };
        program
            .module
            .is_some_and(|(_, name, program_build)| name.is_empty() && program_build == build)
    }
}

/// The entry point of the program, which is in the started file.
fn program_address() -> usize {
    // SAFETY: the call asks for a number.
    unsafe { libc::getauxval(libc::AT_ENTRY) as usize }
}

unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the loader passes what it has loaded, and what `look_up` has passed.
    unsafe {
        let (info, search) = (&*info, &mut *search.cast::<Search>());
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into());
        let base = info.dlpi_addr as usize;
        let range = |header: &libc::Elf64_Phdr| {
            let from = base + header.p_vaddr as usize;
            (from, from + header.p_memsz as usize)
        };
        let holds = |header: &&libc::Elf64_Phdr| {
            let (from, to) = range(header);
            header.p_type == libc::PT_LOAD && (from..to).contains(&search.address)
        };
        let Some(segment) = headers.iter().find(holds) else { return 0 };
        let name = CStr::from_ptr(info.dlpi_name).to_string_lossy().into_owned();
        let notes = headers.iter().filter(|header| header.p_type == libc::PT_NOTE).map(range);
        let build = notes
            .map(|(from, to)| std::slice::from_raw_parts(from as *const u8, to - from))
            .find_map(build_id)
            .unwrap_or_default();
        let (from, to) = range(segment);
        search.module = Some((Loaded { base, from, to }, name, build));
        1
    }
}

/// The build id among the notes of a file.
fn build_id(mut notes: &[u8]) -> Option<String> {
    while let Some((head, rest)) = notes.split_first_chunk::<12>() {
        let word = |offset: usize| u32::from_ne_bytes(std::array::from_fn(|i| head[offset + i]));
        let (name, value) = (word(0) as usize, word(4) as usize);
        let value_at = name.next_multiple_of(4);
        let end = value_at.checked_add(value)?;
        if word(8) == BUILD_ID && rest.get(..name)? == b"GNU\0" {
            return Some(
                rest.get(value_at..end)?.iter().map(|byte| format!("{byte:02x}")).collect(),
            );
        }
        notes = rest.get(end.next_multiple_of(4)..)?;
    }
    None
}
