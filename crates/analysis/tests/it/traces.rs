//! Traces read and fitted.

use std::fs;
use std::path::PathBuf;

use cll_analysis::{DataSource, begins_as_trace, fit_model, notices, read_together, read_traces};
use cll_import::ImportOptions;
use tempfile::tempdir;

use crate::support::{Walk, constant, line, message, model, read, request, write};

fn files(folder: &std::path::Path, all: &[Walk]) -> Vec<PathBuf> {
    let each = all.iter().enumerate();
    each.map(|(index, walk)| write(folder, &format!("walk.cll.{index}.dat"), walk.bytes()))
        .collect()
}

#[test]
fn a_trace_brings_its_formula_program_and_runs() {
    let folder = tempdir().unwrap();
    let files = files(folder.path(), &[Walk::default()]);
    assert!(begins_as_trace(&files[0]));
    assert!(
        !begins_as_trace(&write(folder.path(), "t.csv", line())) && !begins_as_trace(folder.path())
    );
    let model = model(&files, &[]);
    let experiment = &model.experiments[0];
    assert_eq!(
        (experiment.name.as_str(), experiment.formula.as_str()),
        ("walk", "walk[0] + walk[1]*N")
    );
    assert_eq!(
        (experiment.places.as_slice(), experiment.samples),
        (&["walk.c:9".to_owned()][..], 20)
    );
    assert!((constant(&model, "walk", 1) / 3e-9 - 1.0).abs() < 0.01);
    let program = model.program.as_ref().unwrap();
    assert_eq!((program.name.as_str(), program.model.as_str()), ("walk", "sequential"));
    assert_eq!(program.sources[0].file, "walk.c");
    let machine = model.machine.as_ref().unwrap();
    assert_eq!(
        (machine.host.as_str(), machine.cpu.as_str(), machine.caches.len()),
        ("there", "a processor", 0)
    );
    assert_eq!((model.clock.as_str(), model.runs.len()), ("tsc", 1));
    assert_eq!(
        (model.runs[0].arguments.as_slice(), model.runs[0].exit),
        (&["8000".to_owned()][..], Some(7))
    );
}

/// A compiler that sees that nobody needs the result removes the code.
#[test]
fn a_region_that_takes_as_much_as_an_empty_one_is_told_first() {
    let folder = tempdir().unwrap();
    let codes = |walk: Walk| -> Vec<&str> {
        let model = model(&files(folder.path(), &[walk]), &[]);
        let fit = model.experiments[0].fit.as_ref().unwrap();
        fit.warnings.iter().map(|warning| warning.code()).collect()
    };
    let walk = |least: u64, each: u64| Walk { least, each, ..Walk::default() };
    assert_eq!(codes(walk(24, 0))[0], "emptied");
    assert!(!codes(walk(24, 0)).contains(&"other-formula"));
    assert!(!codes(walk(24, 3)).contains(&"emptied"));
    // A region that takes longer, and one whose sizes are alike, may take the same each time.
    assert!(!codes(walk(90, 0)).contains(&"emptied"));
    let near = Walk { sizes: vec![1000, 1100, 1200, 1300], ..walk(24, 0) };
    assert!(!codes(near).contains(&"emptied"));
}

#[test]
fn runs_are_fitted_together_or_apart() {
    let folder = tempdir().unwrap();
    let walks = [Walk::default(), Walk { pid: 12, each: 6, ..Walk::default() }];
    let files = files(folder.path(), &walks);
    assert_eq!(model(&files, &[]).experiments[0].samples, 40);
    let trace = read_traces(&files).unwrap();
    assert_eq!((trace.processes.len(), trace.runs.len()), (2, 2));
    assert_eq!(read_together(&files).unwrap().experiments[0].cells.len(), 4);
    let options = ImportOptions { by: Some("file".to_owned()), ..ImportOptions::default() };
    let apart = fit_model(read(&files, options).unwrap(), &request(&[])).unwrap();
    let names: Vec<&str> =
        apart.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    assert_eq!(names, ["walk:walk.cll.0", "walk:walk.cll.1"]);
    assert!((constant(&apart, "walk:walk.cll.1", 1) / 6e-9 - 1.0).abs() < 0.01);
}

