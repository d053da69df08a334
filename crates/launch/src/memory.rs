//! The memory that a program shares with this process.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{Ordering, fence};

use cll_trace::layout::{BlockHeader, HEADER_SIZE, compact, pid_of};
use cll_trace::live::{self, Control, Owner};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::io::{Errno, pread, pwrite};

use super::memory_name::NamedMemory;

/// Slots: 64 MiB; only used pages are allocated. Enough for several hundred threads, each of which keeps one.
const SLOTS: u32 = 1024;
/// Additional slots for each of many processes: one for supersteps, one being passed on, and tables.
const SLOTS_EACH: u32 = 3;
/// With fewer it cannot work: one is written, one is read, and tables need one.
const MIN_SLOTS: u32 = 4;

/// The shared memory, used as a file: this side never maps it.
#[derive(Debug)]
pub struct Memory {
    file: OwnedFd,
    control: Control,
    /// The count of full slots up to which all has been read.
    taken: u32,
    states: Vec<u8>,
    /// The name, if the memory has one.
    named: Option<NamedMemory>,
}

impl Memory {
    /// Memory that a child inherits, for this number of processes, as large as a limit on file sizes allows. With
    /// an owner it gets a name, if possible, so that it outlives this process.
    pub fn new(processes: u32, owner: Option<&Owner>) -> io::Result<Memory> {
        let mut slots = SLOTS.max(SLOTS_EACH.saturating_mul(processes));
        loop {
            let control = Control { slots, slot_size: live::SLOT_SIZE, full_count: 0 };
            let owner = owner.and_then(Owner::encode);
            let named = owner.as_ref().and_then(|_| NamedMemory::new(control.size()));
            let (file, named) = match named {
                Some((file, named)) => (file, Some(named)),
                None => (memfd_create("cll-samples", MemfdFlags::empty())?, None),
            };
            let written = ftruncate(&file, control.size()).and_then(|()| {
                pwrite(&file, &control.encode(), 0)?;
                match owner.filter(|_| named.is_some()) {
                    Some(owner) => pwrite(&file, &owner, live::OWNER_AT as u64),
                    None => Ok(0),
                }
            });
            if let Err(error) = written {
                if let Some(named) = named {
                    named.remove();
                }
                if error == Errno::FBIG && slots / 2 >= MIN_SLOTS {
                    slots /= 2;
                    continue;
                }
                return Err(error.into());
            }
            return Ok(Memory {
                file,
                control,
                taken: 0,
                states: vec![0; 4 * slots as usize],
                named,
            });
        }
    }

    /// Opens the memory of another launcher from a file; `None` if it is not one.
    pub fn open(file: OwnedFd) -> io::Result<Option<(Memory, Owner)>> {
        let mut page = vec![0; live::PAGE];
        read_at(&file, &mut page, 0)?;
        let decoded = Control::decode(&page).zip(Owner::decode(&page));
        let is_whole = |control: &Control| {
            rustix::fs::fstat(&file).is_ok_and(|stat| stat.st_size as u64 >= control.size())
        };
        Ok(decoded.filter(|(control, _)| is_whole(control)).map(|(control, owner)| {
            let states = vec![0; 4 * control.slots as usize];
            (Memory { file, control, taken: 0, states, named: None }, owner)
        }))
    }

    /// Everything was read: no other command has to recover it.
    pub fn release(&mut self) {
        if let Some(named) = self.named.take() {
            named.remove();
        }
    }

    /// The descriptor's number, equal in the child.
    pub fn descriptor(&self) -> i32 {
        self.file.as_raw_fd()
    }

    /// Reads every full slot and frees it; returns their number.
    pub fn drain(&mut self, mut take: impl FnMut(&[u8])) -> io::Result<usize> {
        let mut page = [0; 20];
        read_at(&self.file, &mut page, 0)?;
        let full = Control::decode(&page).map_or(self.taken.wrapping_add(1), |c| c.full_count);
        if full == self.taken {
            return Ok(0);
        }
        let count = self.each(live::FULL, |memory, slot| {
            if let Some(block) = memory.block(slot)? {
                take(&block);
            }
            // The block must be copied before the slot can be written again.
            fence(Ordering::SeqCst);
            pwrite(&memory.file, &live::FREE.to_le_bytes(), live::state_at(slot))?;
            Ok(())
        })?;
        // Slots that became full since then are read next time.
        self.taken = full;
        Ok(count)
    }

    /// Reads unfinished slots; the memory is not changed.
    pub fn collect(&mut self, mut take: impl FnMut(&[u8])) -> io::Result<usize> {
        let mut count = 0;
        for state in [live::FULL, live::OPEN] {
            count += self.each(state, |memory, slot| {
                if let Some(block) = memory.block(slot)? {
                    take(&block);
                }
                Ok(())
            })?;
        }
        Ok(count)
    }

