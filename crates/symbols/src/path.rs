//! A complete call path: the functions of each return address, and those removed by tail calls.

use crate::calls::Callee;
use crate::names::without_clones;
use crate::object::{Frame, Object};

/// A return address of a call path.
pub struct ReturnAddress<'a> {
    /// The file that contains it, if that can be read.
    pub object: Option<&'a Object>,
    /// The address in the file.
    pub address: u64,
}

/// The functions of each return address of a path, innermost first, as [`Object::frames_of_return`] returns them.
///
/// If a call calls another function than the one with the next inner return address, that function made a tail
/// call. It is inserted before the frames of its caller, as `tail_called`. There may have been more of them, which
/// are unknown. `ends_in` says of a function's symbol whether the path may end with a call of it: any other
/// function called at the innermost address has made a tail call.
pub fn resolve(path: &[ReturnAddress<'_>], ends_in: impl Fn(&str) -> bool) -> Vec<Vec<Frame>> {
    let mut inner: Option<&ReturnAddress<'_>> = None;
    let mut resolved = Vec::with_capacity(path.len());
    for call in path {
        let mut frames = match call.object {
            Some(object) => object.frames_of_return(call.address),
            None => Vec::new(),
        };
        if !frames.is_empty()
            && let Some(left) = left(call, inner, &ends_in)
        {
            frames.insert(0, left);
        }
        resolved.push(frames);
        inner = Some(call);
    }
    resolved
}

/// The function that a call calls, if it does not contain the next inner address.
fn left(
    call: &ReturnAddress<'_>,
    inner: Option<&ReturnAddress<'_>>,
    ends_in: impl Fn(&str) -> bool,
) -> Option<Frame> {
    let object = call.object?;
    let callee = object.callee(call.address)?;
    let (home, start) = match callee {
        Callee::Here(start) => (object, start),
        // Only the loader knows which of all loaded files defines it; if the next file has it, it is that one.
        Callee::Named(name) => {
            let home = inner.map_or(object, |inner| inner.object.unwrap_or(object));
            (home, home.table.named(name)?)
        }
    };
    let called = home.table.find(start)?;
    if called.start != start {
        return None;
    }
    match inner {
        None if ends_in(&called.symbol) => return None,
        None => {}
        Some(inner) => {
            let there = inner.object?;
            let within = there.table.find(inner.address.checked_sub(1)?)?;
            let same = std::ptr::eq(there, home)
                && (within.start == start
                    || there.table.is_called(within.start, &called.symbol)
                    || without_clones(&within.symbol) == without_clones(&called.symbol));
            if same {
                return None;
            }
        }
    }
    let mut frame = home.frames(start).pop()?;
    frame.inlined = false;
    frame.tail_called = true;
    Some(frame)
}
