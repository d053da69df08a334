//! Converts the supersteps of a log to those of a program.

use std::collections::HashMap;
use std::sync::Arc;

use cll_supersteps::Ending as Ended;
use cll_units::{Bytes, Seconds, SuperstepNumber};

use super::machines::{LoggedMachine, Machines};
use super::{LogError, Measured, Message, traffic_pattern};
use crate::program::{
    Ending, Object, Parameter, Part, Partners, Phase, Sets, Superstep, Traffic, TrafficPattern,
    Work,
};

type Built = (Vec<Object>, Vec<Vec<Measured>>);

/// The objects of a program, and the measured values of their supersteps.
pub(super) fn objects(
    log: &cll_supersteps::Log,
    machines: &Machines<'_>,
    scale: Parameter,
) -> Result<Built, LogError> {
    let mut children: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    for (position, machine) in
        machines.all.iter().enumerate().filter(|(_, machine)| machine.key != "0")
    {
        let place = || LogError::Place {
            machine: machine.key.to_owned(),
            parent: machine.parent.to_owned(),
        };
        let parent = *machines.index.get(machine.parent).ok_or_else(place)?;
        let first = machines.all[parent].first;
        let fits = machine.first >= first
            && u64::from(machine.first - first) + machine.members.len() as u64
                <= machines.all[parent].members.len() as u64;
        if !fits {
            return Err(place());
        }
        children.entry((parent, machine.within)).or_default().push(position);
    }
    let mut shared = Shared::default();
    let mut objects = Vec::new();
    let mut measured = Vec::new();
    for (position, machine) in machines.all.iter().enumerate() {
        let mut supersteps = Vec::with_capacity(machine.count);
        let mut of_machine = Vec::with_capacity(machine.count);
        for index in 0..machine.count {
            let inside = children.get(&(position, index as u64 + 1)).map_or(&[][..], Vec::as_slice);
            let (superstep, seconds) =
                build_superstep(machines, machine, index, inside, scale, &mut shared)?;
            supersteps.push(superstep);
            let processors = log.processors.len() as f64;
            of_machine.push(Measured {
                computation: seconds.computation / processors,
                communication: seconds.communication / processors,
                waiting: seconds.waiting / processors,
            });
        }
        let name = match (machine.key, machine.members.len() as u32) {
            ("0", _) => "all".to_owned(),
            (_, 1) => format!("processor {}", machine.first),
            (_, count) => format!("processors {}-{}", machine.first, machine.first + count - 1),
        };
        objects.push(Object { name, processors: machine.members.len() as u32, supersteps });
        measured.push(of_machine);
    }
    Ok((objects, measured))
}

/// Data that many supersteps have in common are stored once.
#[derive(Default)]
struct Shared {
    traffic: HashMap<Vec<(u64, u64)>, Traffic>,
    sets: HashMap<Sets, Arc<Sets>>,
}

fn build_superstep(
    machines: &Machines<'_>,
    machine: &LoggedMachine<'_>,
    index: usize,
    inside: &[usize],
    scale: Parameter,
    shared: &mut Shared,
) -> Result<(Superstep, Measured), LogError> {
    let processors = machine.members.len();
    let (key, number) = (machine.key, index as u64 + 1);
    let first = machine.members[0].supersteps[index];
    let mut seconds = Measured::default();
    let mut messages: HashMap<(u32, u32), u64> = HashMap::new();
    for (pid, member) in (0u32..).zip(&machine.members) {
        let superstep = member.supersteps[index];
        if superstep.ending != first.ending {
            return Err(LogError::Endings {
                machine: key.to_owned(),
                superstep: SuperstepNumber(number),
            });
        }
        seconds.computation += superstep.computation;
        seconds.communication += superstep.communication;
        seconds.waiting += superstep.waiting;
        let traffic = member.processor.traffic(superstep);
        for entry in traffic.iter().filter(|entry| entry.partner != pid) {
            if entry.partner as usize >= processors {
                return Err(LogError::Partner {
                    machine: key.to_owned(),
                    superstep: SuperstepNumber(number),
                    partner: entry.partner,
                    of: processors as u32,
                });
            }
            // Even a message without bytes makes its sender a partner.
            if entry.sent > 0 || entry.requests > 0 && entry.got == 0 {
                *messages.entry((pid, entry.partner)).or_default() += entry.sent;
            }
            if entry.got > 0 {
                *messages.entry((entry.partner, pid)).or_default() += entry.got;
            }
        }
    }
    let mut messages: Vec<Message> = messages
        .into_iter()
        .map(|((from, to), bytes)| Message { from, to, bytes: Bytes(bytes) })
        .collect();
    messages.sort_unstable_by_key(|message| (message.to, message.from));
    let superstep = Superstep {
        name: name(machine, index),
        phases: phases(machines, machine, index, inside, scale, &mut seconds),
        traffic: shared.traffic(processors, &messages),
        pattern: match first.ending {
            Ended::End => TrafficPattern::Empty,
            _ => traffic_pattern(processors as u32, &messages),
        },
        ending: match first.ending {
            Ended::Sync => Ending::Barrier,
            Ended::End => Ending::Nothing,
            Ended::Oblivious => Ending::Oblivious(shared.partners(processors, &messages)),
        },
    };
    Ok((superstep, seconds))
}

