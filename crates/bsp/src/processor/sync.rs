//! The end of a superstep.

use crate::copy::copy;
use crate::engine::Carrier;
use crate::engine::agreement::Alike;
use crate::engine::agreement::{Agreed, says};
use crate::engine::contract::Engine;
use crate::log::Ending;
use crate::misuse::Misuse;
use crate::place::Place;
use crate::processor::apart::NothingComes;
use crate::processor::messages::Inbox;
use crate::processor::record::write_puts;
use crate::processor::requests::Last;
use crate::processor::{Out, Processor};
use crate::tags::TagSizes;

impl Processor {
    /// Ends the superstep, together with all other processors: what was got is read, then what
    /// was got and put is written, messages have arrived, registrations and tag sizes come into force.
    #[inline(always)]
    pub fn sync(&mut self, place: Place) -> Result<(), Misuse> {
        match self.is_plain() {
            true => self.sync_plain(place),
            false => self.sync_any(place, 0),
        }
    }

    /// As [`Processor::sync`]; the kind of the superstep, a number of the caller's, must be the same
    /// on all processors.
    pub fn sync_alike(&mut self, place: Place, kind: u64) -> Result<(), Misuse> {
        match kind {
            0 => self.sync(place),
            _ => self.sync_any(place, kind),
        }
    }

