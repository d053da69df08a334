//! `bsp_sync`: the end of a superstep. All processors call it.
//!
//! 1. Finish the streams of requests and messages to the others (`close`). If this superstep's gets are the same as
//!    those of the previous superstep with gets, the processors that own the data send them without a request
//!    (`repeated`).
//! 2. Barrier (`exchange`). Each processor passes two things: its collective state, which is what all processors must
//!    do in the same way (registrations, tag sizes, the kind of the superstep); and [`flags`], for instance whether it
//!    gets data, and whether it offers to write its puts into the receiver's memory itself. After the barrier each
//!    processor can read what the others have written for it. If the collective states differ, the call ends with an
//!    error that names the difference.
//! 3. If any processor gets data: each reads what the others get from it and replies, all wait in `second_barrier`, and
//!    the replies are written. Then each processor writes the puts that have arrived, and takes over the messages. If a
//!    sender writes its puts itself (`delivery`), all wait in `second_barrier` until it has done so.
//! 4. Registrations and tag sizes take effect, and the next superstep begins.
//!
//! Most supersteps are plain: shared memory, no change of registrations or tag sizes, no log. `end_superstep` is
//! compiled once with `PLAIN`, where it has only the steps that such a superstep needs, and once for each engine
//! without it.
//!
//! [`Processor::barrier`] is something else: it waits for all processors without ending the superstep. Requests and
//! messages stay unchanged.
//!
//! Why: decision 0091.

use crate::copy::copy;
use crate::engine::agreement::{CollectiveState, ExchangeResult, flags};
use crate::engine::capabilities::AnyEngine;
use crate::engine::contract::{Engine, Senders};
use crate::engine::mpi::MpiEngine;
use crate::engine::shared::Shared;
use crate::engine::{Carried, Carrier};
use crate::log::{Ending, Held};
use crate::misuse::Misuse;
use crate::place::Place;
use crate::processor::large::NoLargePuts;
use crate::processor::messages::Inbox;
use crate::processor::record::write_puts;
use crate::processor::requests::Last;
use crate::processor::{Out, Processor};
use crate::tags::TagSizes;

impl Processor {
    /// Ends the superstep, together with all other processors. The data of gets are read first. Then the results of
    /// gets are written, then the puts. Messages are delivered, and registrations and tag sizes take effect.
    ///
    /// # Errors
    /// If the processors' collective states differ (see `CollectiveState`), or the machine was stopped.
    #[inline(always)]
    pub fn sync(&mut self, place: Place) -> Result<(), Misuse> {
        if self.is_plain() {
            self.end_superstep::<Shared, true>(place, 0)
        } else {
            self.sync_any(place, 0)
        }
    }

    /// As [`Processor::sync`]. `kind` is a number that the caller chooses for the kind of call that ends the superstep.
    /// It must be the same on all processors.
    pub fn sync_collective(&mut self, place: Place, kind: u64) -> Result<(), Misuse> {
        match kind {
            0 => self.sync(place),
            _ => self.sync_any(place, kind),
        }
    }

