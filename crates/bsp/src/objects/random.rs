//! Random programs of machine objects, compared with a sequential model.
//!
//! A program is a tree: a machine has a list of steps. Each step is a superstep with its messages and its
//! ending, or a partition whose parts have their own lists. The model computes what every processor must see;
//! processors that are threads check it, each in its own order.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::tests::{received, run, send};
use crate::place::Place;
use crate::{Handle, Objects};

/// A step of a machine; the steps are done in order.
#[derive(Clone, Debug)]
enum RandomStep {
    /// Messages as (from, to, size), and whether it ends in a barrier.
    Superstep { messages: Vec<(usize, usize, usize)>, barrier: bool },
    /// Messages are sent first, in the superstep that continues afterwards; then a partition.
    Partition {
        before: Vec<(usize, usize, usize)>,
        bounds: Vec<usize>,
        parts: Vec<Vec<RandomStep>>,
    },
}

/// Sizes near those at which messages are transported in another way.
const SIZES: [usize; 9] = [0, 1, 8, 32, 33, 700, 4096, 4097, 30_000];

fn messages(nprocs: usize) -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    let size = prop::sample::select(SIZES.to_vec());
    prop::collection::vec((0..nprocs, 0..nprocs, size), 0..8)
}

fn steps(nprocs: usize, depth: u32) -> BoxedStrategy<Vec<RandomStep>> {
    let superstep = (messages(nprocs), any::<bool>())
        .prop_map(|(messages, barrier)| RandomStep::Superstep { messages, barrier });
    if depth == 0 {
        return prop::collection::vec(superstep, 0..5).boxed();
    }
    let bounds = prop::collection::vec(0..=nprocs, 0..4).prop_map(move |mut bounds| {
        bounds.push(nprocs);
        bounds.sort_unstable();
        bounds
    });
    let partition = (messages(nprocs), bounds).prop_flat_map(move |(before, bounds)| {
        let ends = bounds.iter();
        let begins = std::iter::once(&0).chain(bounds.iter());
        let parts: Vec<_> = begins
            .zip(ends)
            .map(|(begin, end)| match end - begin {
                0 => Just(Vec::new()).boxed(),
                size => steps(size, depth - 1),
            })
            .collect();
        parts.prop_map(move |parts| RandomStep::Partition {
            before: before.clone(),
            bounds: bounds.clone(),
            parts,
        })
    });
    prop::collection::vec(prop_oneof![3 => superstep, 1 => partition], 0..6).boxed()
}

/// The bytes of a message: they depend on machine, superstep, sender and turn.
fn bytes(path: u64, superstep: u64, from: usize, turn: usize, size: usize) -> Vec<u8> {
    let seed = [path, superstep, from as u64, turn as u64]
        .iter()
        .fold(1u64, |seed, word| (seed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23));
    (0..size).map(|i| (seed >> (i % 8 * 8)) as u8 ^ i as u8).collect()
}

/// One processor's way through a machine, and what it should see there by the model: messages are delivered at
/// the superstep's end, by sender, then in order.
fn walk(
    objects: &mut Objects,
    machine: Handle,
    path: u64,
    steps: &[RandomStep],
) -> Result<(), String> {
    let me = machine.pid();
    let mut superstep = 1;
    // Messages of the current superstep, by receiver.
    let mut sent: HashMap<usize, Vec<(usize, Vec<u8>)>> = HashMap::new();
    let mut turn = 0;
    let mut emit = |objects: &mut Objects,
                    sent: &mut HashMap<usize, Vec<(usize, Vec<u8>)>>,
                    superstep: u64,
                    messages: &[(usize, usize, usize)]| {
        for &(from, to, size) in messages {
            turn += 1;
            let bytes = bytes(path, superstep, from, turn, size);
            if from == me {
                send(objects, machine, to, &bytes);
            }
            sent.entry(to).or_default().push((from, bytes));
        }
    };
    for step in steps {
        match step {
            RandomStep::Superstep { messages, barrier } => {
                emit(objects, &mut sent, superstep, messages);
                let mut expected = sent.remove(&me).unwrap_or_default();
                sent.clear();
                expected.sort_by_key(|(from, _)| *from);
                let done = if *barrier {
                    objects.sync(machine, Place::NOWHERE)
                } else {
                    objects.oblsync(machine, expected.len(), Place::NOWHERE)
                };
                done.map_err(|misuse| misuse.to_string())?;
                if received(objects, machine) != expected {
                    return Err(format!("superstep {superstep} of {machine:?}"));
                }
                superstep += 1;
            }
            RandomStep::Partition { before, bounds, parts } => {
                emit(objects, &mut sent, superstep, before);
                let readable = received(objects, machine);
                let created = objects.partition(machine, bounds.iter().copied());
                let part = created.map_err(|misuse| misuse.to_string())?;
                let index = bounds.iter().position(|bound| me < *bound).unwrap_or_default();
                let begin = if index == 0 { 0 } else { bounds[index - 1] };
                if (part.pid(), part.nprocs()) != (me - begin, bounds[index] - begin) {
                    return Err(format!("{part:?} of {bounds:?}"));
                }
                let below = path.wrapping_mul(31).wrapping_add(1 + index as u64);
                walk(objects, part, below, &parts[index])?;
                let done = objects.done(part, Place::NOWHERE);
                done.map_err(|misuse| misuse.to_string())?;
                if received(objects, machine) != readable {
                    return Err(format!("messages of {machine:?} did not stay"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn random_programs_do_what_the_model_says() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = Config { cases: cases.unwrap_or(150), ..Config::default() };
    let programs = prop::sample::select(vec![1usize, 2, 3, 5, 8, 20])
        .prop_flat_map(|nprocs| (Just(nprocs), steps(nprocs, 3)));
    let outcome = TestRunner::new(config).run(&programs, |(nprocs, steps)| {
        let results = run(nprocs, |objects, root| {
            let result = walk(objects, root, 1, &steps)
                .and_then(|()| objects.end(Place::NOWHERE).map_err(|misuse| misuse.to_string()));
            if let Err(why) = &result {
                objects.stop_because(why);
            }
            result
        });
        match results.into_iter().find_map(Result::err) {
            Some(why) => Err(TestCaseError::fail(why)),
            None => Ok(()),
        }
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
