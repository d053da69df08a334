//! Machines that have ended here, while records for them may still arrive.

use crate::channel::Record;
use crate::misuse::{Members, Misuse};

use super::object::{Object, late};

/// Number of machines that are remembered.
const KEPT: usize = 64;

/// The machines that ended last; the oldest is overwritten first.
#[derive(Debug, Default)]
pub(super) struct EndedMachines {
    machines: Vec<EndedMachine>,
    next: usize,
}

#[derive(Clone, Copy, Debug)]
struct EndedMachine {
    id: u64,
    members: Members,
    /// The superstep in which it ended.
    superstep: u64,
    /// Messages announced for the superstep before, if that was oblivious.
    announced: Option<u64>,
}

/// The treatment of a record for a machine that is not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordTreatment {
    /// It was sent in the machine's last superstep, which no synchronisation ended: nobody receives it.
    Late,
    /// The machine may begin here later.
    Unknown,
}

impl EndedMachines {
    #[inline]
    pub fn remember(&mut self, object: &Object) {
        let Object { id, superstep, .. } = *object;
        let announced = if superstep > 1 { object.announced(superstep - 1) } else { None };
        let machine = EndedMachine { id, members: object.members(), superstep, announced };
        if self.machines.len() < KEPT {
            self.machines.push(machine)
        } else {
            self.machines[self.next] = machine;
            self.next = (self.next + 1) % KEPT;
        }
    }

    pub fn judge(&self, record: &Record) -> Result<RecordTreatment, Misuse> {
        let header = &record.header;
        let Some(machine) = self.machines.iter().find(|m| m.id == header.machine) else {
            return Ok(RecordTreatment::Unknown);
        };
        let pid = record.from - machine.members.first;
        match header.superstep.cmp(&machine.superstep) {
            std::cmp::Ordering::Equal => Ok(RecordTreatment::Late),
            std::cmp::Ordering::Greater => Err(Misuse::MoreSupersteps {
                pid,
                done: machine.superstep,
                machine: machine.members,
            }),
            std::cmp::Ordering::Less => {
                let is_last = header.superstep + 1 == machine.superstep;
                let announced = machine.announced.filter(|_| is_last);
                Err(late(record, pid, announced, machine.members))
            }
        }
    }
}