    /// Whether the superstep is plain: the processor shares memory with the others, has changed no registration or tag
    /// size in it, and keeps no log.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let collective = self.pushes | self.tag_calls | self.registers.popped().len() as u64;
        collective == 0 && self.recorder.is_none() && matches!(self.engine, Carrier::Shared(_))
    }

    #[inline(never)]
    fn sync_any(&mut self, place: Place, kind: u64) -> Result<(), Misuse> {
        match self.engine {
            Carrier::Shared(_) => self.end_superstep::<Shared, false>(place, kind),
            Carrier::Mpi(_) => self.end_superstep::<MpiEngine, false>(place, kind),
        }
    }

    /// Ends the superstep on an engine. `PLAIN`: the superstep is plain ([`Processor::is_plain`]), and the steps for
    /// all other cases are not compiled.
    #[inline(always)]
    fn end_superstep<E: Carried, const PLAIN: bool>(
        &mut self,
        place: Place,
        kind: u64,
    ) -> Result<(), Misuse> {
        // 1. The streams to the others are finished.
        if !PLAIN {
            self.note_place::<E>(place)?;
            if self.recorder.is_some() {
                self.record_entry();
                self.check_memory()?;
            }
        }
        let (mut repeated, mut flags) = (false, 0);
        if !self.gets.is_empty() || self.repeated.is_subscribed() {
            (repeated, flags) = self.flags_of_gets()?;
        }
        let collective =
            if PLAIN { None } else { Some(CollectiveState { kind, ..self.collective(false) }) };
        let removes = collective.is_some_and(|collective| collective.pops > 0);
        // The engine is taken once: each call of `E::from_carrier` costs some instructions.
        let mut engine = E::from_carrier(&mut self.engine)?;
        if PLAIN && !place.is_same(&self.place) {
            self.place = place;
            engine.set_place(place);
        }
        let me = (self.pid, &self.last);
        flags |= close(&mut self.touched, &mut self.out, &mut self.offered, me, engine);
        if removes {
            flags |= flags::REFUSES;
        }
        // 2. Barrier.
        let agreed = if PLAIN {
            engine.exchange(None, flags).map_err(|_| Misuse::Stopped)?
        } else {
            let agreed = self.exchange::<E>(collective.as_ref(), flags)?;
            engine = E::from_carrier(&mut self.engine)?;
            agreed
        };
        if !agreed.calls_agree {
            return Err(self.difference());
        }
        if removes {
            self.agree_on_removals()?;
            engine = E::from_carrier(&mut self.engine)?;
        }
        // 3. Gets are written, then puts. Messages are taken over.
        if !PLAIN || agreed.gets | agreed.delivers || repeated && self.gets.len() != 1 {
            self.receive(&agreed, repeated)?;
            engine = E::from_carrier(&mut self.engine)?;
        } else {
            if repeated && let [get] = self.gets[..] {
                let Some(sent) = engine.subscribed(get.from) else {
                    return Err(Misuse::Gone(get.from));
                };
                // SAFETY: the caller of `get` has promised that `dst` can be written; the owner has sent `get.size`
                // bytes.
                unsafe { copy(sent, get.dst, get.size) };
                self.held = 0;
                self.gets.clear();
            }
            begin_to_read(&mut self.tags, &mut self.inbox, &mut self.copies);
            if agreed.sent {
                receive_from_all(&*engine, &mut self.inbox, None);
            }
        }
        // 4. The next superstep begins.
        if collective.is_some_and(|collective| collective != CollectiveState::default()) {
            self.registers.end_superstep();
            self.last = Last::NONE;
            (self.pushes, self.tag_calls) = (0, 0);
        }
        engine.advance();
        if !PLAIN && self.recorder.is_some() {
            self.record_end(place);
        }
        Ok(())
    }

    /// The barrier at the end of a superstep. The waiting time is recorded in the log, if there is one.
    fn exchange<E: Carried>(
        &mut self,
        collective: Option<&CollectiveState>,
        flags: u64,
    ) -> Result<ExchangeResult, Misuse> {
        let since = self.wait_begins();
        let agreed = E::from_carrier(&mut self.engine)?.exchange(collective, flags);
        self.wait_ends(since);
        agreed.map_err(|_| Misuse::Stopped)
    }

    /// Whether all gets of this superstep repeat earlier ones, so that the owners of the data send them without a
    /// request; and the [`flags`] for the barrier.
    #[inline(always)]
    fn flags_of_gets(&mut self) -> Result<(bool, u64), Misuse> {
        Ok(if self.all_gets_repeat()? {
            (true, flags::REFUSES)
        } else if self.gets.is_empty() {
            (false, 0)
        } else {
            (false, flags::GETS)
        })
    }

    /// Called if registrations were removed in this superstep: checks that all processors have removed the same ones.
    #[cold]
    fn agree_on_removals(&mut self) -> Result<(), Misuse> {
        self.agree_on_pops()?;
        // The numbers of removed registrations may be used again only after all processors have agreed.
        self.repeated.forget(&mut *self.engine);
        let since = self.wait_begins();
        let agreed = self.engine.pops_are_agreed();
        self.wait_ends(since);
        agreed.map_err(|_| Misuse::Stopped)
    }

    /// Step 3: carries out gets, writes puts (or lets their sender write them), takes over messages and tag sizes.
    #[inline(never)]
    fn receive(&mut self, agreed: &ExchangeResult, repeated: bool) -> Result<(), Misuse> {
        if agreed.gets {
            self.carry_out_gets(repeated)?;
        } else if repeated {
            self.write_repeated()?;
        }
        begin_to_read(&mut self.tags, &mut self.inbox, &mut self.copies);
        if !agreed.sent {
            return Ok(());
        }
        if agreed.delivers {
            return self.deliver_and_receive();
        }
        if self.large_from < usize::MAX {
            return self.receive_with_large();
        }
        self.receive_but(None);
        Ok(())
    }

    /// Writes the puts of all processors, except those of `one`, which writes its puts itself; takes over messages.
    #[inline(never)]
    pub(super) fn receive_but(&mut self, number: Option<usize>) {
        receive_from_all(&*self.engine, &mut self.inbox, number);
    }

    /// Waits until all processors have called this. The superstep continues: requests stay unchanged.
    pub fn barrier(&mut self, place: Place) -> Result<(), Misuse> {
        self.note_place_any(place)?;
        let held = self.recorder.as_mut().map_or_else(Held::default, |recorder| recorder.hold());
        let latest = self.engine.barrier(held.begun).map_err(|_| Misuse::Stopped)?;
        // The recorder knows the whole of it.
        self.engine.waited();
        if let Some(recorder) = &mut self.recorder {
            recorder.release(&held, latest);
        }
        Ok(())
    }

    #[cold]
    fn record_end(&mut self, place: Place) {
        let Some(recorder) = &mut self.recorder else { return };
        if recorder.virtual_clock().is_some() {
            let (latest, h) = self.engine.latest();
            recorder.synchronise(latest, h, Ending::Sync);
        }
        recorder.end(place, Ending::Sync);
    }

    /// Records the requests of this superstep, by partner.
    #[cold]
    fn record_entry(&mut self) {
        let Some(recorder) = &mut self.recorder else { return };
        recorder.enter();
        for &to in &self.touched {
            let out = &self.out[to];
            let messages = u64::from(out.sent.messages);
            let tags = messages * self.tags.sent as u64;
            let sent = out.put_bytes + out.sent.message_bytes + tags;
            if out.puts + messages > 0 {
                recorder.note(to, out.puts + messages, sent, 0);
            }
        }
        for get in &self.gets {
            recorder.note(get.from, get.calls, 0, get.size as u64);
        }
        if let Some(combine) = recorder.combine() {
            let now = recorder.virtual_clock().map_or(0, |virtual_clock| virtual_clock.now());
            self.engine.set_arrival(now, combine);
            let others = recorder.traffic().iter().filter(|t| t.partner as usize != self.pid);
            others.for_each(|t| self.engine.count_bytes(t.partner as usize, t.sent, t.got));
        }
    }

    /// On a virtual processor: checks that all virtual processors together fit in memory.
    #[cold]
    fn check_memory(&mut self) -> Result<(), Misuse> {
        let virtual_clock = self.recorder.as_mut().and_then(|recorder| recorder.virtual_clock());
        virtual_clock
            .map_or(Ok(()), |virtual_clock| virtual_clock.check_memory())
            .map_err(Misuse::DoesNotFit)
    }

    /// Called before a call of the engine that waits. Returns the time if the log needs it, else 0. With `times_itself`
    /// the engine measures its waiting time, and it is not needed here.
    #[inline]
    fn wait_begins(&self) -> u64 {
        match &self.recorder {
            Some(recorder) if !self.times_itself => recorder.now(),
            _ => 0,
        }
    }

    #[inline]
    fn wait_ends(&mut self, since: u64) {
        match &mut self.recorder {
            Some(recorder) if self.times_itself => recorder.waited(self.engine.waited()),
            Some(recorder) => recorder.waited_since(since),
            None => {}
        }
    }

    /// The second barrier at the end of a superstep. After it replies to gets can be read, and puts that their sender
    /// writes itself are complete.
    pub(super) fn second_barrier(&mut self) -> Result<(), Misuse> {
        let since = self.wait_begins();
        let met = self.engine.exchange_replies();
        self.wait_ends(since);
        met.map_err(|_| Misuse::Stopped)
    }

    /// Ends the machine, together with all other processors. Requests and messages since the last synchronisation are
    /// discarded. On processor 0 the call returns when the other processors have ended.
    ///
    /// # Errors
    /// As [`Processor::sync`].
    pub fn end(&mut self, place: Place) -> Result<(), Misuse> {
        self.note_place_any(place)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.enter();
        }
        let collective = self.collective(true);
        let agreed = match self.engine {
            Carrier::Shared(_) => self.exchange::<Shared>(Some(&collective), 0),
            Carrier::Mpi(_) => self.exchange::<MpiEngine>(Some(&collective), 0),
        };
        if !agreed?.calls_agree {
            return Err(self.difference());
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.end(place, Ending::End);
        }
        self.recorder = None;
        self.engine.end().map_err(|_| Misuse::Stopped)
    }

    /// Notes the source line of the call, for messages.
    fn note_place<E: Carried>(&mut self, place: Place) -> Result<(), Misuse> {
        if !place.is_same(&self.place) {
            self.place = place;
            E::from_carrier(&mut self.engine)?.set_place(place);
        }
        Ok(())
    }

    fn note_place_any(&mut self, place: Place) -> Result<(), Misuse> {
        match self.engine {
            Carrier::Shared(_) => self.note_place::<Shared>(place),
            Carrier::Mpi(_) => self.note_place::<MpiEngine>(place),
        }
    }
}

