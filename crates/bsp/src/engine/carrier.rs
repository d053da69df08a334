//! A processor's engine, whichever it is.

use std::ops::{Deref, DerefMut};

use super::capabilities::AnyEngine;
use super::mpi::Mpi;
use super::shared::Shared;
use crate::Misuse;

/// An engine. What most supersteps need is called by its type, see [`Carried`]: to go through a
/// table of functions, with what is handed over in memory, takes more than 100 instructions of a superstep with
/// little in it. All else goes through the table.
pub(crate) enum Carrier {
    Shared(Box<Shared>),
    Mpi(Box<Mpi>),
}

/// An engine that a [`Carrier`] can be.
pub(crate) trait Carried: AnyEngine + Sized {
    /// The engine. Callers know that it is this one; else nothing is done.
    fn of(carrier: &mut Carrier) -> Result<&mut Self, Misuse>;
}

impl Carried for Shared {
    #[inline(always)]
    fn of(carrier: &mut Carrier) -> Result<&mut Shared, Misuse> {
        match carrier {
            Carrier::Shared(engine) => Ok(engine),
            Carrier::Mpi(_) => Err(Misuse::Stopped),
        }
    }
}

impl Carried for Mpi {
    #[inline(always)]
    fn of(carrier: &mut Carrier) -> Result<&mut Mpi, Misuse> {
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
