//! The recurrence (equations 2 and 3 of the 2003 paper), over a structure of machine objects:
//!
//! ```text
//! Φ[0,i] = ξ[i]
//! Φ[s,i] = max{ Φ[s-1,j] + W[s,j] : j in Ω[s,i] } + g·h[s,i] + L
//! h[s,i] = max{ in[s,j] @ out[s,j] : j in Ω[s,i] }
//! ```
//!
//! Processors of a part have consecutive numbers in their object, so a part is a slice of the times, and is evaluated
//! in place. Four numbers for each processor are kept, independent of the number of supersteps.

use cll_units::Seconds;

use crate::price::{Pricing, Rate};
use crate::program::{Ending, Partners, Phase, Program, Superstep, Traffic, Work, largest};

/// The superstep of an object that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Index of the object.
    pub object: usize,
    /// Index of its superstep, from 0.
    pub superstep: usize,
    /// The number of the object's processor 0 in the program.
    pub first: u32,
}

/// How a superstep ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// Which.
    pub position: Position,
    /// The superstep itself.
    pub superstep: &'a Superstep,
    /// When each processor had computed: `Φ[s-1,i] + W[s,i]`.
    pub ready: &'a [f64],
    /// h of each, bytes.
    pub h: Sizes<'a>,
    /// The price of the superstep.
    pub rate: &'a Rate,
    /// Whether it waited for all, as in plain BSP.
    pub global: bool,
}

/// h of processors.
#[derive(Clone, Copy, Debug)]
pub enum Sizes<'a> {
    /// One for all.
    Same(f64),
    /// Each its own.
    Each(&'a [f64]),
}

impl Sizes<'_> {
    /// That of a processor of the object.
    pub fn of_processor(&self, processor: usize) -> f64 {
        match self {
            Sizes::Same(h) => *h,
            Sizes::Each(h) => h[processor],
        }
    }
}

/// Observes the evaluation of a program.
pub trait EvaluationObserver {
    /// Whether it observes anything.
    const OBSERVES: bool = true;
    /// Called when the processors of an object have finished computing.
    fn worked(&mut self, position: Position, phase: usize, work: &Work, processors: usize);
    /// Called when a superstep has ended; `after` has the times of its end.
    fn ended(&mut self, ended: &Ended<'_>, after: &[f64]);
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl EvaluationObserver for Unobserved {
    const OBSERVES: bool = false;
    fn worked(&mut self, _: Position, _: usize, _: &Work, _: usize) {}
    fn ended(&mut self, _: &Ended<'_>, _: &[f64]) {}
}

/// An evaluator. Its memory is reused by the next evaluation.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    now: Vec<f64>,
    spare: Vec<f64>,
    own: Vec<f64>,
    h: Vec<f64>,
}

impl Evaluator {
    /// `Φ[R,i]` of each processor in seconds, for these values of the quantities.
    pub fn times(&mut self, program: &Program, pricing: &Pricing, values: &[f64]) -> &[f64] {
        self.observed(program, pricing, values, &mut Unobserved)
    }

    /// The time of the program: the largest `Φ[R,i]`.
    pub fn time(&mut self, program: &Program, pricing: &Pricing, values: &[f64]) -> Seconds {
        Seconds(largest(self.times(program, pricing, values)))
    }

    /// As [`Evaluator::times`], with an observer.
    pub fn observed<W: EvaluationObserver>(
        &mut self,
        program: &Program,
        pricing: &Pricing,
        values: &[f64],
        observer: &mut W,
    ) -> &[f64] {
        let processors = program.processors() as usize;
        self.now.clear();
        match program.joins() {
            [] => self.now.resize(processors, 0.0),
            joins => self.now.extend_from_slice(joins),
        }
        for room in [&mut self.spare, &mut self.own, &mut self.h] {
            room.resize(processors, 0.0);
        }
        let room = Room {
            now: &mut self.now,
            spare: &mut self.spare[..processors],
            own: &mut self.own[..processors],
            h: &mut self.h[..processors],
        };
        Evaluation { program, pricing, values, observer }.object(program.root_index(), 0, room);
        &self.now
    }
}

/// The values that are kept for the processors of an object.
struct Room<'a> {
    now: &'a mut [f64],
    spare: &'a mut [f64],
    own: &'a mut [f64],
    h: &'a mut [f64],
}

impl Room<'_> {
    fn part(&mut self, first: usize, count: usize) -> Room<'_> {
        let range = first..first + count;
        Room {
            now: &mut self.now[range.clone()],
            spare: &mut self.spare[range.clone()],
            own: &mut self.own[range.clone()],
            h: &mut self.h[range],
        }
    }
}

