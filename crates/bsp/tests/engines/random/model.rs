//! The meaning of programs, in one memory, sequentially.

use super::program::{At, BLOCKS, Message, initial};

/// A processor's area in a registration: place and size in bytes.
pub type Area = Option<(At, usize)>;

/// A registration: the areas that all processors passed in one push.
#[derive(Clone, Debug)]
pub struct Slot {
    pub areas: Vec<Area>,
    /// It is in force from the superstep after its push,
    pub in_force: bool,
    /// and to the end of the superstep of its pop.
    pub popped: bool,
}

/// An access: the calling processor, the owner, the place there, and the bytes or their number.
#[derive(Clone, Debug)]
pub struct Put {
    pub from: usize,
    pub to: usize,
    pub place: At,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct Get {
    pub by: usize,
    pub from: usize,
    pub src: At,
    pub dst: At,
    pub size: usize,
}

/// The state of a machine.
#[derive(Clone, Debug)]
pub struct Model {
    /// Bytes by processor and block.
    pub memory: Vec<Vec<Vec<u8>>>,
    /// The oldest first.
    pub slots: Vec<Slot>,
    pub puts: Vec<Put>,
    pub gets: Vec<Get>,
    /// By receiver: the messages of this superstep.
    pub sent: Vec<Vec<Message>>,
    pub inbox: Vec<Vec<Message>>,
    /// Tag sizes in bytes: of received messages, of sent ones, and the one set last.
    pub tags: (usize, usize, usize),
}

impl Model {
    pub fn new(processors: usize) -> Model {
        let blocks = |pid| (0..BLOCKS.len()).map(|block| initial(pid, block)).collect();
        Model {
            memory: (0..processors).map(blocks).collect(),
            slots: Vec::new(),
            puts: Vec::new(),
            gets: Vec::new(),
            sent: vec![Vec::new(); processors],
            inbox: vec![Vec::new(); processors],
            tags: (0, 0, 0),
        }
    }

    pub fn bytes(&mut self, pid: usize, place: At, size: usize) -> &mut [u8] {
        &mut self.memory[pid][place.block][place.byte..place.byte + size]
    }

    /// The registration that a processor's address means: the most recent in force.
    pub fn find(&self, pid: usize, name: At) -> Option<&Slot> {
        let has =
            |slot: &&Slot| slot.in_force && slot.areas[pid].is_some_and(|(place, _)| place == name);
        self.slots.iter().rev().find(has)
    }

    /// The most recent registration that a pop of a processor's address would remove.
    pub fn last(&self, pid: usize, name: At) -> Option<usize> {
        let has =
            |slot: &Slot| !slot.popped && slot.areas[pid].is_some_and(|(place, _)| place == name);
        self.slots.iter().rposition(has)
    }

    /// Ends the superstep.
    pub fn sync(&mut self) {
        // All gets read before anything is written, and are written before the puts.
        let mut gets = std::mem::take(&mut self.gets);
        gets.sort_by_key(|get| get.from);
        let got: Vec<(Get, Vec<u8>)> = gets
            .into_iter()
            .map(|get| (get.clone(), self.bytes(get.from, get.src, get.size).to_vec()))
            .collect();
        for (get, bytes) in got {
            self.bytes(get.by, get.dst, get.size).copy_from_slice(&bytes);
        }
        let mut puts = std::mem::take(&mut self.puts);
        puts.sort_by_key(|put| put.from);
        for put in puts {
            self.bytes(put.to, put.place, put.bytes.len()).copy_from_slice(&put.bytes);
        }
        for (inbox, sent) in self.inbox.iter_mut().zip(&mut self.sent) {
            *inbox = std::mem::take(sent);
            inbox.sort_by_key(|message| message.source);
        }
        self.slots.retain(|slot| !slot.popped);
        self.slots.iter_mut().for_each(|slot| slot.in_force = true);
        let (_, sent, asked) = self.tags;
        self.tags = (sent, asked, asked);
    }
}