/// Writes the puts of all processors, except those of `but`, which writes its puts itself; takes over messages.
#[inline(always)]
fn receive_from_all<E: Engine + ?Sized>(engine: &E, inbox: &mut Inbox, but: Option<usize>) {
    let Senders { mut bits, others } = engine.senders();
    while bits != 0 {
        let from = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        let (requests, has_messages) = engine.arrived_requests(from);
        if let Some(requests) = requests
            && but != Some(from)
        {
            // SAFETY: senders check that destinations are registered before they write a record.
            let Ok(()) = unsafe { write_puts(requests, &mut NoLargePuts) };
        }
        if has_messages && let Some(arrived) = engine.arrived(from) {
            inbox.add(from, &arrived);
        }
    }
    for from in others {
        receive_from(engine, inbox, but, from);
    }
}

#[inline(never)]
fn receive_from<E: Engine + ?Sized>(
    engine: &E,
    inbox: &mut Inbox,
    but: Option<usize>,
    from: usize,
) {
    if let Some(arrived) = engine.arrived(from) {
        if but != Some(from) {
            // SAFETY: as above.
            let Ok(()) = unsafe { write_puts(arrived.requests, &mut NoLargePuts) };
        }
        inbox.add(from, &arrived);
    }
}

/// Finishes the streams to the others. Returns the [`flags`] for `exchange`.
#[inline(always)]
fn close<E: AnyEngine>(
    touched: &mut Vec<usize>,
    out: &mut [Out],
    offered: &mut Option<usize>,
    (me, last): (usize, &Last),
    engine: &mut E,
) -> u64 {
    let mut flags = 0;
    while let Some(to) = touched.pop() {
        let out = &mut out[to];
        // If this processor puts many bytes to one other, it offers to write them into that one's memory itself. Others
        // may do the same, and then their copies run at the same time.
        if out.put_bytes >= out.offers_from
            && flags == 0
            && out.offer((me, to), last.for_processor(to), engine)
        {
            *offered = Some(to);
            flags = flags::DELIVERS;
        }
        // `last_put` must not be extended any more: the next record belongs to another superstep.
        if out.requests.is_open() {
            out.sent.requests = out.requests.finish();
            out.last_put.end();
        }
        if out.messages.is_open() {
            out.messages.finish();
            out.run.end();
        }
        engine.close(to, &out.sent);
    }
    flags
}

/// Tag sizes take effect, and the inbox is emptied for the messages that are delivered now.
#[inline(always)]
fn begin_to_read(tags: &mut TagSizes, inbox: &mut Inbox, copies: &mut Vec<Vec<u128>>) {
    tags.end_superstep();
    inbox.begin(tags.read);
    if !copies.is_empty() {
        copies.clear();
    }
}
