//! Programs, and their expected results.

use std::ops::Range;

/// Sizes of each processor's blocks of memory. Areas are in blocks.
pub const BLOCKS: [usize; 5] = [40_000, 70_001, 4096, 300, 20_000];
pub const PAGE: usize = 4096;

/// Bytes between the beginning of a page and a block, so that areas begin and end anywhere in pages.
pub fn lead(pid: usize, block: usize) -> usize {
    [0, 4090, 0, 17, 100 + 24 * pid][block]
}

/// The initial contents of a block.
pub fn initial(pid: usize, block: usize) -> Vec<u8> {
    pattern((pid * 10 + block) as u64, BLOCKS[block])
}

/// Bytes that are different for each seed and hardly repeat.
pub fn pattern(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(size).collect()
}

/// A place in the memory of a processor: block, and byte in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    pub block: usize,
    pub byte: usize,
}

/// An operation of one processor.
#[derive(Clone, Debug)]
pub enum Op {
    Push {
        at: Option<At>,
        size: usize,
    },
    Pop {
        at: Option<At>,
    },
    /// Sets the tag size; the one set before.
    SetTag {
        size: usize,
        before: usize,
    },
    /// Writes a pattern to the processor's own memory.
    Write {
        seed: u64,
        at: At,
        size: usize,
    },
    Put {
        hp: bool,
        to: usize,
        src: At,
        name: At,
        offset: usize,
        size: usize,
    },
    Get {
        hp: bool,
        from: usize,
        name: At,
        offset: usize,
        dst: At,
        size: usize,
    },
    Send {
        hp: bool,
        to: usize,
        tag: Vec<u8>,
        src: At,
        size: usize,
    },
    /// Unmaps pages of a block's memory, and maps new ones at the same addresses.
    Remap {
        block: usize,
        pages: Range<usize>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub source: usize,
    pub tag: Vec<u8>,
    pub payload: Vec<u8>,
}

/// A superstep, for each processor.
#[derive(Clone, Default)]
pub struct Superstep {
    /// The messages that can be read when the superstep begins; some of them are taken.
    pub inbox: Vec<Vec<Message>>,
    pub taken: Vec<usize>,
    pub ops: Vec<Vec<Op>>,
    /// Memory that an hpput or hpget may change at any time in it.
    pub changing: Vec<Vec<(At, usize)>>,
    /// The blocks' contents at its end.
    pub memory: Vec<Vec<Vec<u8>>>,
}

#[derive(Clone)]
pub struct Program {
    pub processors: usize,
    pub supersteps: Vec<Superstep>,
}

impl std::fmt::Debug for Program {
    /// The operations; memory and messages are too long.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} processors", self.processors)?;
        for (i, superstep) in self.supersteps.iter().enumerate() {
            for (pid, ops) in superstep.ops.iter().enumerate() {
                writeln!(f, "superstep {i}, processor {pid}: {ops:?}")?;
            }
        }
        Ok(())
    }
}
