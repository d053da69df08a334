//! Logs that are cut, damaged, or not what they should be.

use cll_profile::gather::GatherError;
use cll_profile::{Note, gather};
use cll_supersteps::stored;
use cll_trace::meta::Machine;
use cll_units::{ProcessorId, SuperstepNumber};

use crate::written::{Reported, Step, blocks, log};
use crate::{functions, profile};

/// Two processors with so many supersteps each.
fn reported(counts: [u32; 2]) -> Vec<Reported> {
    let processor = |pid: u32| {
        let mut reported = Reported::new(pid, 2);
        let point = reported.point(5, &[1, 0]);
        reported.sets = vec![vec![(1 - pid, 8, 0)]];
        let all = counts[pid as usize];
        reported.steps = (1..=all)
            .map(|number| Step {
                number,
                point,
                computed: 100,
                communicated: 50,
                end: number == all,
                ..Step::default()
            })
            .collect();
        reported
    };
    vec![processor(0), processor(1)]
}

#[test]
fn a_log_that_is_cut_off_is_read_as_far_as_all_tell() {
    let bytes = log(&reported([3000, 3000]));
    let all = profile(&bytes, 1).root().costs.supersteps;
    assert_eq!(all, 3000.0);
    let mut least = f64::INFINITY;
    for end in (0..bytes.len()).step_by(bytes.len() / 200) {
        let Ok(log) = stored_of(&bytes[..end]) else { continue };
        if let Ok(gathered) = gather(&[log.get()], 2, functions) {
            let supersteps = gathered.profile.root().costs.supersteps;
            least = least.min(supersteps);
            assert!(supersteps <= all);
            let reported =
                |note: &Note| matches!(note, Note::CutOff { .. } | Note::Incomplete { .. });
            assert!(end == bytes.len() || gathered.profile.notes.iter().any(reported), "at {end}");
        }
    }
    assert!(least < 3000.0);
}

/// A log with its bytes.
struct Held(Vec<u8>);

impl Held {
    fn get(&self) -> cll_supersteps::Stored<'_> {
        stored(&self.0).unwrap()
    }
}

fn stored_of(bytes: &[u8]) -> Result<Held, ()> {
    let held = Held(bytes.to_vec());
    stored(&held.0).map(|_| ()).map_err(|_| ())?;
    Ok(held)
}

#[test]
fn processors_that_are_missing_or_too_many_are_named() {
    let of_two = reported([5, 5]);
    let held = Held(blocks(0, &of_two[0]));
    let missing = gather(&[held.get()], 1, functions).unwrap_err();
    assert_eq!(missing, GatherError::Missing { missing: vec![ProcessorId(1)], of: 2 });
    assert_eq!(missing.to_string(), "1 of the 2 processors is missing: 1");
    let (a, b) = (Held(log(&of_two)), Held(blocks(1, &of_two[1])));
    let twice = gather(&[a.get(), b.get()], 1, functions).unwrap_err();
    assert_eq!(twice, GatherError::Twice { processor: ProcessorId(1) });
    let third = Held(blocks(2, &of_two[1]));
    let other = gather(&[a.get(), third.get()], 1, functions).unwrap_err();
    assert_eq!(other, GatherError::TooMany { processor: ProcessorId(2), of: 2 });
    // Files of each process make one log.
    let (held, two) = (Held(blocks(0, &of_two[0])), Held(blocks(1, &of_two[1])));
    let gathered = gather(&[two.get(), held.get()], 1, functions).unwrap();
    assert_eq!(gathered.profile.root().costs.supersteps, 5.0);
}

#[test]
fn clocks_that_go_back_or_jump_are_reported() {
    let mut back = reported([4, 4]);
    back[1].steps[2].computed = 5_000_000_000u64.wrapping_neg();
    let notes = profile(&log(&back), 1).notes;
    let is = |note: &Note| matches!(note, Note::Negative { processor: ProcessorId(1), supersteps: 1, least } if least.get() < -4.9);
    assert!(notes.iter().any(is), "{notes:?}");
}

#[test]
fn clocks_that_jump_forward_are_told_and_cost_no_superstep() {
    let mut jumped = reported([400, 400]);
    jumped[0].steps[200].paused = 3_000_000_000;
    let jumped_profile = profile(&log(&jumped), 1);
    let is = |note: &Note| matches!(note, Note::Jump { processor: ProcessorId(0), superstep: SuperstepNumber(201), gap } if (gap.get() - 3.0).abs() < 1e-6);
    assert!(jumped_profile.notes.iter().any(is), "{:?}", jumped_profile.notes);
    assert!(jumped_profile.root().costs.time() < 1e-3, "{:?}", jumped_profile.root().costs);
    // Within a superstep a jump cannot be reported from work.
    let mut within = reported([400, 400]);
    within[0].steps[200].computed = 3_000_000_000;
    let profile = profile(&log(&within), 1);
    assert_eq!(profile.notes, []);
    assert!(profile.root().costs.time() > 3.0);
}

