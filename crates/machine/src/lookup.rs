//! The cost of a superstep on a machine, and the substitutes for missing data.

mod choice;
mod substitution;

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::communication::{Combine, Empty, Line, Pattern, Synchronisation};
use crate::machine::Machine;
use crate::uncertain::Uncertain;
use choice::{Processors, nearest};
pub use substitution::Substitution;

/// The superstep whose cost is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask<'a> {
    /// The engine; `None` for the file's first.
    pub engine: Option<&'a str>,
    /// Processors of the machine object.
    pub processors: u32,
    /// Whether there are more processors than cores. `Some(false)`: each processor has a core of its own (even if the
    /// measured machine has fewer cores). `None`: whichever was measured with this number of processors.
    pub oversubscribed: Option<bool>,
    /// Which processors send to which.
    pub pattern: Pattern,
    /// How the superstep ends.
    pub synchronisation: Synchronisation,
    /// The definition of h.
    pub combine: Combine,
    /// h, in bytes.
    pub bytes: f64,
}

/// The cost of a superstep: `T = L + g·h`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Cost {
    /// Seconds per byte of h, in the requested @, of the synchronisation. If only (s, g, l) is known and `calls` is
    /// not, the requests are included.
    pub g: Uncertain,
    /// Seconds per byte of h that the requests took before that, in the requested @; `None` if not
    /// known. A superstep log counts them as computation.
    pub calls: Option<Uncertain>,
    /// Seconds per byte of h for the first reading of received data, in the requested @; `None`
    /// if not known.
    pub fetch: Option<Uncertain>,
    /// Seconds.
    pub l: Uncertain,
    /// Smallest h of the segment, bytes.
    pub from: f64,
    /// Largest h of the segment, bytes.
    pub to: f64,
    /// Whether h is within the measured sizes.
    pub inside: bool,
    /// The data that were missing, with the data that were taken instead.
    pub substitutions: Vec<Substitution>,
}

/// The (s, g, l) of a machine, in seconds and bytes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ClassicCost {
    /// Seconds per byte, h as `max(in, out)`: of requests and synchronisation.
    pub g: Uncertain,
    /// The part of `g` that a superstep log counts as computation; `None` if not known.
    pub calls: Option<Uncertain>,
    /// Seconds.
    pub l: Uncertain,
    /// Operations per second; `None` if not known.
    pub rate: Option<Uncertain>,
    /// The data that were missing, with the data that were taken instead.
    pub substitutions: Vec<Substitution>,
}

impl ClassicCost {
    /// The part of g that a superstep log counts as communication; if the parts are not known, all of it.
    pub fn synchronisation(&self) -> Uncertain {
        match self.calls {
            None => self.g,
            Some(calls) => Uncertain {
                value: (self.g.value - calls.value).max(0.0),
                low: (self.g.low - calls.value).max(0.0),
                high: (self.g.high - calls.value).max(0.0),
            },
        }
    }
}

/// Why a machine has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Missing {
    /// There are no data for the engine.
    #[error("{machine} says nothing of the engine {asked}; it knows {}", listed(.known))]
    Engine {
        /// The machine's name.
        machine: String,
        /// The engine that was requested.
        asked: String,
        /// Those it knows.
        known: Vec<String>,
    },
    /// It has neither (s, g, l) nor costs of supersteps.
    #[error("{machine} says nothing of what supersteps cost")]
    Communication {
        /// The machine's name.
        machine: String,
    },
    /// It has no (s, g, l).
    #[error("{machine} has no (s, g, l)")]
    Classic {
        /// The machine's name.
        machine: String,
    },
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none by name".to_owned(),
        _ => names.join(", "),
    }
}