/// `fft.c:36`: the place of the call that ended it.
fn name(machine: &LoggedMachine<'_>, index: usize) -> String {
    let member = &machine.members[0];
    match member.processor.point(member.supersteps[index]) {
        Some(point) if !point.file.is_empty() => {
            let file = point.file.rsplit('/').next().unwrap_or(&point.file);
            format!("{file}:{}", point.line)
        }
        _ => match member.supersteps[index].ending {
            Ended::End => "the end".to_owned(),
            _ => "unknown".to_owned(),
        },
    }
}

/// Computation and parts in turn: a processor's parts of one superstep follow each other, and the k-th of
/// all belong together.
fn phases(
    machines: &Machines<'_>,
    machine: &LoggedMachine<'_>,
    index: usize,
    inside: &[usize],
    scale: Parameter,
    seconds: &mut Measured,
) -> Vec<Phase> {
    let processors = machine.members.len();
    // For each processor its parts: object, begin and end.
    let mut stays: Vec<Vec<(usize, f64, f64)>> = vec![Vec::new(); processors];
    for &position in inside {
        let part = &machines.all[position];
        for (pid, member) in part.members.iter().enumerate() {
            let (Some(from), Some(to)) = (member.supersteps.first(), member.supersteps.last())
            else {
                continue;
            };
            let own = (part.first - machine.first) as usize + pid;
            stays[own].push((position, from.start.get(), to.end().get()));
        }
    }
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for own in &mut stays {
        own.sort_by(|a, b| a.1.total_cmp(&b.1));
        for (round, stay) in own.iter().enumerate() {
            if rounds.len() <= round {
                rounds.push(Vec::new());
            }
            if !rounds[round].contains(&stay.0) {
                rounds[round].push(stay.0);
            }
        }
    }
    let steps = || machine.members.iter().map(|member| member.supersteps[index]);
    let mut since: Vec<f64> = steps().map(|superstep| superstep.start.get()).collect();
    let ends: Vec<f64> =
        steps().map(|superstep| (superstep.start + superstep.computation).get()).collect();
    let mut phases = Vec::new();
    let mut computed = 0.0;
    let mut work = |until: &[f64], since: &[f64], phases: &mut Vec<Phase>| {
        let factors: Arc<[f64]> =
            until.iter().zip(since).map(|(until, since)| (until - since).max(0.0)).collect();
        computed += factors.iter().sum::<f64>();
        phases.push(Phase::Work(Work::Each { parameter: scale, factors }));
    };
    for (round, objects) in rounds.iter().enumerate() {
        let mut until = since.clone();
        for (own, stays) in stays.iter().enumerate() {
            if let Some(stay) = stays.get(round) {
                until[own] = stay.1;
            }
        }
        work(&until, &since, &mut phases);
        since = until;
        for (own, stays) in stays.iter().enumerate() {
            if let Some(stay) = stays.get(round) {
                since[own] = stay.2;
            }
        }
        let mut parts: Vec<Part> = (objects.iter())
            .map(|&object| Part { first: machines.all[object].first - machine.first, object })
            .collect();
        parts.sort_by_key(|part| part.first);
        phases.push(Phase::Parts(parts));
    }
    work(&ends, &since, &mut phases);
    // What parts computed is theirs.
    seconds.computation = Seconds(computed);
    phases
}

impl Shared {
    fn traffic(&mut self, processors: usize, messages: &[Message]) -> Traffic {
        let mut bytes = vec![(0u64, 0u64); processors];
        for message in messages {
            bytes[message.to as usize].0 += message.bytes.get();
            bytes[message.from as usize].1 += message.bytes.get();
        }
        if bytes.iter().all(|&pair| pair == bytes[0]) {
            let (received, sent) = bytes[0];
            return match (received, sent) {
                (0, 0) => Traffic::None,
                (received, sent) => Traffic::Same { received: received as f64, sent: sent as f64 },
            };
        }
        let each = |bytes: &Vec<(u64, u64)>| {
            Traffic::Each(bytes.iter().map(|&(i, o)| (i as f64, o as f64)).collect())
        };
        self.traffic.entry(bytes).or_insert_with_key(each).clone()
    }

    fn partners(&mut self, processors: usize, messages: &[Message]) -> Partners {
        if messages.is_empty() {
            return Partners::None;
        }
        if messages.len() == processors * (processors - 1) {
            return Partners::All;
        }
        let mut end = 0;
        let lists = (0..processors).map(|pid| {
            let from = end;
            end += messages[from..].iter().take_while(|message| message.to as usize == pid).count();
            messages[from..end].iter().map(|message| message.from)
        });
        let sets = Sets::new(lists);
        Partners::Sets(
            self.sets.entry(sets).or_insert_with_key(|sets| Arc::new(sets.clone())).clone(),
        )
    }
}
