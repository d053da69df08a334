//! The memory that a measured program shares with its launcher: one control page, one state word
//! for each slot, the slots. Here are constants and functions on bytes; the runtime and the
//! launcher map, wait and copy.
//!
//! ```text
//! 0                 control page: magic, number of slots, size of a slot, count of full slots,
//!                   count of libraries
//! 4096              u32 state[slots], padded with zeros to a multiple of 4096
//! slots_at(slots)   slot 0, slot 1, …: each one block of capacity `slot_size`
//! ```
//!
//! The program takes the lowest free slot (0 → 1 by compare and exchange), writes a block there,
//! marks it full (1 → 2) and adds one to the full count. The launcher copies full slots to the file
//! and frees them (2 → 0); when the program has ended it copies the open ones too.

use serde::{Deserialize, Serialize};

use crate::layout::{BlockHeader, HEADER_SIZE, round_up};
use crate::meta::Run;

/// First eight bytes of the control page.
pub const MAGIC: u64 = u64::from_le_bytes(*b"CLLSHM1\0");
/// Begin of the name of a folder that a launcher makes for processes that it does not start itself.
pub const RANKS: &str = ".cll-ranks-";
/// Bytes of the control page, and the unit to which the states are padded.
pub const PAGE: usize = 4096;
/// Bytes of a slot that `cll run` gives, and of a mapped block without a launcher.
pub const SLOT_SIZE: u32 = 65536;
/// Byte offset of the magic, `u64`.
pub const MAGIC_AT: usize = 0;
/// Byte offset of the number of slots, `u32`.
pub const SLOTS_AT: usize = 8;
/// Byte offset of the size of a slot in bytes, `u32`, a multiple of [`PAGE`].
pub const SLOT_SIZE_AT: usize = 12;
/// Byte offset of the count of slots ever made full, `u32`, wraps.
pub const FULL_COUNT_AT: usize = 16;
/// Byte offset of the count of libraries that are not part of the program itself and write here,
/// `u32`, wraps: it gives each a different number.
pub const LIBRARIES_AT: usize = 20;
/// Byte offset of the count of bytes of the [`Owner`], `u32`, 0 if there is none; its JSON follows.
pub const OWNER_AT: usize = 64;
/// Byte offset of the states.
pub const STATES_AT: usize = PAGE;

/// State of a slot: free.
pub const FREE: u32 = 0;
/// State of a slot: the program writes to it.
pub const OPEN: u32 = 1;
/// State of a slot: ready to be copied.
pub const FULL: u32 = 2;

/// The content of the control page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Number of slots, at least 1.
    pub slots: u32,
    /// Bytes of a slot, a multiple of [`PAGE`].
    pub slot_size: u32,
    /// Slots ever made full, modulo 2^32.
    pub full_count: u32,
}

impl Control {
    /// The control page.
    pub fn encode(&self) -> [u8; PAGE] {
        let mut page = [0; PAGE];
        page[MAGIC_AT..MAGIC_AT + 8].copy_from_slice(&MAGIC.to_le_bytes());
        page[SLOTS_AT..SLOTS_AT + 4].copy_from_slice(&self.slots.to_le_bytes());
        page[SLOT_SIZE_AT..SLOT_SIZE_AT + 4].copy_from_slice(&self.slot_size.to_le_bytes());
        page[FULL_COUNT_AT..FULL_COUNT_AT + 4].copy_from_slice(&self.full_count.to_le_bytes());
        page
    }

    /// Reads a control page (its first 20 bytes are enough). `None` if it is too short, has another
    /// magic, or has impossible sizes.
    pub fn decode(page: &[u8]) -> Option<Control> {
        let word = |offset: usize| Some(u32::from_le_bytes(*page.get(offset..)?.first_chunk()?));
        let magic = u64::from_le_bytes(*page.get(MAGIC_AT..)?.first_chunk()?);
        let control = Control {
            slots: word(SLOTS_AT)?,
            slot_size: word(SLOT_SIZE_AT)?,
            full_count: word(FULL_COUNT_AT)?,
        };
        let possible = control.slots > 0
            && control.slot_size > 0
            && (control.slot_size as usize).is_multiple_of(PAGE);
        (magic == MAGIC && possible).then_some(control)
    }

    /// Bytes of the complete memory.
    pub fn size(&self) -> u64 {
        self.slot_at(self.slots)
    }

    /// Byte offset of slot `index`.
    pub fn slot_at(&self, index: u32) -> u64 {
        slots_at(self.slots) + u64::from(index) * u64::from(self.slot_size)
    }
}

/// The trace that the samples belong to, for a later `cll` that finds the memory after the launcher
/// was killed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Owner {
    /// Absolute path of the trace.
    pub trace: String,
    /// Device number of its file system.
    pub device: u64,
    /// The inode number of the file, which another file may get after this one is deleted.
    pub inode: u64,
    /// When it was made, nanoseconds since 1970; 0 if the file system does not record that.
    pub made_ns: u64,
    /// The facts that are known of the run.
    pub run: Run,
}

impl Owner {
    /// The bytes for [`OWNER_AT`]; `None` if the control page has no room for them.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let json = serde_json::to_vec(self).ok()?;
        let mut bytes = (json.len() as u32).to_le_bytes().to_vec();
        bytes.extend(json);
        (OWNER_AT + bytes.len() <= PAGE).then_some(bytes)
    }

    /// Reads the owner from a control page; `None` if there is none, or it is damaged.
    pub fn decode(page: &[u8]) -> Option<Owner> {
        let length = u32::from_le_bytes(*page.get(OWNER_AT..)?.first_chunk()?) as usize;
        let json = page.get(OWNER_AT + 4..)?.get(..length)?;
        serde_json::from_slice(json).ok()
    }
}

/// Byte offset of the state of slot `index`.
pub const fn state_at(index: u32) -> u64 {
    STATES_AT as u64 + 4 * index as u64
}

/// Byte offset of the first slot when there are `slots`.
pub const fn slots_at(slots: u32) -> u64 {
    (STATES_AT + round_up(4 * slots as usize, PAGE)) as u64
}

/// The states in `bytes`, which begin at [`STATES_AT`], four bytes each.
pub fn states(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word))
}

/// Number of bytes of a slot to copy, from the block header at its beginning: header and payload in
/// use. `None` if no block was begun there.
pub fn filled(slot: &[u8]) -> Option<usize> {
    let header = BlockHeader::decode(slot)?;
    let room = header.capacity.checked_sub(HEADER_SIZE as u32)?;
    (header.used <= room).then_some(HEADER_SIZE + header.used as usize)
}