impl Machine {
    /// The cost of a superstep: the segment that contains its h, of the line that is nearest to the request. If nothing
    /// is sent in the superstep, it is the measured cost of empty supersteps, for any pattern.
    ///
    /// If there is no exactly matching line, one with the nearest number of processors is preferred to one with the
    /// same pattern. If there is no line at all, (s, g, l) is used for every pattern. The answer lists all substitutes.
    ///
    /// # Errors
    /// If there are no data for the engine, or for supersteps at all.
    pub fn cost(&self, ask: &Ask<'_>) -> Result<Cost, Missing> {
        let mut substitutions = Vec::new();
        let engine = self.engine(ask.engine, &mut substitutions)?;
        if ask.bytes <= 0.0
            && let Some(empty) = self.empty_for(ask, engine, &mut substitutions)
        {
            return Ok(Cost {
                g: Uncertain::ZERO,
                calls: None,
                fetch: None,
                l: empty.l,
                from: 0.0,
                to: 0.0,
                inside: true,
                substitutions,
            });
        }
        match self.line_for(ask, engine, &mut substitutions) {
            Some(line) => Ok(self.on_line(ask, line, substitutions)),
            None => self.by_classic(ask, substitutions),
        }
    }

    /// (s, g, l) of an engine (`None`: the file's first) with this number of processors.
    ///
    /// # Errors
    /// If there are no data for the engine, or there is no (s, g, l).
    pub fn classic(&self, engine: Option<&str>, processors: u32) -> Result<ClassicCost, Missing> {
        let mut substitutions = Vec::new();
        let engine = self.engine(engine, &mut substitutions)?;
        let kind = |_: &crate::Classic| 0;
        let option = nearest(
            self.classic.iter().filter(|classic| of_engine(classic.engine.as_deref(), engine)),
            |classic| Processors {
                processors: classic.processors,
                oversubscribed: classic.oversubscribed,
            },
            (processors, None),
            kind,
        );
        let Some(classic) = option else {
            return Err(Missing::Classic { machine: self.name.clone() });
        };
        substitution::of_processors(
            (processors, None),
            (classic.processors, classic.oversubscribed),
            &mut substitutions,
        );
        Ok(ClassicCost {
            g: classic.g,
            calls: classic.calls,
            l: classic.l,
            rate: classic.rate,
            substitutions,
        })
    }

