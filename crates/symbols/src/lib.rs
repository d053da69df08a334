//! Addresses in executables and shared objects (ELF) to functions, files and lines.
//!
//! ```no_run
//! # let (bytes, debug): (Vec<u8>, Vec<u8>) = Default::default();
//! let mut object = cll_symbols::Object::parse(&bytes)?;
//! if !object.has_lines() {
//!     object.add_debug(&debug)?; // One of the files that `debug_files` names.
//! }
//! for frame in object.frames_of_return(0x1189) {
//!     println!("{} {:?} {:?}", frame.function, frame.file, frame.line);
//! }
//! # Ok::<(), cll_symbols::Error>(())
//! ```
//!
//! Addresses are those of the file: subtract the load address first. DWARF gives lines and inlined functions; a
//! symbol table gives functions only, including static ones. Names are demangled (C++, Rust, Fortran) but not
//! escaped: a file may contain any.

#![forbid(unsafe_code)]

pub mod callgrind;
mod calls;
mod debug_file;
mod dwarf;
mod error;
mod names;
mod object;
mod path;
mod table;
mod variables;

pub use debug_file::DebugLink;
pub use error::Error;
pub use object::{Frame, Object};
pub use path::{ReturnAddress, resolve};
pub use variables::{Variable, variables};
