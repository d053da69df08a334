//! A processor's engine, whichever it is.

use std::ops::{Deref, DerefMut};

use super::contract::Engine;
use super::shared::Shared;

/// An engine. Where processors share memory it is known by its type, for what most supersteps need: to go through a
/// table, with what is handed over in memory, takes more than 100 instructions of a superstep with little in it.
pub(crate) enum Carrier {
    Shared(Box<Shared>),
    Other(Box<dyn Engine>),
}

impl Deref for Carrier {
    type Target = dyn Engine;

    fn deref(&self) -> &(dyn Engine + 'static) {
        match self {
            Carrier::Shared(engine) => &**engine,
            Carrier::Other(engine) => &**engine,
        }
    }
}

impl DerefMut for Carrier {
    fn deref_mut(&mut self) -> &mut (dyn Engine + 'static) {
        match self {
            Carrier::Shared(engine) => &mut **engine,
            Carrier::Other(engine) => &mut **engine,
        }
    }
}
