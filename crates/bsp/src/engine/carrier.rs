//! The engine of a processor, as an enum of all engines.

use std::ops::{Deref, DerefMut};

use super::capabilities::AnyEngine;
use super::mpi::MpiEngine;
use super::shared::Shared;
use crate::Misuse;

/// An engine. Calls that most supersteps need are made with the engine's own type, see [`Carried`]: a call
/// through a table of functions, with results in memory, costs more than 100 instructions in a superstep with
/// little to do. All other calls go through the table.
pub(crate) enum Carrier {
    Shared(Box<Shared>),
    Mpi(Box<MpiEngine>),
}

/// An engine that a [`Carrier`] can be.
pub(crate) trait Carried: AnyEngine + Sized {
    /// The engine, if it is of this type. Callers have checked that; otherwise this is an error.
    fn from_carrier(carrier: &mut Carrier) -> Result<&mut Self, Misuse>;
}

impl Carried for Shared {
    #[inline(always)]
    fn from_carrier(carrier: &mut Carrier) -> Result<&mut Shared, Misuse> {
        match carrier {
            Carrier::Shared(engine) => Ok(engine),
            Carrier::Mpi(_) => Err(Misuse::Stopped),
        }
    }
}

impl Carried for MpiEngine {
    #[inline(always)]
    fn from_carrier(carrier: &mut Carrier) -> Result<&mut MpiEngine, Misuse> {
        match carrier {
            Carrier::Mpi(engine) => Ok(engine),
            Carrier::Shared(_) => Err(Misuse::Stopped),
        }
    }
}

impl Deref for Carrier {
    type Target = dyn AnyEngine;

    fn deref(&self) -> &(dyn AnyEngine + 'static) {
        match self {
            Carrier::Shared(engine) => &**engine,
            Carrier::Mpi(engine) => &**engine,
        }
    }
}

impl DerefMut for Carrier {
    fn deref_mut(&mut self) -> &mut (dyn AnyEngine + 'static) {
        match self {
            Carrier::Shared(engine) => &mut **engine,
            Carrier::Mpi(engine) => &mut **engine,
        }
    }
}
