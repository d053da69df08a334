//! The structure of a program: machine objects, their supersteps, and the parts inside supersteps.
//!
//! Both logs and formulas become a [`Program`]. It has what is computed and sent, but no costs: the time of the same
//! program can be computed for several machines and by several rules.

mod partners;
mod traffic;
mod work;

use thiserror::Error;

pub(crate) use partners::largest;
pub use partners::{Partners, Sets};
pub use traffic::{Traffic, TrafficPattern};
pub use work::{Parameter, Term, Work};

/// A program: machine objects (§2 of the 2003 paper) and when its processors begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    objects: Vec<Object>,
    joins: Vec<f64>,
}

/// A machine object: processors that have supersteps in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The name of the object in reports.
    pub name: String,
    /// How many processors it has.
    pub processors: u32,
    /// The supersteps of the object, the first of which has the number 1.
    pub supersteps: Vec<Superstep>,
}

/// A superstep of a machine object.
#[derive(Clone, Debug, PartialEq)]
pub struct Superstep {
    /// The name of the superstep in reports: the place of the call that ended it, or the name in the description.
    pub name: String,
    /// Computation, in its order.
    pub phases: Vec<Phase>,
    /// The data that are sent.
    pub traffic: Traffic,
    /// Which processors send to which, if the price depends on it.
    pub pattern: TrafficPattern,
    /// How it ends.
    pub ending: Ending,
}

/// A piece of a superstep's computation.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// The processors compute.
    Work(Work),
    /// `bsp_partition` to `bsp_done`: parts that are machines of their own. In this superstep their time counts as
    /// computation. Processors that are in no part continue immediately.
    Parts(Vec<Part>),
}

/// A part of a machine object. Its processors have consecutive numbers in the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of its processor 0 in the object that was partitioned.
    pub first: u32,
    /// Which object: its index, below that of the object that was partitioned.
    pub object: usize,
}

/// How a superstep ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// When all processors have arrived: Ω is all processors of the object.
    Barrier,
    /// For each processor, when the data sent to it have arrived: Ω as given.
    Oblivious(Partners),
    /// Without synchronisation, at the end of the program or part: Ω = {i}, without g·h and L.
    Nothing,
}

/// Why something is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// Without a machine object nothing can be computed.
    #[error("the program has no machine object")]
    Empty,
    /// An object without processors.
    #[error("{object} has no processor")]
    NoProcessor {
        /// The object's name.
        object: String,
    },
    /// Values for another number of processors.
    #[error(
        "superstep {superstep} of {object}: {what} of {found} processors, where there are {processors}"
    )]
    Length {
        /// The object's name.
        object: String,
        /// The number of the superstep, from 1.
        superstep: usize,
        /// The list that is wrong: `computation`, `traffic`, `partners`.
        what: &'static str,
        /// How many are there.
        found: usize,
        /// How many there should be.
        processors: u32,
    },
    /// A partner that does not exist.
    #[error(
        "superstep {superstep} of {object}: processor {partner} is a partner, and there are {processors} processors"
    )]
    Partner {
        /// The object's name.
        object: String,
        /// The number of the superstep, from 1.
        superstep: usize,
        /// The partner.
        partner: u32,
        /// How many processors there are.
        processors: u32,
    },
    /// Parts that reach beyond the object, or into each other.
    #[error(
        "superstep {superstep} of {object}: its parts are not neighbours within {processors} processors"
    )]
    Parts {
        /// The object's name.
        object: String,
        /// The number of the superstep, from 1.
        superstep: usize,
        /// How many processors there are.
        processors: u32,
    },
    /// Times of joining for another number of processors, or none.
    #[error("there are {found} times at which processors join, and {processors} processors")]
    Joins {
        /// How many are there.
        found: usize,
        /// How many processors there are.
        processors: u32,
    },
}

impl Program {
    /// A program with these objects. The last one is the whole machine, and each object comes after its parts.
    ///
    /// `joins` are the ξ of the paper, seconds; empty: all begin at 0.
    ///
    /// # Errors
    /// The first [`Flaw`].
    pub fn new(objects: Vec<Object>, joins: Vec<f64>) -> Result<Program, Flaw> {
        let Some(root) = objects.last() else { return Err(Flaw::Empty) };
        if !joins.is_empty() && joins.len() != root.processors as usize {
            return Err(Flaw::Joins { found: joins.len(), processors: root.processors });
        }
        for (index, object) in objects.iter().enumerate() {
            object.check(&objects[..index])?;
        }
        Ok(Program { objects, joins })
    }

    /// The objects, the whole machine last.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub(crate) fn objects_mut(&mut self) -> &mut [Object] {
        &mut self.objects
    }

    /// Index of the whole machine.
    pub fn root_index(&self) -> usize {
        self.objects.len() - 1
    }

    /// How many processors it has.
    pub fn processors(&self) -> u32 {
        self.objects[self.root_index()].processors
    }

    /// When each processor begins, seconds; empty: all at 0.
    pub fn joins(&self) -> &[f64] {
        &self.joins
    }

    /// Processor-supersteps that an evaluation goes through.
    pub fn size(&self) -> u64 {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            let steps = object.supersteps.len() as u64 * u64::from(object.processors);
            let phases = object.supersteps.iter().flat_map(|superstep| &superstep.phases);
            let parts = phases.filter_map(|phase| match phase {
                Phase::Parts(parts) => Some(parts),
                Phase::Work(_) => None,
            });
            let inside: u64 = parts.flatten().map(|part| sizes[part.object]).sum();
            sizes.push(steps + inside);
        }
        sizes.last().copied().unwrap_or(0)
    }
}

impl Object {
    fn check(&self, before: &[Object]) -> Result<(), Flaw> {
        let (object, processors) = (self.name.clone(), self.processors);
        if processors == 0 {
            return Err(Flaw::NoProcessor { object });
        }
        for (superstep, step) in self.supersteps.iter().enumerate() {
            let superstep = superstep + 1;
            let lengths = (step.phases.iter())
                .filter_map(|phase| match phase {
                    Phase::Work(work) => Some(("computation", work.len()?)),
                    Phase::Parts(_) => None,
                })
                .chain(step.traffic.len().map(|number| ("traffic", number)))
                .chain(match &step.ending {
                    Ending::Oblivious(partners) => {
                        partners.len().map(|partner| ("partners", partner))
                    }
                    _ => None,
                });
            for (what, number) in lengths {
                if number != processors as usize {
                    return Err(Flaw::Length {
                        object,
                        superstep,
                        what,
                        found: number,
                        processors,
                    });
                }
            }
            if let Ending::Oblivious(partners) = &step.ending
                && let Some(partner) = partners.highest().filter(|&highest| highest >= processors)
            {
                return Err(Flaw::Partner { object, superstep, partner, processors });
            }
            for phase in &step.phases {
                let Phase::Parts(parts) = phase else { continue };
                let mut free = 0;
                for part in parts {
                    let known = before.get(part.object).filter(|_| part.first >= free);
                    let end = known.and_then(|known| part.first.checked_add(known.processors));
                    match end.filter(|&end| end <= processors) {
                        Some(end) => free = end,
                        None => return Err(Flaw::Parts { object, superstep, processors }),
                    }
                }
            }
        }
        Ok(())
    }
}

impl Superstep {
    /// A superstep in which nothing is computed and nothing sent.
    pub fn new(ending: Ending) -> Superstep {
        Superstep {
            name: String::new(),
            phases: Vec::new(),
            traffic: Traffic::None,
            pattern: TrafficPattern::Empty,
            ending,
        }
    }
}
