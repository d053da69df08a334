//! Where this processor's program stands: before, inside, or after its parallel part.

use std::cell::UnsafeCell;
use std::collections::VecDeque;

use cll_bsp::processes::Member;
use cll_bsp::{Message, Misuse, Place, Processor};

use super::call::Call;

/// Before, inside, after.
#[expect(clippy::large_enum_variant, reason = "there is one, and every call goes through it")]
pub enum Stage {
    Before(Option<Start>),
    Inside(Part),
    After { nprocs: usize },
}

/// What bsp_init has prepared.
pub struct Start {
    pub place: Place,
    pub member: Member,
}

/// The parallel part.
pub struct Part {
    pub processor: Processor,
    /// Messages that stay readable though a collective call has taken them from the queue with its
    /// own; they come first.
    pub kept: VecDeque<Message>,
    /// The last end of a superstep.
    pub last_sync: Place,
    /// The process: one that the program forks by itself is no processor.
    pub process: u32,
}

impl Part {
    pub fn new(processor: Processor, begin: Place, process: u32) -> Part {
        Part { processor, kept: VecDeque::new(), last_sync: begin, process }
    }

    /// Ends the superstep.
    pub fn sync(&mut self, call: Call) -> Result<(), Misuse> {
        self.last_sync = call.place;
        self.processor.sync(call.place)?;
        self.kept.clear();
        Ok(())
    }
}

/// One processor for each process. (For an engine of threads this is each thread's own.)
struct Own(UnsafeCell<Stage>);

// SAFETY: the calls of BSPlib are for one thread of a processor, as `bsp.h` says.
unsafe impl Sync for Own {}

static STAGE: Own = Own(UnsafeCell::new(Stage::Before(None)));

/// Where the program stands. The reference is not to be kept while the program runs.
#[inline]
pub fn stage() -> &'static mut Stage {
    // SAFETY: one thread calls, and no reference outlives the call of the program's.
    unsafe { &mut *STAGE.0.get() }
}