#[test]
fn a_formula_of_the_command_line_replaces_that_of_the_source() {
    let folder = tempdir().unwrap();
    let files = files(folder.path(), &[Walk::default()]);
    let replaced = model(&files, &["walk[0] + walk[1]*N + walk[2]*N*N"]);
    assert_eq!(replaced.experiments[0].fit.as_ref().unwrap().constants.len(), 3);
    let both = request(&["walk[0]*N", "other[0]*N"]);
    let unknown = fit_model(read(&files, ImportOptions::default()).unwrap(), &both);
    assert!(message(unknown).contains("other"));
    let mut counted = request(&[]);
    counted.choices.observable = Some("cycles".to_owned());
    let text = message(fit_model(read(&files, ImportOptions::default()).unwrap(), &counted));
    assert!(text.contains("cycles"), "{text}");
}

/// A variable of the traces divides them, if there is one of the name.
#[test]
fn samples_are_fitted_apart_by_a_variable() {
    let folder = tempdir().unwrap();
    let files = files(folder.path(), &[Walk::default()]);
    let by = |name: &str| {
        let options = ImportOptions { by: Some(name.to_owned()), ..ImportOptions::default() };
        fit_model(read(&files, options).unwrap(), &request(&["walk[0]"]))
    };
    let model = by("N").unwrap();
    let names: Vec<&str> =
        model.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    assert_eq!(names, ["walk:N=1000", "walk:N=2000", "walk:N=4000", "walk:N=8000"]);
    let text = message(by("M"));
    assert!(text.starts_with("--by M: no experiment has a variable M"), "{text}");
}

/// Read up to the damage, with a notice; and never a panic.
#[test]
fn what_is_cut_is_read_up_to_there() {
    let folder = tempdir().unwrap();
    let bytes = Walk::default().bytes();
    let path = folder.path().join("cut.dat");
    for length in (4..bytes.len()).step_by(bytes.len() / 25) {
        fs::write(&path, &bytes[..length]).unwrap();
        match DataSource::read(std::slice::from_ref(&path), &ImportOptions::default()) {
            Ok(source) => {
                let notices =
                    notices(source.trace().expect("a trace"), std::slice::from_ref(&path));
                assert!(!notices.is_empty(), "{length}");
            }
            Err(failure) => {
                assert!(failure.to_string().contains("cut.dat"), "{length}: {failure:?}")
            }
        }
        let mut damaged = bytes.clone();
        damaged[length] ^= 0x55;
        fs::write(&path, &damaged).unwrap();
        let _ = DataSource::read(std::slice::from_ref(&path), &ImportOptions::default());
    }
    let trace = read_traces(&files(folder.path(), &[Walk::default()])).unwrap();
    assert!(trace.damage.is_empty(), "{:?}", trace.damage);
}

/// A hundred launches repeat the same notice.
#[test]
fn notices_of_a_kind_are_counted_after_the_third() {
    let folder = tempdir().unwrap();
    let mut paths = Vec::new();
    for index in 0..6 {
        let bytes = Walk { pid: 100 + index, ..Walk::default() }.bytes();
        paths.push(write(
            folder.path(),
            &format!("walk.cll.{index}.dat"),
            &bytes[..bytes.len() - 30],
        ));
    }
    let trace = read_traces(&paths).unwrap();
    assert!(trace.damage.len() >= 6, "one of each at least: {:?}", trace.damage);
    let notices = notices(&trace, &paths);
    let damage: Vec<&str> = notices
        .iter()
        .filter(|notice| notice.code == "damage")
        .map(|notice| notice.text.as_str())
        .collect();
    assert_eq!(damage.len(), 4, "{notices:?}");
    assert!(damage[0].starts_with(&format!("{}: ", paths[0].display())), "{damage:?}");
    assert_eq!(damage[3], format!("{} more notices `damage`", trace.damage.len() - 3));
}
