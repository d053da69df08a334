//! Runs a program on one processor of a machine.

use cll_bsp::{Misuse, Place, Processor};

use super::program::{At, BLOCKS, Message, Op, PAGE, Program, Superstep, initial, lead, pattern};

/// Runs a processor's part of a program. Returns what was wrong.
pub fn execute(program: &Program, m: &mut Processor) -> Result<(), String> {
    let memory = Memory::new(m.pid());
    for (i, superstep) in program.supersteps.iter().enumerate() {
        check_messages(superstep, m).map_err(|why| format!("superstep {i}: {why}"))?;
        // Data that is sent may be read until the superstep ends.
        for op in &superstep.ops[m.pid()] {
            memory.carry_out(op, m).map_err(|why| format!("superstep {i}: {op:?}: {why}"))?;
        }
        m.sync(Place::NOWHERE).map_err(|why| format!("superstep {i}: sync: {why}"))?;
        let changing =
            program.supersteps.get(i + 1).map_or(&[][..], |next| &next.changing[m.pid()]);
        memory.check(superstep, changing).map_err(|why| format!("superstep {i}: {why}"))?;
    }
    m.end(Place::NOWHERE).map_err(|why| format!("end: {why}"))
}

fn check_messages(superstep: &Superstep, m: &mut Processor) -> Result<(), String> {
    let expected = &superstep.inbox[m.pid()];
    let read = |message: cll_bsp::Message| {
        let is_short = (1..=8).contains(&message.size) && message.tag_size <= 8;
        let aligned =
            |place: *mut u8| (place as usize).is_multiple_of(if is_short { 8 } else { 16 });
        assert!(aligned(message.payload) && (message.tag_size == 0 || aligned(message.tag)));
        // SAFETY: there is no synchronisation meanwhile.
        unsafe {
            let tag = std::slice::from_raw_parts(message.tag, message.tag_size).to_vec();
            let payload = std::slice::from_raw_parts(message.payload, message.size).to_vec();
            Message { source: message.source, tag, payload }
        }
    };
    let all: Vec<Message> = m.unread().map(read).collect();
    if all != *expected {
        return Err(format!("{} messages, not those {} that were sent", all.len(), expected.len()));
    }
    for taken in 0..superstep.taken[m.pid()] {
        let bytes = expected[taken..].iter().map(|message| message.payload.len()).sum();
        if m.qsize() != (expected.len() - taken, bytes) {
            return Err(format!("the queue has {:?} when {taken} are taken", m.qsize()));
        }
        let peeked = m.peek().map(read);
        let aligned = m.take().map(|message| m.aligned(message));
        if let Some(message) = aligned {
            assert!((message.tag as usize).is_multiple_of(16) || message.tag_size == 0);
            assert!((message.payload as usize).is_multiple_of(16));
        }
        let taken_as = aligned.map(read);
        if peeked.as_ref() != Some(&expected[taken]) || taken_as.as_ref() != Some(&expected[taken])
        {
            return Err(format!("message {taken} is another one when it is taken"));
        }
    }
    Ok(())
}

/// A processor's blocks.
struct Memory {
    pid: usize,
    /// The addresses of their pages.
    blocks: Vec<*mut u8>,
}

fn pages(pid: usize, block: usize) -> usize {
    (lead(pid, block) + BLOCKS[block]).div_ceil(PAGE)
}

/// New pages, anywhere or in place of others.
fn map(address: *mut u8, count: usize) -> *mut u8 {
    let (access, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE);
    let place = if address.is_null() { 0 } else { libc::MAP_FIXED };
    let kind = private | libc::MAP_ANONYMOUS | place;
    // SAFETY: the memory there belongs to the caller, and is not used any more.
    let mapped = unsafe { libc::mmap(address.cast(), count * PAGE, access, kind, -1, 0) };
    assert_ne!(mapped, libc::MAP_FAILED);
    mapped.cast()
}