    /// The processes that have a slot open.
    pub fn writers(&mut self) -> io::Result<Vec<u32>> {
        let mut writers = Vec::new();
        self.each(live::OPEN, |memory, slot| {
            let mut header = [0; HEADER_SIZE];
            read_at(&memory.file, &mut header, memory.control.slot_at(slot))?;
            writers.extend(BlockHeader::decode(&header).map(|header| pid_of(header.process)));
            Ok(())
        })?;
        writers.sort_unstable();
        writers.dedup();
        Ok(writers)
    }

    fn each(
        &mut self,
        state: u32,
        mut act: impl FnMut(&Memory, u32) -> io::Result<()>,
    ) -> io::Result<usize> {
        let mut states = std::mem::take(&mut self.states);
        let read = read_at(&self.file, &mut states, live::STATES_AT as u64);
        // The fields of a slot were written before its state.
        fence(Ordering::SeqCst);
        let result = read.and_then(|()| {
            let slots = live::states(&states).enumerate().filter(|&(_, number)| number == state);
            let mut count = 0;
            for (slot, _) in slots {
                act(self, slot as u32)?;
                count += 1;
            }
            Ok(count)
        });
        self.states = states;
        result
    }

    /// The block in a slot, ready for the file; `None` if none was begun there.
    fn block(&self, slot: u32) -> io::Result<Option<Vec<u8>>> {
        let offset = self.control.slot_at(slot);
        let mut block = vec![0; HEADER_SIZE];
        read_at(&self.file, &mut block, offset)?;
        let room = self.control.slot_size as usize;
        let Some(filled) = live::filled(&block).filter(|&filled| filled <= room) else {
            return Ok(None);
        };
        block.resize(filled, 0);
        read_at(&self.file, &mut block[HEADER_SIZE..], offset + HEADER_SIZE as u64)?;
        Ok((filled > HEADER_SIZE && compact(&mut block)).then_some(block))
    }
}

fn read_at(file: &OwnedFd, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match pread(file, &mut *bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_trace::layout::SampleHeader;
    use cll_trace::write::SampleBlock;

    /// Writes a block into a slot, as a program does.
    fn fill(memory: &Memory, slot: u32, sequence: u32, state: u32, sealed: bool) {
        let header = BlockHeader { process: 7, sequence, ..BlockHeader::default() };
        let mut block = SampleBlock::new(header, live::SLOT_SIZE);
        assert!(block.push(&SampleHeader::default(), &[1.0]));
        let mut bytes = block.seal(2, 2);
        if !sealed {
            use cll_trace::layout::field;
            bytes[field::FLAGS] = 0;
            bytes[field::TICKS_SEAL..field::WAITED].fill(0);
        }
        pwrite(&memory.file, &bytes, memory.control.slot_at(slot)).unwrap();
        pwrite(&memory.file, &state.to_le_bytes(), live::state_at(slot)).unwrap();
        let mut page = [0; 20];
        read_at(&memory.file, &mut page, 0).unwrap();
        let full = Control::decode(&page).unwrap().full_count + 1;
        pwrite(&memory.file, &full.to_le_bytes(), live::FULL_COUNT_AT as u64).unwrap();
    }

    #[test]
    fn full_slots_are_taken_once_and_freed() {
        let mut memory = Memory::new(1, None).unwrap();
        fill(&memory, 0, 0, live::OPEN, false);
        fill(&memory, 1, 1, live::FULL, true);
        let mut taken = Vec::new();
        assert_eq!(memory.drain(|block| taken.push(block.to_vec())).unwrap(), 1);
        assert_eq!(memory.drain(|_| panic!("taken twice")).unwrap(), 0);
        assert_eq!(BlockHeader::decode(&taken[0]).unwrap().sequence, 1);
        assert_eq!(taken[0].len(), HEADER_SIZE + 32);
        assert_eq!(memory.writers().unwrap(), [7]);
    }

    #[test]
    fn what_a_dead_process_left_is_collected_and_sealed() {
        let mut memory = Memory::new(1, None).unwrap();
        fill(&memory, 3, 0, live::OPEN, false);
        let mut taken = Vec::new();
        assert_eq!(memory.collect(|block| taken.extend_from_slice(block)).unwrap(), 1);
        let header = BlockHeader::decode(&taken).unwrap();
        assert!(header.is_sealed() && header.is_plausible());
    }

    #[test]
    fn a_slot_without_a_block_is_passed_over() {
        let mut memory = Memory::new(1, None).unwrap();
        pwrite(&memory.file, &live::OPEN.to_le_bytes(), live::state_at(5)).unwrap();
        assert_eq!(memory.collect(|_| panic!("there is nothing")).unwrap(), 1);
    }
}