struct Evaluation<'a, W> {
    program: &'a Program,
    pricing: &'a Pricing,
    values: &'a [f64],
    observer: &'a mut W,
}

impl<W: EvaluationObserver> Evaluation<'_, W> {
    fn object(&mut self, object: usize, first: u32, mut room: Room<'_>) {
        let program = self.program;
        for (index, superstep) in program.objects()[object].supersteps.iter().enumerate() {
            let position = Position { object, superstep: index, first };
            for (phase, what) in superstep.phases.iter().enumerate() {
                match what {
                    Phase::Work(work) => {
                        work.add(self.values, room.now);
                        if W::OBSERVES {
                            self.observer.worked(position, phase, work, room.now.len());
                        }
                    }
                    Phase::Parts(parts) => {
                        for part in parts {
                            let count = program.objects()[part.object].processors as usize;
                            let room = room.part(part.first as usize, count);
                            self.object(part.object, first + part.first, room);
                        }
                    }
                }
            }
            self.end(position, superstep, &mut room);
        }
    }

    fn end(&mut self, position: Position, superstep: &Superstep, room: &mut Room<'_>) {
        let pricing = self.pricing;
        let rate = &pricing.rates[position.object][position.superstep];
        let global = pricing.global;
        let ended = |ready, h| Ended { position, superstep, ready, h, rate, global };
        let partners = match &superstep.ending {
            Ending::Nothing if !global => {
                if W::OBSERVES {
                    self.observer.ended(&ended(room.now, Sizes::Same(0.0)), room.now);
                }
                return;
            }
            Ending::Oblivious(partners) if !global => partners,
            _ => &Partners::All,
        };
        if matches!(partners, Partners::All) {
            let (h, (communication, synchronisation)) = match &superstep.ending {
                Ending::Nothing => (0.0, (0.0, 0.0)),
                _ => {
                    let h = superstep.traffic.largest(pricing.combine);
                    (h, rate.cost(h, self.values))
                }
            };
            let time = largest(room.now) + communication + synchronisation;
            if W::OBSERVES {
                room.spare.fill(time);
                self.observer.ended(&ended(room.now, Sizes::Same(h)), room.spare);
            }
            room.now.fill(time);
            return;
        }
        partners.maxima(room.now, room.spare);
        let h = match &superstep.traffic {
            Traffic::Each(_) => {
                for (processor, own) in room.own.iter_mut().enumerate() {
                    *own = superstep.traffic.processor_bytes(processor, pricing.combine);
                }
                partners.maxima(room.own, room.h);
                for (time, &h) in room.spare.iter_mut().zip(room.h.iter()) {
                    let (communication, synchronisation) = rate.cost(h, self.values);
                    *time = *time + communication + synchronisation;
                }
                Sizes::Each(room.h)
            }
            traffic => {
                let h = traffic.largest(pricing.combine);
                let (communication, synchronisation) = rate.cost(h, self.values);
                for time in room.spare.iter_mut() {
                    *time = *time + communication + synchronisation;
                }
                Sizes::Same(h)
            }
        };
        if W::OBSERVES {
            self.observer.ended(&ended(room.now, h), room.spare);
        }
        room.now.copy_from_slice(room.spare);
    }
}
