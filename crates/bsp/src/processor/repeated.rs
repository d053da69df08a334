//! Gets that are the same in consecutive supersteps.
//!
//! Iterative programs get the same data again and again. If the gets of two supersteps are equal, the reader
//! subscribes to the data: the owners send it when they have ended their computation, and these supersteps need
//! no second barrier.

use super::Processor;
use super::gets::{Get, overlap};
use crate::copy::copy;
use crate::engine::capabilities::{AnyEngine, RemoteRange};
use crate::misuse::Misuse;

/// Gets of a superstep that are compared, at most.
const MAX_GETS: usize = 64;
/// A subscription is cancelled after more supersteps than this without gets.
const MAX_IDLE: u32 = 4;

/// The gets of the last superstep, and whether they are subscribed.
#[derive(Debug, Default)]
pub(super) struct RepeatedGets {
    /// The gets of the last superstep with gets; empty: they cannot be subscribed.
    before: Vec<RemoteRange>,
    /// The offset of each in what its owner sends.
    places: Vec<usize>,
    subscribed: bool,
    /// They cannot be subscribed.
    refused: bool,
    /// Supersteps since the last use.
    idle: u32,
}

/// The range of a get, if it is not divided.
fn piece(get: &Get) -> Option<RemoteRange> {
    let address = if get.reached.1 == get.size {
        get.here as usize
    } else if get.others[0].1 == get.size {
        get.address
    } else {
        return None;
    };
    Some(RemoteRange { owner: get.from, address, size: get.size })
}

impl RepeatedGets {
    /// Whether the gets are subscribed.
    #[inline]
    pub fn is_subscribed(&self) -> bool {
        self.subscribed
    }

    /// Whether the nth get of a superstep is the nth subscribed one: then no request is sent yet.
    #[inline]
    pub fn is_nth(&self, nth: usize, get: &Get) -> bool {
        self.subscribed && self.before.get(nth).copied() == piece(get)
    }

    fn are(&self, gets: &[Get]) -> bool {
        gets.len() == self.before.len()
            && gets.iter().zip(&self.before).all(|(get, before)| piece(get) == Some(*before))
    }

    /// `held`: the number of first gets that are known to equal the subscribed ones.
    fn compare(&mut self, gets: &[Get], held: usize, engine: &mut dyn AnyEngine) -> bool {
        let are_same = held == gets.len() && held == self.before.len();
        if are_same && engine.is_subscribed() {
            self.idle = 0;
            return true;
        }
        self.idle += 1;
        // Other gets than before, none for a while, or data that an owner does not send.
        if self.idle > MAX_IDLE || !(are_same || gets.is_empty()) {
            engine.unsubscribe();
            (self.subscribed, self.refused) = (false, are_same);
        }
        false
    }

    /// Between the two barriers of a superstep with gets that repeat no earlier ones: subscribes to them if
    /// they equal those of the last superstep.
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
        if gets.len() <= MAX_GETS {
            let all: Option<Vec<RemoteRange>> = gets.iter().map(piece).collect();
            self.before.extend(all.unwrap_or_default());
        }
    }

    fn subscribe(&mut self, engine: &mut dyn AnyEngine) {
        self.subscribed = !self.refused && engine.subscribe(&self.before);
        (self.refused, self.idle) = (!self.subscribed, 0);
        self.places.clear();
        for (nth, piece) in self.before.iter().enumerate() {
            let earlier = self.before[..nth].iter().filter(|other| other.owner == piece.owner);
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
    /// At the end of computation: whether all data of gets will be sent without a request. If not, sends the
    /// requests that were held back.
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

    /// Sends the requests that were held back: the gets repeat no earlier ones.
    #[cold]
    pub(super) fn ask_for_held(&mut self) -> Result<(), Misuse> {
        for nth in 0..std::mem::take(&mut self.held) {
            let get = self.gets[nth];
            self.ask(&get)?;
        }
        Ok(())
    }

    /// After the barrier: gets read what was sent.
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

    /// Writes what was sent, if nobody reads here: in the order of the owners, then of the calls.
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