    /// Whether this processor shares memory with the others, has done nothing in this superstep that all must do
    /// alike, and keeps no log: so in most supersteps.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let alike = self.pushes | self.tag_calls | self.registers.popped().len() as u64;
        alike == 0 && self.ledger.is_none() && matches!(self.engine, Carrier::Shared(_))
    }

    #[inline(always)]
    fn sync_plain(&mut self, place: Place) -> Result<(), Misuse> {
        let (mut foreseen, mut says) = (false, 0);
        if !self.gets.is_empty() || self.foreseen.is_ordered() {
            (foreseen, says) = self.says_of_gets()?;
        }
        let Carrier::Shared(engine) = &mut self.engine else { return self.sync_any(place, 0) };
        if !place.is_same(&self.place) {
            self.place = place;
            engine.set_place(place);
        }
        let me = (self.pid, &self.last);
        says |= close(&mut self.touched, &mut self.out, &mut self.offered, me, &mut **engine);
        let agreed = engine.exchange_now(None, says).map_err(|_| Misuse::Stopped)?;
        if !agreed.alike || agreed.gets || agreed.delivers {
            return self.end_together(&agreed, foreseen);
        }
        if foreseen {
            let [get] = self.gets[..] else { return self.end_together(&agreed, true) };
            let Some(sent) = engine.ordered(get.from) else { return Err(Misuse::Gone(get.from)) };
            // SAFETY: the caller of `get` has promised the memory; it was sent.
            unsafe { copy(sent, get.dst, get.size) };
            self.held = 0;
            self.gets.clear();
        }
        begin_to_read(&mut self.tags, &mut self.inbox, &mut self.copies);
        if agreed.sent {
            let Some(mut senders) = engine.few_senders() else { return self.end_of_many() };
            while senders != 0 {
                let from = senders.trailing_zeros() as usize;
                senders &= senders - 1;
                let (requests, has_messages) = engine.requests_of_few(from);
                if let Some(requests) = requests {
                    // SAFETY: processors write nothing else.
                    let Ok(()) = unsafe { write_puts(requests, &mut NothingComes) };
                }
                if has_messages && let Some(arrived) = engine.in_mailbox(from) {
                    self.inbox.add(from, &arrived);
                }
            }
        }
        engine.advance_now();
        Ok(())
    }

    /// Whether all that is got will be sent without being asked for, and what this processor [`says`] of it.
    fn says_of_gets(&mut self) -> Result<(bool, u64), Misuse> {
        Ok(match self.foresees()? {
            true => (true, says::REFUSES),
            false if self.gets.is_empty() => (false, 0),
            false => (false, says::GETS),
        })
    }

    /// After all have met, the end of a superstep in which there is more to do than to read what has come.
    #[inline(never)]
    fn end_together(&mut self, agreed: &Agreed, foreseen: bool) -> Result<(), Misuse> {
        if !agreed.alike {
            return Err(self.difference());
        }
        if agreed.gets {
            self.carry_out_gets(foreseen)?;
        } else if foreseen {
            self.write_foreseen()?;
        }
        self.receive(agreed)?;
        match &mut self.engine {
            Carrier::Shared(engine) => engine.advance_now(),
            Carrier::Other(engine) => engine.advance(),
        }
        Ok(())
    }

    #[inline(never)]
    fn end_of_many(&mut self) -> Result<(), Misuse> {
        self.receive_what_was_sent(None)?;
        self.engine.advance();
        Ok(())
    }

    #[inline(never)]
    fn sync_any(&mut self, place: Place, kind: u64) -> Result<(), Misuse> {
        self.go_to(place);
        if self.ledger.is_some() {
            self.enter_in_ledger();
            self.check_memory()?;
        }
        let (foreseen, mut says) = self.says_of_gets()?;
        says |= close(
            &mut self.touched,
            &mut self.out,
            &mut self.offered,
            (self.pid, &self.last),
            &mut *self.engine,
        );
        let alike = Alike { kind, ..self.alike(false) };
        let since = self.wait_begins();
        if alike.pops > 0 {
            says |= says::REFUSES;
        }
        let agreed = self.engine.exchange(Some(&alike), says);
        self.wait_ends(since);
        let agreed = agreed.map_err(|_| Misuse::Stopped)?;
        if !agreed.alike {
            return Err(self.difference());
        }
        if alike.pops > 0 {
            self.agree_on_pops()?;
            // Until all have agreed, nobody may use numbers and places again that are free now.
            self.foreseen.forget(&mut *self.engine);
            let since = self.wait_begins();
            let agreed = self.engine.pops_are_agreed();
            self.wait_ends(since);
            agreed.map_err(|_| Misuse::Stopped)?;
        }
        if agreed.gets {
            self.carry_out_gets(foreseen)?;
        } else if foreseen {
            self.write_foreseen()?;
        }
        self.receive(&agreed)?;
        if alike != Alike::default() {
            self.registers.end_superstep();
            self.last = Last::NONE;
            (self.pushes, self.tag_calls) = (0, 0);
        }
        self.engine.advance();
        if self.ledger.is_some() {
            self.end_in_ledger(place);
        }
        Ok(())
    }

    /// Waits for all processors, which must all call this; the superstep goes on.
    pub fn rendezvous(&mut self, place: Place) -> Result<(), Misuse> {
        self.go_to(place);
        let begun = self.ledger.as_mut().map_or(0, |ledger| ledger.pause());
        let latest = self.engine.rendezvous(begun).map_err(|_| Misuse::Stopped)?;
        // The superstep goes on as if there had been none.
        self.engine.waited();
        if let Some(ledger) = &mut self.ledger {
            ledger.go_on(begun, latest);
        }
        Ok(())
    }

    #[cold]
    fn end_in_ledger(&mut self, place: Place) {
        let Some(ledger) = &mut self.ledger else { return };
        if ledger.keeper().is_some() {
            let (latest, h) = self.engine.latest();
            ledger.meet(latest, h, Ending::Sync);
        }
        ledger.end(place, Ending::Sync);
    }

    /// What was asked for in this superstep.
    #[cold]
    fn enter_in_ledger(&mut self) {
        let Some(ledger) = &mut self.ledger else { return };
        ledger.enter();
        for &to in &self.touched {
            let out = &self.out[to];
            let messages = u64::from(out.sent.messages);
            let tags = messages * self.tags.sent as u64;
            let sent = out.put_bytes + out.sent.message_bytes + tags;
            if out.puts + messages > 0 {
                ledger.note(to, out.puts + messages, sent, 0);
            }
        }
        for get in &self.gets {
            ledger.note(get.from, get.calls, 0, get.size as u64);
        }
        if let Some(combine) = ledger.combine() {
            let now = ledger.keeper().map_or(0, |keeper| keeper.now());
            self.engine.come(now, combine);
            let others = ledger.traffic().iter().filter(|t| t.partner as usize != self.pid);
            others.for_each(|t| self.engine.tell_bytes(t.partner as usize, t.sent, t.got));
        }
    }

    /// Of a virtual processor: whether there is memory for all of them.
    #[cold]
    fn check_memory(&mut self) -> Result<(), Misuse> {
        let keeper = self.ledger.as_mut().and_then(|ledger| ledger.keeper());
        keeper.map_or(Ok(()), |keeper| keeper.check_memory()).map_err(Misuse::DoesNotFit)
    }

    /// A call of the engine that waits begins: when, if the log is to know it.
    #[inline]
    fn wait_begins(&self) -> u64 {
        match &self.ledger {
            Some(ledger) if !self.times_itself => ledger.now(),
            _ => 0,
        }
    }

    #[inline]
    fn wait_ends(&mut self, since: u64) {
        match &mut self.ledger {
            Some(ledger) if self.times_itself => ledger.waited(self.engine.waited()),
            Some(ledger) => ledger.waited_since(since),
            None => {}
        }
    }

    /// Waits for all processors, within a superstep's end.
    pub(super) fn meet(&mut self) -> Result<(), Misuse> {
        let since = self.wait_begins();
        let met = self.engine.exchange_replies();
        self.wait_ends(since);
        met.map_err(|_| Misuse::Stopped)
    }

    /// Ends the machine, together with all other processors. What was put, got or sent since
    /// the last synchronisation goes nowhere. On processor 0 it returns when the others are gone.
    pub fn end(&mut self, place: Place) -> Result<(), Misuse> {
        self.go_to(place);
        if let Some(ledger) = &mut self.ledger {
            ledger.enter();
        }
        let since = self.wait_begins();
        let alike = self.alike(true);
        let agreed = self.engine.exchange(Some(&alike), 0);
        self.wait_ends(since);
        if !agreed.map_err(|_| Misuse::Stopped)?.alike {
            return Err(self.difference());
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.end(place, Ending::End);
        }
        self.ledger = None;
        self.engine.end().map_err(|_| Misuse::Stopped)
    }

    #[inline]
    fn go_to(&mut self, place: Place) {
        if !place.is_same(&self.place) {
            self.place = place;
            self.engine.set_place(place);
        }
    }

    /// Writes what was put, and takes over messages and tag sizes.
    fn receive(&mut self, agreed: &Agreed) -> Result<(), Misuse> {
        begin_to_read(&mut self.tags, &mut self.inbox, &mut self.copies);
        match (agreed.sent, agreed.delivers) {
            (true, false) => self.receive_what_was_sent(None),
            (true, true) => self.deliver_and_receive(),
            (false, _) => Ok(()),
        }
    }

    /// Writes what was put, but for what one processor writes here itself, and takes over messages.
    pub(super) fn receive_what_was_sent(&mut self, but: Option<usize>) -> Result<(), Misuse> {
        if self.apart < usize::MAX {
            return self.receive_with_apart();
        }
        for from in 0..self.nprocs {
            if let Some(arrived) = self.engine.arrived(from) {
                if but != Some(from) {
                    // SAFETY: as above.
                    let Ok(()) = unsafe { write_puts(arrived.requests, &mut NothingComes) };
                }
                self.inbox.add(from, &arrived);
            }
        }
        Ok(())
    }
}

