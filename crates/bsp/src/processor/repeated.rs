//! Gets that are the same in one superstep after the other.
//!
//! Programs that iterate get the same places again and again. What was got twice in the same way is
//! subscribed: its owners send it when they have ended their computation, and those supersteps need no second
//! wait, in which others would read what is theirs.

use super::Processor;
use super::gets::{Get, overlap};
use crate::copy::copy;
use crate::engine::capabilities::{AnyEngine, RemoteRange};
use crate::misuse::Misuse;

/// Gets of a superstep at most, of those that are compared.
const MOST: usize = 64;
/// Supersteps without gets after which a subscription is withdrawn.
const PATIENCE: u32 = 4;

/// What was got before, and whether it is subscribed.
#[derive(Debug, Default)]
pub(super) struct RepeatedGets {
    /// Of the last superstep with gets; empty: they cannot be subscribed.
    before: Vec<RemoteRange>,
    /// Where each lies in what its owner sends.
    places: Vec<usize>,
    subscribed: bool,
    /// They cannot be subscribed.
    refused: bool,
    /// Supersteps since they were sent.
    idle: u32,
}

/// What a get is of, if it is of one piece.
fn piece(get: &Get) -> Option<RemoteRange> {
    let address = match get.reached.1 == get.size {
        true => get.here as usize,
        false if get.others[0].1 == get.size => get.address,
        false => return None,
    };
    Some(RemoteRange { of: get.from, address, size: get.size })
}

impl RepeatedGets {
    /// Whether gets were subscribed.
    #[inline]
    pub fn is_subscribed(&self) -> bool {
        self.subscribed
    }

    /// Whether the nth get of a superstep is as it was subscribed: its owner need not be asked yet.
    #[inline]
    pub fn is_nth(&self, nth: usize, get: &Get) -> bool {
        self.subscribed && self.before.get(nth).copied() == piece(get)
    }

    fn are(&self, gets: &[Get]) -> bool {
        gets.len() == self.before.len()
            && gets.iter().zip(&self.before).all(|(get, before)| piece(get) == Some(*before))
    }

    /// `held`: of the first so many gets it is known that they are as they were subscribed.
    fn compare(&mut self, gets: &[Get], held: usize, engine: &mut dyn AnyEngine) -> bool {
        let are_same = held == gets.len() && held == self.before.len();
        if are_same && engine.is_subscribed() {
            self.idle = 0;
            return true;
        }
        self.idle += 1;
        // Others than before, none for a while, or of memory of which its owner sends nothing.
        if self.idle > PATIENCE || !(are_same || gets.is_empty()) {
            engine.unsubscribe();
            (self.subscribed, self.refused) = (false, are_same);
        }
        false
    }

    /// Between the two waits of a superstep with gets that repeat no earlier ones: subscribes to them if they are those of
    /// the last one.
    pub fn learn(&mut self, gets: &[Get], engine: &mut dyn AnyEngine) {
        if gets.is_empty() || self.subscribed {
            return;
        }
        if self.are(gets) {
            self.subscribe(engine);
            return;
        }
        self.refused = false;
        self.before.clear();
        if gets.len() <= MOST {
            let all: Option<Vec<RemoteRange>> = gets.iter().map(piece).collect();
            self.before.extend(all.unwrap_or_default());
        }
    }

    fn subscribe(&mut self, engine: &mut dyn AnyEngine) {
        self.subscribed = !self.refused && engine.subscribe(&self.before);
        (self.refused, self.idle) = (!self.subscribed, 0);
        self.places.clear();
        for (nth, piece) in self.before.iter().enumerate() {
            let earlier = self.before[..nth].iter().filter(|other| other.of == piece.of);
            self.places.push(earlier.map(|other| other.size.next_multiple_of(8)).sum());
        }
    }

    /// Registrations were removed, on all processors: their memory is not read again.
    #[cold]
    pub fn forget(&mut self, engine: &mut dyn AnyEngine) {
        engine.forget_subscriptions();
        (self.subscribed, self.refused) = (false, false);
        self.before.clear();
    }
}

impl Processor {
    /// At the end of computation: whether all that is got will be sent without being asked for. If not, those
    /// are asked that were not yet.
    #[inline]
    pub(super) fn all_gets_repeat(&mut self) -> Result<bool, Misuse> {
        if !self.repeated.subscribed {
            return Ok(false);
        }
        let all = self.repeated.compare(&self.gets, self.held, &mut *self.engine);
        if !all {
            self.ask_for_held()?;
        }
        Ok(all)
    }

    /// Asks for what was held back: it repeats no earlier get.
    #[cold]
    pub(super) fn ask_for_held(&mut self) -> Result<(), Misuse> {
        for nth in 0..std::mem::take(&mut self.held) {
            let get = self.gets[nth];
            self.ask(&get)?;
        }
        Ok(())
    }

    /// After the wait: gets read what was sent.
    pub(super) fn redirect(&mut self) -> Result<(), Misuse> {
        for (get, place) in self.gets.iter_mut().zip(&self.repeated.places) {
            let Some(sent) = self.engine.subscribed(get.from) else {
                return Err(Misuse::Gone(get.from));
            };
            get.here = sent.wrapping_add(*place);
            (get.reached, get.others) = ((0, get.size), [(0, 0); 2]);
        }
        self.held = 0;
        Ok(())
    }

    /// Writes what was sent, where nobody reads here: in the order of the processors it is from, then of the
    /// calls.
    pub(super) fn write_repeated(&mut self) -> Result<(), Misuse> {
        self.redirect()?;
        if overlap(&self.gets) {
            self.gets.sort_by_key(|get| get.from);
        }
        for get in self.gets.drain(..) {
            // SAFETY: the caller of `get` has promised the memory; it was sent.
            unsafe { copy(get.here, get.dst, get.size) };
        }
        Ok(())
    }
}
