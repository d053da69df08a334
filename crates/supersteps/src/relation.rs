//! Both directions of the traffic between processors, from what each requested.

use std::collections::HashMap;

use cll_units::{Bytes, SuperstepNumber};

use super::{Log, Superstep};

/// The traffic that a processor sent and received in a superstep, without requests to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The number of puts, gets and messages.
    pub requests: u64,
    /// Bytes that left it.
    pub sent: Bytes,
    /// Bytes that came to it.
    pub received: Bytes,
}

impl Share {
    /// Returns the processor's part of the h-relation: the larger of both.
    pub fn h(&self) -> Bytes {
        self.sent.max(self.received)
    }
}

/// The supersteps of all machines with the traffic between their processors.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// By key of the machine and superstep, then number in the machine.
    shares: HashMap<(String, SuperstepNumber), HashMap<u32, Share>>,
}

impl Relation {
    /// The traffic of a log. If the log of a processor is missing, so are its requests.
    pub fn new(log: &Log) -> Relation {
        let mut relation = Relation::default();
        for processor in &log.processors {
            for superstep in &processor.supersteps {
                let Some(machine) = processor.machine(superstep.machine) else { continue };
                let key = (machine.key.clone(), superstep.number);
                let shares = relation.shares.entry(key).or_default();
                shares.entry(machine.pid).or_default();
                for traffic in processor.traffic(superstep) {
                    if traffic.partner == machine.pid {
                        continue;
                    }
                    let own = shares.entry(machine.pid).or_default();
                    own.requests += u64::from(traffic.requests);
                    own.sent += Bytes(traffic.sent);
                    own.received += Bytes(traffic.got);
                    let other = shares.entry(traffic.partner).or_default();
                    other.received += Bytes(traffic.sent);
                    other.sent += Bytes(traffic.got);
                }
            }
        }
        relation
    }

    /// Returns the traffic that a processor of a machine, by its number there, sent and received in a superstep.
    pub fn share(&self, machine: &str, superstep: &Superstep, pid: u32) -> Share {
        let key = (machine.to_owned(), superstep.number);
        self.shares.get(&key).and_then(|shares| shares.get(&pid)).copied().unwrap_or_default()
    }
}