#[test]
fn waits_that_are_no_numbers_count_nothing() {
    let bytes = log(&reported([40, 40]));
    let expected = profile(&bytes, 1);
    for waiting in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut wrong = reported([40, 40]);
        wrong[1].not_a_number = Some((7, waiting));
        let profile = profile(&log(&wrong), 1);
        for metric in cll_profile::Metric::ALL {
            assert!(profile.root().costs.summary(metric).maximum.is_finite());
        }
        assert_eq!(profile.root().costs.supersteps, expected.root().costs.supersteps);
    }
}

#[test]
fn names_of_ten_megabytes_are_read() {
    let mut long = reported([3, 3]);
    for reported in &mut long {
        reported.points[0].file = "x\u{202e}".repeat(2_500_000);
    }
    let profile = profile(&log(&long), 1);
    assert_eq!(profile.root().costs.supersteps, 3.0);
}

/// Processors of hosts, which come to each synchronisation at times of their own and leave it together.
fn of_hosts(hosts: &[(&str, u64, u64)], supersteps: u32) -> Vec<Reported> {
    const LASTS: u64 = 200_000;
    let all = (0u32..).zip(hosts).map(|(pid, &(host, begins, faster))| {
        let mut reported = Reported::new(pid, hosts.len() as u32);
        (reported.host, reported.begins, reported.faster) = (host.to_owned(), begins, faster);
        let point = reported.point(5, &[1, 0]);
        reported.sets = vec![vec![]];
        reported.steps = (1..=supersteps)
            .map(|number| {
                // Now this one, now that one is the last to come.
                let last = number as usize % hosts.len() == pid as usize;
                let computed = if last { LASTS - 2000 } else { LASTS / 2 };
                let waited = LASTS - computed - 1000;
                let paused = if number == 1 { u64::from(pid) * 300_000 } else { 0 };
                let computed = if number == 1 { 900_000 - paused } else { computed };
                let waited = if number == 1 { 10_000 } else { waited };
                let end = number == supersteps;
                Step {
                    number,
                    point,
                    paused,
                    computed,
                    communicated: 1000,
                    waited,
                    end,
                    ..Step::default()
                }
            })
            .collect();
        reported
    });
    all.collect()
}

#[test]
fn clocks_of_hosts_are_related_where_processors_are_compared() {
    let day = 86_400_000_000_000;
    for (begins, faster) in [(0, 0), (day, 0), (day, 40)] {
        let hosts = [("one", 5 * day, 0), ("other", begins, faster), ("one", 5 * day, 0)];
        let bytes = log(&of_hosts(&hosts, 5000));
        let profile = profile(&bytes, 2);
        let reported = profile.notes.iter().find_map(|note| match note {
            Note::Clocks { hosts: 2, uncertainty } => Some(uncertainty.get()),
            _ => None,
        });
        let uncertainty_s = reported.unwrap_or_else(|| panic!("{:?}", profile.notes));
        assert!(uncertainty_s < 20e-6, "{uncertainty_s}");
        // Each began 300 microseconds after the one before it.
        let start =
            profile.nodes.iter().find(|node| node.kind == cll_profile::NodeKind::Start).unwrap();
        for (pid, expected) in [0.0, 300e-6, 600e-6].into_iter().enumerate() {
            let begun = start.each[0][pid];
            assert!((begun - expected).abs() < 20e-6, "{pid}: {:?}", start.each[0]);
        }
        assert!((profile.elapsed.get() - 1.001).abs() < 0.01, "{:?}", profile.elapsed);
    }
    // Without a common superstep nothing can be said.
    let mut apart = of_hosts(&[("one", 0, 0), ("other", day, 0)], 3);
    for (number, step) in (10..).zip(&mut apart[1].steps) {
        step.number = number;
    }
    let profile = profile(&log(&apart), 1);
    let is = |note: &Note| matches!(note, Note::Hosts { hosts } if *hosts == ["one", "other"]);
    assert!(profile.notes.iter().any(is), "{:?}", profile.notes);
}

#[test]
fn every_byte_may_be_wrong() {
    let bytes = log(&reported([40, 40]));
    for offset in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[offset] ^= 0x5a;
        if let Ok(held) = stored_of(&damaged) {
            let _ = gather(&[held.get()], 2, functions);
        }
    }
}

#[test]
fn machines_that_cannot_be_are_left_out() {
    for (first, nprocs, parent) in
        [(0, 0, "0"), (1, 9, "0"), (0, 2, "5"), (0, 2, "ff"), (7, 1, "0")]
    {
        let mut wrong = reported([3, 3]);
        for reported in &mut wrong {
            reported.machines.push(Machine {
                id: 1,
                key: "5".into(),
                parent: parent.into(),
                within: 1,
                first,
                nprocs,
                ..Machine::default()
            });
            reported
                .steps
                .insert(0, Step { machine: 1, number: 1, computed: 1, ..Step::default() });
        }
        let profile = profile(&log(&wrong), 1);
        assert!(profile.notes.contains(&Note::Unnamed { supersteps: 2 }), "{:?}", profile.notes);
        assert_eq!(profile.root().costs.supersteps, 3.0);
    }
}