    /// The engine to look for; `None` if the file has only one, without a name.
    fn engine<'a>(
        &'a self,
        asked: Option<&'a str>,
        substitutions: &mut Vec<Substitution>,
    ) -> Result<Option<&'a str>, Missing> {
        let known = self.engines();
        match asked {
            None => {
                if known.len() > 1 {
                    substitutions.push(Substitution::Engine { taken: known[0].to_owned() });
                }
                Ok(known.first().copied())
            }
            Some(name) if known.contains(&name) || self.has_nameless_engine() => Ok(Some(name)),
            Some(name) => Err(Missing::Engine {
                machine: self.name.clone(),
                asked: name.to_owned(),
                known: known.into_iter().map(str::to_owned).collect(),
            }),
        }
    }

    fn has_nameless_engine(&self) -> bool {
        self.classic.iter().any(|classic| classic.engine.is_none())
            || self.communication.iter().any(|line| line.engine.is_none())
            || self.empty.iter().any(|empty| empty.engine.is_none())
    }

    fn empty_for(
        &self,
        ask: &Ask<'_>,
        engine: Option<&str>,
        substitutions: &mut Vec<Substitution>,
    ) -> Option<&Empty> {
        let empty = nearest(
            self.empty.iter().filter(|empty| {
                of_engine(empty.engine.as_deref(), engine)
                    && empty.synchronisation == ask.synchronisation
            }),
            |empty| Processors {
                processors: empty.processors,
                oversubscribed: empty.oversubscribed,
            },
            (ask.processors, ask.oversubscribed),
            |_| 0,
        )?;
        substitution::of_processors(
            (ask.processors, ask.oversubscribed),
            (empty.processors, empty.oversubscribed),
            substitutions,
        );
        Some(empty)
    }

    fn line_for(
        &self,
        ask: &Ask<'_>,
        engine: Option<&str>,
        substitutions: &mut Vec<Substitution>,
    ) -> Option<&Line> {
        let otherwise = |line: &Line| {
            usize::from(line.synchronisation != ask.synchronisation) * 1000
                + choice::stranger(ask.pattern, line.pattern) * 10
                + usize::from(line.combine != ask.combine)
        };
        let line = nearest(
            self.communication.iter().filter(|line| {
                of_engine(line.engine.as_deref(), engine) && !line.segments.is_empty()
            }),
            |line| Processors { processors: line.processors, oversubscribed: line.oversubscribed },
            (ask.processors, ask.oversubscribed),
            otherwise,
        )?;
        substitution::of_processors(
            (ask.processors, ask.oversubscribed),
            (line.processors, line.oversubscribed),
            substitutions,
        );
        if line.synchronisation != ask.synchronisation {
            let (asked, taken) = (ask.synchronisation, line.synchronisation);
            substitutions.push(Substitution::Synchronisation { asked, taken });
        }
        if line.pattern != ask.pattern {
            let (asked, taken) = (ask.pattern, line.pattern);
            substitutions.push(Substitution::Pattern { asked, taken });
        }
        Some(line)
    }

    fn on_line(&self, ask: &Ask<'_>, line: &Line, mut substitutions: Vec<Substitution>) -> Cost {
        let factor = h_by_h(ask.pattern, ask.combine, line.combine);
        if line.combine != ask.combine {
            let (asked, taken) = (ask.combine, line.combine);
            substitutions.push(Substitution::Combine { asked, taken });
        }
        // h as the line counts it.
        let h = ask.bytes.max(0.0) / factor;
        let segment = choice::segment(&line.segments, h);
        let (first, last) = (line.segments[0].from, line.segments[line.segments.len() - 1].to);
        let from_nothing = self.empty.iter().any(|empty| {
            empty.engine == line.engine
                && empty.processors == line.processors
                && empty.synchronisation == line.synchronisation
        });
        let inside = h <= last && (h >= first || from_nothing);
        if !inside {
            substitutions.push(Substitution::Size {
                asked: ask.bytes,
                from: first * factor,
                to: last * factor,
            });
        }
        let by_max = 1.0 / h_by_h(ask.pattern, ask.combine, Combine::Max);
        Cost {
            g: segment.g.times(1.0 / factor),
            calls: line.calls.map(|calls| calls.times(by_max)),
            fetch: line.fetch.map(|fetch| fetch.times(by_max)),
            l: segment.l,
            from: segment.from * factor,
            to: segment.to * factor,
            inside,
            substitutions,
        }
    }

    fn by_classic(
        &self,
        ask: &Ask<'_>,
        mut substitutions: Vec<Substitution>,
    ) -> Result<Cost, Missing> {
        let cost = self.classic(ask.engine, ask.processors).map_err(|missing| match missing {
            Missing::Classic { machine } => Missing::Communication { machine },
            other => other,
        })?;
        for substitution in &cost.substitutions {
            if !substitutions.contains(substitution) {
                substitutions.push(substitution.clone());
            }
        }
        substitutions.push(Substitution::Classic);
        let factor = h_by_h(ask.pattern, ask.combine, Combine::Max);
        if ask.combine != Combine::Max {
            let (asked, taken) = (ask.combine, Combine::Max);
            substitutions.push(Substitution::Combine { asked, taken });
        }
        Ok(Cost {
            g: cost.synchronisation().times(1.0 / factor),
            calls: cost.calls.map(|calls| calls.times(1.0 / factor)),
            fetch: None,
            l: cost.l,
            from: 0.0,
            to: f64::INFINITY,
            inside: true,
            substitutions,
        })
    }
}

/// Entries without an engine match every engine.
fn of_engine(entry: Option<&str>, asked: Option<&str>) -> bool {
    entry.is_none() || asked.is_none() || entry == asked
}

/// The quotient of h in the requested @ and h in the line's @.
fn h_by_h(pattern: Pattern, asked: Combine, has: Combine) -> f64 {
    match (asked, has) {
        (Combine::Sum, Combine::Max) => pattern.sum_by_max(),
        (Combine::Max, Combine::Sum) => 1.0 / pattern.sum_by_max(),
        _ => 1.0,
    }
}
