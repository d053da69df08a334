//! The time of virtual processors in machine objects.
//!
//! At the end of a superstep a processor sends its time, and the number of bytes, to each processor to which it
//! has sent something or from which it has got something. At a barrier, a second barrier finds the latest time
//! and the largest h. An oblivious end waits for the times of those from which messages have arrived, and for
//! their h, which they know when their own messages have arrived. That depends only on sends, not on the end of
//! the same superstep, so there is no deadlock.

use crate::channel::Record;
use crate::log::{Ending, Log, Object};
use crate::misuse::Misuse;
use crate::virtuals::{Combine, VirtualClock};

use super::barrier::{Arrival, BarrierCall, release_all};
use super::wait_site::WaitReason;
use super::{Objects, kind};

/// First round of the second barrier of a superstep.
const SECOND: u16 = 64;

impl Objects {
    /// Makes this a virtual processor, with or without a log, at the begin of its first superstep.
    pub(crate) fn become_virtual(
        &mut self,
        virtual_clock: VirtualClock,
        log: Option<Box<dyn Log>>,
    ) {
        let root = &self.stack[0];
        let machine = Object::root(root.pid, root.nprocs);
        self.recorder =
            Some(Box::new(crate::log::SuperstepRecorder::of_virtual(virtual_clock, log, machine)));
    }

    /// Whether this is a virtual processor.
    #[inline]
    pub(super) fn is_virtual(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.combine().is_some())
    }

    fn combine(&self) -> Combine {
        self.recorder.as_ref().and_then(|recorder| recorder.combine()).unwrap_or_default()
    }

    fn now(&mut self) -> u64 {
        let virtual_clock = self.recorder.as_mut().and_then(|recorder| recorder.virtual_clock());
        virtual_clock.map_or(0, |virtual_clock| virtual_clock.now())
    }

    /// Other processors of the machine with traffic in this superstep: number, bytes sent, bytes got.
    fn partners(&self, level: usize) -> Vec<(usize, u64, u64)> {
        let pid = self.stack[level].pid;
        let all = self.recorder.as_ref().map_or(&[][..], |recorder| recorder.traffic());
        let others = all.iter().filter(|traffic| traffic.partner as usize != pid);
        others.map(|traffic| (traffic.partner as usize, traffic.sent, traffic.got)).collect()
    }

    fn send_words(
        &mut self,
        level: usize,
        to: usize,
        kind: u16,
        words: &[u64],
    ) -> Result<(), Misuse> {
        let header = self.header(level, kind, size_of_val(words));
        let to = self.stack[level].base + to;
        // SAFETY: the words exist.
        unsafe { self.channels.send(to, header, words.as_ptr().cast()) }
    }

    /// Sends the time at which this processor has reached the end of the superstep to all with which there was
    /// traffic. An error if there is not enough memory.
    #[cold]
    pub(super) fn send_time(&mut self, level: usize) -> Result<(), Misuse> {
        let Some(virtual_clock) =
            self.recorder.as_mut().and_then(|recorder| recorder.virtual_clock())
        else {
            return Ok(());
        };
        virtual_clock.check_memory().map_err(Misuse::DoesNotFit)?;
        let now = virtual_clock.now();
        for (to, sent, got) in self.partners(level) {
            self.send_words(level, to, kind::TIME, &[now, sent, got])?;
        }
        Ok(())
    }

    /// This processor's h, when all times for it have arrived.
    fn own_h(&self, level: usize) -> u64 {
        let own = self.partners(level).into_iter();
        let (mut sent, mut received) =
            own.fold((0, 0), |(sent, received), (_, to, from)| (sent + to, received + from));
        for time in self.stack[level].times.iter().filter(|time| time.header.kind == kind::TIME) {
            let [_, to_here, from_here] = words(time);
            received += to_here;
            sent += from_here;
        }
        self.combine().h(received, sent)
    }

    fn end_meeting(&mut self, level: usize, latest: u64, h: u64, ending: Ending) {
        release_all(&mut self.stack[level].times, &mut *self.channels);
        if let Some(recorder) = &mut self.recorder {
            recorder.synchronise(latest, h, ending);
        }
    }

    /// At the end of a barrier, when everything that was sent has arrived.
    #[cold]
    pub(super) fn synchronise_times(
        &mut self,
        level: usize,
        call: BarrierCall,
    ) -> Result<(), Misuse> {
        let word = Arrival::of_largest(self.own_h(level), self.now());
        let (h, latest) = self.pass_barrier_from(SECOND, level, call, word)?.largest();
        self.end_meeting(level, latest, h, Ending::Sync);
        Ok(())
    }

    /// At an oblivious end, when as many messages have arrived as were announced.
    #[cold]
    pub(super) fn synchronise_sender_times(
        &mut self,
        level: usize,
        call: BarrierCall,
        count: usize,
    ) -> Result<(), Misuse> {
        let object = &self.stack[level];
        let me = object.base + object.pid;
        let mut senders: Vec<usize> = object.arriving.iter().map(|record| record.from).collect();
        senders.sort_unstable();
        senders.dedup();
        senders.retain(|&from| from != me);
        self.receive_all_tokens(level, call, count, kind::TIME, &senders)?;
        let h = self.own_h(level);
        for (to, ..) in self.partners(level) {
            self.send_words(level, to, kind::SHARE, &[h, 0, 0])?;
        }
        self.receive_all_tokens(level, call, count, kind::SHARE, &senders)?;
        let mut all = (self.now(), h);
        for record in &self.stack[level].times {
            let [word, ..] = words(record);
            match record.header.kind {
                kind::TIME => all.0 = all.0.max(word),
                _ => all.1 = all.1.max(word),
            }
        }
        self.end_meeting(level, all.0, all.1, Ending::Oblivious);
        Ok(())
    }

    /// Waits until all these processors have sent something of this kind.
    fn receive_all_tokens(
        &mut self,
        level: usize,
        call: BarrierCall,
        count: usize,
        kind: u16,
        senders: &[usize],
    ) -> Result<(), Misuse> {
        loop {
            let object = &self.stack[level];
            let received = object.times.iter().filter(|record| record.header.kind == kind).count();
            match senders.len().saturating_sub(received) {
                0 => return Ok(()),
                missing => self.wait(level, call, WaitReason::Times(missing))?,
            }
            self.take_in()?;
            if self.stack[level].is_synchronised() {
                return Err(self.meets_sync(level));
            }
            self.check_excess(level, count)?;
        }
    }
}

/// The words of a time or a share.
fn words(record: &Record) -> [u64; 3] {
    // SAFETY: `send_words` has sent three; a payload is aligned to 16.
    unsafe { record.payload.cast::<[u64; 3]>().read() }
}