impl Memory {
    fn new(pid: usize) -> Memory {
        let blocks = (0..BLOCKS.len()).map(|b| map(std::ptr::null_mut(), pages(pid, b))).collect();
        let memory = Memory { pid, blocks };
        for block in 0..BLOCKS.len() {
            memory.write(At { block, byte: 0 }, &initial(pid, block));
        }
        memory
    }

    fn address(&self, place: At) -> *mut u8 {
        // SAFETY: it is in the block.
        unsafe { self.blocks[place.block].add(lead(self.pid, place.block) + place.byte) }
    }

    fn bytes(&self, place: At, size: usize) -> &[u8] {
        // SAFETY: it is in the block, to which nobody writes meanwhile.
        unsafe { std::slice::from_raw_parts(self.address(place), size) }
    }

    fn write(&self, place: At, bytes: &[u8]) {
        // SAFETY: it is in the block, to which nobody refers meanwhile.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.address(place), bytes.len()) };
    }

    /// Compares with the expected values at the end of a superstep, except what others may be changing already.
    fn check(&self, superstep: &Superstep, changing: &[(At, usize)]) -> Result<(), String> {
        for (block, expected) in superstep.memory[self.pid].iter().enumerate() {
            let bytes = self.bytes(At { block, byte: 0 }, BLOCKS[block]);
            let is_wrong = |&byte: &usize| {
                let is_changing = |(place, size): &(At, usize)| {
                    place.block == block && (place.byte..place.byte + size).contains(&byte)
                };
                !changing.iter().any(is_changing) && bytes[byte] != expected[byte]
            };
            if let Some(byte) = (0..bytes.len()).find(is_wrong) {
                let wrong = (0..bytes.len()).filter(is_wrong).count();
                let pid = self.pid;
                return Err(format!(
                    "processor {pid}: {wrong} bytes of block {block}, from {byte} on"
                ));
            }
        }
        Ok(())
    }

    fn carry_out(&self, op: &Op, m: &mut Processor) -> Result<(), String> {
        let null = std::ptr::null_mut();
        let done: Result<(), Misuse> = match *op {
            // SAFETY: the blocks exist as long as the machine.
            Op::Push { at: place, size } => unsafe {
                m.push_reg(place.map_or(null, |place| self.address(place)), size)
            },
            Op::Pop { at: place } => m.pop_reg(place.map_or(null, |place| self.address(place))),
            Op::SetTag { size, before } => match m.set_tagsize(size) {
                asked if asked == before => Ok(()),
                asked => return Err(format!("{asked} was asked for before")),
            },
            Op::Write { seed, at: place, size } => {
                self.write(place, &pattern(seed, size));
                Ok(())
            }
            // SAFETY: all is in blocks; memory of hpput and hpget is not used otherwise.
            Op::Put { hp, to, src, name, offset, size } => unsafe {
                let (src, name) = (self.address(src), self.address(name));
                if hp {
                    m.hpput(to, src, name, offset, size)
                } else {
                    m.put(to, src, name, offset, size)
                }
            },
            // SAFETY: as above.
            Op::Get { hp, from, name, offset, dst, size } => unsafe {
                let (dst, name) = (self.address(dst), self.address(name));
                if hp {
                    m.hpget(from, name, offset, dst, size)
                } else {
                    m.get(from, name, offset, dst, size)
                }
            },
            // SAFETY: as above; the program has the tag.
            Op::Send { hp, to, ref tag, src, size } => unsafe {
                let (tag, src) = (tag.as_ptr(), self.address(src));
                if hp { m.send_any(to, tag, src, size) } else { m.send(to, tag, src, size) }
            },
            Op::Remap { block, ref pages } => {
                // SAFETY: within the block.
                map(unsafe { self.blocks[block].add(pages.start * PAGE) }, pages.len());
                Ok(())
            }
        };
        done.map_err(|misuse| misuse.to_string())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        for (block, &address) in self.blocks.iter().enumerate() {
            // SAFETY: nobody uses it any more: the machine has ended or was stopped.
            unsafe { libc::munmap(address.cast(), pages(self.pid, block) * PAGE) };
        }
    }
}
