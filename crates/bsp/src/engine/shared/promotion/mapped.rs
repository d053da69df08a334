//! Asks the operating system what is mapped at an address.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsRawFd;

use super::PromotedRange;
use crate::engine::shared::arena::Arena;
use crate::engine::shared::page::PAGE;

/// A mapping of this process: addresses, file and offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mapping {
    from: usize,
    to: usize,
    offset: usize,
    inode: u64,
}

/// For each page of a range, whether it is still mapped there. Memory that the program has freed is not
/// touched: it may have another use by now. `None`: the system does not answer, because there is no /proc, or
/// the program has no free descriptor.
pub(super) fn still_there(piece: PromotedRange, arena: &Arena) -> Option<Vec<bool>> {
    let mut there = vec![false; piece.size / PAGE];
    let mut maps = File::open("/proc/self/maps").ok()?;
    let mut mark = |mapping: &Mapping| {
        if mapping.inode != arena.inode() {
            return;
        }
        for (page, there) in there.iter_mut().enumerate() {
            let (address, offset) = (piece.address + page * PAGE, piece.offset + page * PAGE);
            *there |= (mapping.from..mapping.to).contains(&address)
                && mapping.offset + (address - mapping.from) == offset;
        }
    };
    let mut position = piece.address;
    while position < piece.address + piece.size {
        match query(&maps, position) {
            MapQuery::Mapping(mapping) => {
                mark(&mapping);
                position = mapping.to;
            }
            MapQuery::Unmapped => break,
            MapQuery::Unsupported => {
                let mut text = String::new();
                maps.read_to_string(&mut text).ok()?;
                text.lines().filter_map(parse).for_each(|mapping| mark(&mapping));
                break;
            }
        }
    }
    Some(there)
}

/// Whether the system can answer at all.
pub(super) fn is_supported() -> bool {
    File::open("/proc/self/maps").is_ok()
}

enum MapQuery {
    /// The mapping at the address, or the next one after it.
    Mapping(Mapping),
    Unmapped,
    /// The kernel is older than 6.11.
    Unsupported,
}

/// PROCMAP_QUERY of linux/fs.h.
#[repr(C)]
#[derive(Default)]
struct Query {
    size: u64,
    flags: u64,
    address: u64,
    from: u64,
    to: u64,
    mapping_flags: u64,
    page_size: u64,
    offset: u64,
    inode: u64,
    device: [u32; 2],
    name_size: u32,
    build_id_size: u32,
    name: u64,
    build_id: u64,
}

/// `_IOWR('f', 17, Query)`.
const QUERY: libc::c_ulong = 0xC068_6611;
const COVERING_OR_NEXT: u64 = 0x10;
const _: () = assert!(size_of::<Query>() == 0x68);

fn query(maps: &File, address: usize) -> MapQuery {
    let mut query = Query {
        size: size_of::<Query>() as u64,
        flags: COVERING_OR_NEXT,
        address: address as u64,
        ..Query::default()
    };
    // SAFETY: the structure has the layout and the size that the call requires.
    if unsafe { libc::ioctl(maps.as_raw_fd(), QUERY as _, &raw mut query) } == 0 {
        let (from, to) = (query.from as usize, query.to as usize);
        let (offset, inode) = (query.offset as usize, query.inode);
        return MapQuery::Mapping(Mapping { from, to, offset, inode });
    }
    match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::ENOENT) => MapQuery::Unmapped,
        _ => MapQuery::Unsupported,
    }
}

/// `7f00-7f10 rw-s 00001000 00:01 1234 /memfd:…`.
fn parse(line: &str) -> Option<Mapping> {
    let mut words = line.split_whitespace();
    let (from, to) = words.next()?.split_once('-')?;
    let hex = |word: &str| usize::from_str_radix(word, 16).ok();
    let offset = hex(words.nth(1)?)?;
    let inode = words.nth(1)?.parse().ok()?;
    Some(Mapping { from: hex(from)?, to: hex(to)?, offset, inode })
}

/// Addresses of the calling thread's stack. Areas in it are not promoted: memory of a function that has
/// returned is used by the next one without notice.
pub(in crate::engine::shared) fn stack() -> (usize, usize) {
    let mut address = std::ptr::null_mut();
    let mut size = 0;
    // SAFETY: the attributes are filled before they are read, and destroyed.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            // Otherwise everything above a local variable.
            return (&raw const size as usize, usize::MAX);
        }
        libc::pthread_attr_getstack(&raw const attributes, &raw mut address, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
    }
    (address as usize, address as usize + size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_answers_and_what_it_lists_is_the_same() {
        let mut maps = File::open("/proc/self/maps").unwrap();
        let mut text = String::new();
        maps.read_to_string(&mut text).unwrap();
        let own = Box::new(0u8);
        let address = &raw const *own as usize;
        let listed = text.lines().filter_map(parse);
        let listed = listed.into_iter().find(|m| (m.from..m.to).contains(&address)).unwrap();
        if let MapQuery::Mapping(mapping) = query(&maps, address) {
            // The heap may have grown in between.
            assert_eq!(
                (mapping.from, mapping.offset, mapping.inode),
                (listed.from, listed.offset, listed.inode)
            );
        }
    }

    #[test]
    fn local_variables_lie_on_the_stack() {
        let local = 0u8;
        let (from, to) = stack();
        assert!((from..to).contains(&(&raw const local as usize)));
        let boxed = Box::new(0u8);
        assert!(!(from..to).contains(&(&raw const *boxed as usize)));
    }
}
