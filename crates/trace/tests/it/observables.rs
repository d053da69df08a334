//! Observables that are recorded besides the times.

use crate::support::*;
use cll_samples::check;
use cll_samples::export::{CsvExport, extrap};
use cll_trace::layout::{SampleHeader, meta_block};
use cll_trace::meta::{End, Meta, Observable, Observables, Refused, Unit};
use cll_trace::observable::MISSING;
use cll_trace::write::SampleBlock;
use cll_trace::{Cause, Trace, Warning, read, survey};
use expect_test::expect;

fn observables(names: &[&str]) -> Observables {
    let table = |name: &&str| {
        let known = cll_trace::observable::Observable::parse(name).unwrap();
        known.table()
    };
    Observables { list: names.iter().map(table).collect(), read_ns: 0.0, refused: Vec::new() }
}

fn counted(id: u32, name: &str, observables: u32) -> cll_trace::meta::Place {
    cll_trace::meta::Place { observables, ..place(id, name, "f[0]+f[1]*N", &["N"]) }
}

type Counted<'a> = (SampleHeader, &'a [f64], &'a [u64]);

fn samples(sequence: u32, samples: &[Counted<'_>]) -> Vec<u8> {
    let mut block = SampleBlock::new(opened(PID, 0, sequence, 0), 65536);
    samples.iter().for_each(|(sample, values, counts)| {
        assert!(block.push_counted(sample, values, counts));
    });
    block.seal_compact(6_000, 1_000_050_000)
}

/// `outer` around two of `inner`, both counted, around `plain`, which is not.
fn parts(names: &[&str]) -> [Vec<u8>; 4] {
    let n = names.len() as u32;
    let unit = Unit {
        places: vec![counted(0, "outer", n), counted(1, "inner", n), counted(2, "plain", 0)],
        ..Unit::default()
    };
    [
        meta_block(&[Meta::Process(process(PID))], opened(PID, 0, 0, 0)),
        meta_block(&[Meta::Observables(observables(names))], opened(PID, 0, 0, 0)),
        meta_block(&[Meta::Unit(unit)], opened(PID, 0, 0, 0)),
        samples(
            0,
            &[
                (sample(1, 2, 100, 200), &[8.0], &[1000, 5, 7][..names.len()]),
                (sample(2, 1, 50, 250), &[8.0], &[]),
                (sample(1, 1, 300, 400), &[8.0], &[3000, 6, MISSING][..names.len()]),
                (sample(0, 0, 0, 1000), &[8.0], &[10_000, 20, 9][..names.len()]),
            ],
        ),
    ]
}

const NAMES: [&str; 3] = ["cpu-time", "page-faults", "memory-peak"];

fn full_trace(names: &[&str]) -> Vec<u8> {
    [&parts(names).concat()[..], &end(PID, 4)].concat()
}

/// `experiment name: inclusive/exclusive …`
fn series(trace: &Trace) -> Vec<String> {
    let mut lines = Vec::new();
    for experiment in &trace.experiments {
        for cell in &experiment.cells {
            for (observed, series) in experiment.observables.iter().zip(&cell.observed) {
                let both = series.inclusive.iter().zip(&series.exclusive);
                let both: Vec<String> =
                    both.map(|(all, own)| format!("{all:.3e}/{own:.3e}")).collect();
                let (name, unit) = (&observed.name, &observed.unit);
                lines.push(format!("{} {name} [{unit}]: {}", experiment.name, both.join(" ")));
            }
        }
    }
    lines
}

const READ: [&str; 6] = [
    "outer cpu-time [s]: 1.000e-5/6.000e-6",
    "outer page-faults [faults]: 2.000e1/9.000e0",
    "outer memory-peak [B]: 9.216e3/9.216e3",
    "inner cpu-time [s]: 1.000e-6/1.000e-6 3.000e-6/3.000e-6",
    "inner page-faults [faults]: 5.000e0/5.000e0 6.000e0/6.000e0",
    "inner memory-peak [B]: 7.168e3/7.168e3 NaN/NaN",
];

#[test]
fn values_by_name_with_units_and_without_what_is_inside() {
    let bytes = full_trace(&NAMES);
    check(&bytes);
    let trace = read(&bytes[..]).unwrap();
    assert_eq!((&trace.damage[..], &trace.warnings[..]), (&[][..], &[][..]));
    assert_eq!(series(&trace), READ);
    // The times are those without observables.
    let outer = &trace.experiments[0].cells[0];
    assert!((outer.exclusive()[0] - 700e-9).abs() < 1e-12, "{:?}", outer.exclusive());
    assert!(trace.experiments[2].observables.is_empty());
}

#[test]
fn tables_in_any_order() {
    let parts = parts(&NAMES);
    for order in [[3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 3, 1], [1, 3, 0, 2]] {
        let blocks: Vec<u8> = order.iter().flat_map(|&part| parts[part].clone()).collect();
        let bytes = [&blocks[..], &end(PID, 4)].concat();
        check(&bytes);
        let trace = read(&bytes[..]).unwrap();
        assert_eq!(trace.damage, [], "{order:?}");
        assert_eq!(series(&trace), READ, "{order:?}");
    }
}

#[test]
fn without_their_table_the_samples_cannot_be_read_and_that_is_reported() {
    let [process, _, unit, samples] = parts(&NAMES);
    let bytes = [process, unit, samples, end(PID, 4)].concat();
    check(&bytes);
    let trace = read(&bytes[..]).unwrap();
    let causes: Vec<&Cause> = trace.damage.iter().map(|damage| &damage.cause).collect();
    assert!(causes.contains(&&Cause::NoObservables { process: PID }), "{causes:?}");
    assert!(causes.contains(&&Cause::UnknownPlace { process: PID, place: 1 }), "{causes:?}");
    assert_eq!(trace.samples, 0);
}

#[test]
fn tables_that_contradict_each_other() {
    let [process, table, _, samples] = parts(&NAMES);
    // A place with another number of observables than the process has.
    let places = vec![counted(0, "outer", 2), counted(1, "inner", 3), counted(2, "plain", 0)];
    let unit = meta_block(&[Meta::Unit(Unit { places, ..Unit::default() })], opened(PID, 0, 0, 0));
    let bytes = [process.clone(), table.clone(), unit, samples.clone()].concat();
    check(&bytes);
    let trace = read(&bytes[..]).unwrap();
    let conflict = Cause::PlaceConflict { process: PID, place: 0 };
    assert!(trace.damage.iter().any(|damage| damage.cause == conflict), "{:?}", trace.damage);
    // Given twice: the first is used. Too many: none.
    let other = meta_block(&[Meta::Observables(observables(&["cycles"]))], opened(PID, 0, 0, 0));
    let [_, _, unit, _] = parts(&NAMES);
    let bytes = [process.clone(), table, other, unit.clone(), samples.clone()].concat();
    check(&bytes);
    let trace = read(&bytes[..]).unwrap();
    assert_eq!(series(&trace), READ);
    assert!(trace.damage.iter().any(|damage| matches!(damage.cause, Cause::Table { .. })));
    let many = Observables { list: vec![Observable::default(); 1000], ..Observables::default() };
    let many = meta_block(&[Meta::Observables(many)], opened(PID, 0, 0, 0));
    let bytes = [process, many, unit, samples].concat();
    check(&bytes);
    assert_eq!(read(&bytes[..]).unwrap().samples, 0);
}

#[test]
fn traces_with_different_observables_are_merged_by_name() {
    let traces = [&["page-faults", "cpu-time"][..], &["cycles", "page-faults"][..]];
    let traces = traces.map(|names| read(&full_trace(names)[..]).unwrap()).to_vec();
    let plain = read(&small()[..]).unwrap();
    let merged = Trace::merge([traces, vec![plain]].concat());
    let outer = &merged.experiments[0];
    let names: Vec<&str> =
        outer.observables.iter().map(|observed| observed.name.as_str()).collect();
    assert_eq!(names, ["page-faults", "cpu-time", "cycles"]);
    let values: Vec<Vec<f64>> =
        outer.cells[0].observed.iter().map(|series| series.inclusive.clone()).collect();
    let shown: Vec<String> = values.iter().map(|values| format!("{values:?}")).collect();
    assert_eq!(shown, ["[10000.0, 20.0]", "[2e-8, NaN]", "[NaN, 10000.0]"]);
    // The same name with another formula is another experiment, without any.
    assert!(
        merged
            .experiments
            .iter()
            .any(|experiment| experiment.name == "outer" && experiment.observables.is_empty())
    );
}

#[test]
fn exports_have_them() {
    let bytes = full_trace(&["cpu-time", "page-faults"]);
    let trace = survey(&bytes[..]).unwrap();
    let mut out = Vec::new();
    let mut export = CsvExport::new(&mut out, std::slice::from_ref(&trace)).unwrap();
    export.add(&bytes[..], &trace).unwrap();
    export.finish().unwrap();
    let text = String::from_utf8(out).unwrap();
    let rows: Vec<&str> =
        text.lines().map(|line| line.split_once("_s,").map_or(line, |r| r.1)).collect();
    assert!(rows[0].ends_with(",N,cpu-time,cpu-time.exclusive,page-faults,page-faults.exclusive"));
    assert!(rows[1].ends_with(",8,1.0000000000000002e-6,1.0000000000000002e-6,5,5"), "{text}");
    assert!(rows[2].ends_with(",8,,,,"), "{text}");
    assert!(rows[4].ends_with(",8,1e-5,6e-6,20,9"), "{text}");
    let trace = read(&bytes[..]).unwrap();
    let mut out = Vec::new();
    extrap(&[&trace.experiments[0], &trace.experiments[1]], &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("METRIC page-faults\nDATA 5 6\n"), "{text}");
}

#[test]
fn what_is_to_be_said_of_them() {
    let [process, _, unit, samples] = parts(&["cycles"]);
    let refused = Refused { name: "llc-misses".into(), why: "there is no such event".into() };
    let table = Observables { read_ns: 7.0, refused: vec![refused], ..observables(&["cycles"]) };
    let table = meta_block(&[Meta::Observables(table)], opened(PID, 0, 0, 0));
    let last = Meta::End(End { scaled: 3, ..End::default() });
    let last = meta_block(&[last], opened(PID, 0, 0, 2_000_000_000));
    let trace = read(&[process, table, unit, samples, last].concat()[..]).unwrap();
    assert_eq!(trace.warnings.len(), 3, "{:?}", trace.warnings);
    let said: Vec<String> = trace.warnings.iter().map(ToString::to_string).collect();
    expect![[r#"
        llc-misses was not recorded: there is no such event
        process 4711 counted more events than its processor has counters: they took turns, and the counts of 3 samples are extrapolated; count fewer at a time
        2 of 2 samples of experiment inner are shorter than 20 readings of its counters (7 ns for cycles): the reading is a large part of these samples; measure a larger region"#]].assert_eq(&said.join("\n"));
    assert!(
        matches!(&trace.warnings[2], Warning::Short { name, count: 2, of: 2, .. } if name == "inner"),
        "{said:?}"
    );
}

/// A process that was interrupted while it measured its reading says nothing of the others.
#[test]
fn one_interrupted_calibration_condemns_no_sample() {
    let [process, _, unit, samples] = parts(&["cpu-time"]);
    let part = |read_ns: f64| {
        let table = Observables { read_ns, ..observables(&["cpu-time"]) };
        let table = meta_block(&[Meta::Observables(table)], opened(PID, 0, 0, 0));
        read(&[process.clone(), table, unit.clone(), samples.clone()].concat()[..]).unwrap()
    };
    let merged = Trace::merge(vec![part(0.3), part(93_849.0), part(0.3)]);
    let is_short = |warning: &Warning| matches!(warning, Warning::Short { .. });
    assert!(!merged.warnings.iter().any(is_short), "{:?}", merged.warnings);
}

/// Every byte of the tables and records, changed one at a time.
#[test]
fn any_damage_does_no_harm() {
    let bytes = full_trace(&NAMES);
    for offset in test_draw::thinned(0..bytes.len(), 3) {
        for flip in [1, 0x80] {
            let mut damaged = bytes.clone();
            damaged[offset] ^= flip;
            check(&damaged);
            // Without checksums the damage reaches the decoder itself.
            for (start, _) in blocks(&bytes) {
                damaged[start + 6] = 0;
                damaged[start + 64..start + 72].fill(0);
            }
            check(&damaged);
        }
    }
}
