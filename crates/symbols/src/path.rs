//! A call path whole: the functions of each return address, and those that tail calls have removed.

use crate::calls::Callee;
use crate::names::without_clones;
use crate::object::{Frame, Object};

/// A return address of a call path.
pub struct Call<'a> {
    /// The file it lies in, if that can be read.
    pub object: Option<&'a Object>,
    /// The address in the file.
    pub address: u64,
}

/// The functions of each return address of a path, innermost first, as [`Object::frames_of_return`] has them.
///
/// Where a call calls another function than the one that the next return address inwards lies in, that
/// function has called on without a frame of its own, and stands before the frames of its caller, as
/// `tail_called`. There may have been more of them, of which nothing is known. `ends_in` says of a function's
/// symbol whether the path may end with a call of it: at the innermost address whatever else is called has
/// been left by a tail call.
pub fn resolve(path: &[Call<'_>], ends_in: impl Fn(&str) -> bool) -> Vec<Vec<Frame>> {
    let mut inner: Option<&Call<'_>> = None;
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

/// The function that a call calls, if it is not the one that has the next address inwards.
fn left(
    call: &Call<'_>,
    inner: Option<&Call<'_>>,
    ends_in: impl Fn(&str) -> bool,
) -> Option<Frame> {
    let object = call.object?;
    let callee = object.callee(call.address)?;
    let (home, start) = match callee {
        Callee::Here(start) => (object, start),
        // Whose it is among all files that are loaded only the loader knows: but if the file that is next
        // has it, it is that one.
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
