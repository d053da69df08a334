//! Reports of machine objects to the log of supersteps.

use crate::log::{Ending, Log, Object, SuperstepRecorder};
use crate::misuse::Misuse;
use crate::place::Place;

use super::{Objects, WHOLE};

/// The id of the machine of all processors in logs.
const WHOLE_IN_LOGS: u64 = 0;

fn in_logs(id: u64) -> u64 {
    if id == WHOLE { WHOLE_IN_LOGS } else { id }
}

impl Objects {
    /// Reports each superstep of each machine to a log from now on. To be called before the first superstep.
    pub fn keep_log(&mut self, log: Box<dyn Log>) {
        let root = &self.stack[0];
        self.recorder =
            Some(Box::new(SuperstepRecorder::new(log, Object::root(root.pid, root.nprocs))));
    }

    /// Records that a part was created. It is the innermost machine now.
    #[cold]
    pub(super) fn open_account(&mut self) {
        let (parent, part) = (&self.stack[self.open - 2], &self.stack[self.open - 1]);
        let machine = Object {
            id: in_logs(part.id),
            parent: in_logs(parent.id),
            within: parent.superstep,
            first: part.base as u32,
            nprocs: part.nprocs as u32,
            pid: part.pid as u32,
        };
        if let Some(recorder) = &mut self.recorder {
            recorder.open(machine);
        }
    }

    /// Called when the innermost machine is left: reports the computation since its last synchronisation.
    #[cold]
    pub(super) fn close_account(&mut self, place: Place) {
        if let Some(recorder) = &mut self.recorder {
            recorder.enter();
            recorder.end(place, Ending::End);
            recorder.close();
        }
    }

    /// A superstep of the innermost machine is about to end: records the requests of this processor in it.
    #[cold]
    pub(super) fn record_entry(&mut self) {
        let Some(recorder) = &mut self.recorder else { return };
        recorder.enter();
        let object = &self.stack[self.open - 1];
        for (pid, traffic) in object.sent.partners() {
            recorder.note(pid, traffic.requests, traffic.bytes, 0);
        }
        for get in &object.remote.gets {
            recorder.note(get.from, 1, 0, get.size as u64);
        }
    }

    /// Calls a function that waits, and records how long.
    #[cold]
    pub(super) fn record_wait(
        &mut self,
        wait: impl FnOnce(&mut Objects) -> Result<(), Misuse>,
    ) -> Result<(), Misuse> {
        let since = self.recorder.as_ref().map_or(0, |recorder| recorder.now());
        let outcome = wait(self);
        if let Some(recorder) = &mut self.recorder {
            recorder.waited_since(since);
        }
        outcome
    }
}
