//! The threads engine: every processor is a thread of one process.
//!
//! Memory that is not registered is shared, too: the program must ensure that each processor uses its own. A
//! crash ends all processors.
//!
//! Why: decision 0021.

mod crash;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::Carrier;
use crate::engine::shared::arena::Arena;
use crate::engine::shared::control::Stage;
use crate::engine::shared::{self, ProcessorKind, Shared};
use crate::maker::Maker;
use crate::objects::Objects;
use crate::processor::Processor;
use crate::start::StartError;

/// A processor's place in a machine, to be taken by a thread.
#[derive(Debug)]
pub struct Slot {
    presence: Presence,
}

/// Creates a machine of `count` processors; slot i is that of processor i. A slot or a [`Processor`] that is
/// dropped before its end stops the machine.
///
/// ```
/// use cll_bsp::{Place, threads};
///
/// let slots = threads::slots(3).unwrap();
/// let received = std::thread::scope(|scope| {
///     let threads: Vec<_> = slots
///         .into_iter()
///         .map(|slot| {
///             scope.spawn(move || {
///                 let mut processor = slot.enter();
///                 let next = (processor.pid() + 1) % processor.nprocs();
///                 // SAFETY: there are no tags, and the payload is there.
///                 unsafe { processor.send(next, std::ptr::null(), b"hello".as_ptr(), 5) }.unwrap();
///                 processor.sync(Place::NOWHERE).unwrap();
///                 let source = processor.take().unwrap().source;
///                 processor.end(Place::NOWHERE).unwrap();
///                 source
///             })
///         })
///         .collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
/// });
/// assert_eq!(received, [2, 0, 1]);
/// ```
pub fn slots(count: usize) -> Result<Vec<Slot>, StartError> {
    let arena = Arena::new(count).map_err(|error| StartError::Memory(count, error))?;
    let arena = Arc::new(arena);
    let slot = |index| Slot { presence: Presence { arena: arena.clone(), index, handler: None } };
    Ok((0..count).map(slot).collect())
}

/// From now on a signal by which the system ends a program, such as SIGSEGV, is reported with the processor
/// whose thread it has hit, before it ends the process. Only for programs whose process may end with the
/// machine. Signals for which the program has handlers are left alone.
pub fn report_crashes(slots: &mut [Slot]) {
    let Some(first) = slots.first() else { return };
    let handler = crash::install(&first.presence.arena);
    slots.iter_mut().for_each(|slot| slot.presence.handler = Some(handler));
}

impl Slot {
    /// The process that has made the machine.
    pub fn maker(&self) -> Maker {
        self.presence.arena.control().maker()
    }

    /// The number of its processor.
    pub fn index(&self) -> usize {
        self.presence.index
    }

    /// Makes the calling thread this processor.
    pub fn enter(self) -> Processor {
        let Presence { arena, index, .. } = &self.presence;
        self.presence.enter();
        let (arena, index) = (arena.clone(), *index);
        let processors = arena.processors();
        let engine = Shared::new(arena, index, processors, Arc::new(self.presence));
        Processor::new(Carrier::Shared(Box::new(engine)))
    }
}

impl Slot {
    /// Makes the calling thread this processor, in machine objects.
    pub fn enter_objects(self) -> Objects {
        let Presence { arena, index, .. } = &self.presence;
        self.presence.enter();
        let (arena, index) = (arena.clone(), *index);
        let processors = arena.processors();
        let kind = Arc::new(self.presence);
        Objects::new(Box::new(shared::rings(arena, index, processors, kind)))
    }
}

/// Exists as long as a processor can still do something.
#[derive(Debug)]
struct Presence {
    arena: Arc<Arena>,
    index: usize,
    handler: Option<&'static crash::CrashHandler>,
}

impl Presence {
    fn enter(&self) {
        if let Some(handler) = self.handler {
            handler.enter(self.index);
        }
    }

    fn others_are_present(&self) -> bool {
        let others =
            self.arena.processor_states().iter().enumerate().filter(|(i, _)| *i != self.index);
        others.into_iter().any(|(_, state)| state.stage() != Stage::Ended)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Some(handler) = self.handler {
            handler.leave(self.index);
        }
        let (state, control) = (&self.arena.processor_states()[self.index], self.arena.control());
        if state.stage() != Stage::Ended {
            if control.stop() {
                control.set_stop_reason(Some(self.index), "it was dropped before its end");
            }
            state.set_stage(Stage::Ended);
            self.arena.barrier(self.arena.processors(), self.arena.cores()).wake_all();
        }
    }
}

impl ProcessorKind for Presence {
    fn shares_everything(&self) -> bool {
        true
    }

    /// Threads that leave report it themselves.
    fn check_others(&self, _: &Arena) {}

    fn join(&self, _: &Arena) {
        let mut naps = 0;
        while self.others_are_present() {
            nap(&mut naps);
        }
        // Wait until they have also released the memory and its descriptor, unless their owners keep them.
        let (own, begin) = (2, Instant::now());
        while Arc::strong_count(&self.arena) > own && begin.elapsed() < RELEASE_WAIT {
            nap(&mut naps);
        }
    }
}

/// How long to wait until processors that have ended have released their memory.
const RELEASE_WAIT: Duration = Duration::from_millis(200);

/// A short pause at first, then longer ones.
fn nap(naps: &mut u32) {
    *naps += 1;
    if *naps < 1000 {
        std::thread::yield_now()
    } else {
        std::thread::sleep(Duration::from_micros(200))
    }
}