/// Finishes what goes to others. What this processor [`says`] in `exchange`.
#[inline(always)]
fn close<E: Engine + ?Sized>(
    touched: &mut Vec<usize>,
    out: &mut [Out],
    offered: &mut Option<usize>,
    (me, last): (usize, &Last),
    engine: &mut E,
) -> u64 {
    let mut says = 0;
    while let Some(to) = touched.pop() {
        let out = &mut out[to];
        // Others copy at the same time what this one has for them.
        if out.put_bytes >= out.offers_from && says == 0 && out.offer((me, to), last.of(to), engine)
        {
            *offered = Some(to);
            says = says::DELIVERS;
        }
        // What comes next is in another superstep.
        if out.requests.is_open() {
            out.sent.requests = out.requests.finish();
            out.joint.end();
        }
        if out.messages.is_open() {
            out.messages.finish();
            out.run.end();
        }
        engine.close(to, &out.sent);
    }
    says
}

/// Tag sizes come into force, and what is read is what has come in this superstep.
#[inline(always)]
fn begin_to_read(tags: &mut TagSizes, inbox: &mut Inbox, copies: &mut Vec<Vec<u128>>) {
    tags.end_superstep();
    inbox.begin(tags.read);
    if !copies.is_empty() {
        copies.clear();
    }
}
