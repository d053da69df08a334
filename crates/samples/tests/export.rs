//! The exports for other programs.

mod support;

use cll_import::extrap as extrap_tables;
use cll_samples::export::{CsvExport, ExportError, extrap, extrap_groups, json};
use cll_trace::layout::{FLAG_LEFT, SampleHeader};
use cll_trace::{read, survey};
use expect_test::{expect, expect_file};
use support::*;

/// Three sizes, two repetitions, one experiment in another; one left by a jump; NaN and a comma.
fn trace() -> Vec<u8> {
    let mut odd = place(2, "odd", "odd[0]*x+odd[1]*depth", &["x", "depth"]);
    odd.file = "a, \"b\".c".into();
    let mut bytes = tables(
        PID,
        vec![place(0, "f", "f[0]+f[1]*N", &["N", "P"]), place(1, "g", "g[0]*N", &["N", "P"]), odd],
    );
    let mut samples: Vec<(SampleHeader, Vec<f64>)> = Vec::new();
    let mut start = 0;
    for (i, n) in
        [64.0, 128.0, 256.0, 512.0, 1024.0, 64.0, 128.0, 256.0, 512.0, 1024.0].iter().enumerate()
    {
        let time = 1000 + *n as u64 + i as u64;
        samples.push((sample(1, 1, start + 10, start + 10 + 2 * *n as u64 / 4), vec![*n, 4.0]));
        samples.push((sample(0, 0, start, start + time), vec![*n, 4.0]));
        start += time + 100;
    }
    samples.push((
        SampleHeader { flags: FLAG_LEFT, ..sample(2, 0, start, start + 7) },
        vec![f64::NAN, 3.0],
    ));
    samples.push((sample(2, 0, start + 8, start + 8), vec![1e300, -2.5e-7]));
    let samples: Vec<_> = samples.iter().map(|(s, v)| (*s, v.as_slice())).collect();
    bytes.extend(block(PID, 0, 0, 0, &samples));
    bytes.extend(end(PID, samples.len() as u64));
    bytes
}

#[test]
fn csv_has_a_row_for_each_sample() {
    let bytes = trace();
    let surveys = [survey(&bytes[..]).unwrap(), survey(&small()[..]).unwrap()];
    let mut out = Vec::new();
    let mut export = CsvExport::new(&mut out, &surveys).unwrap();
    export.add(&bytes[..], &surveys[0]).unwrap();
    export.add(&small()[..], &surveys[1]).unwrap();
    export.finish().unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 1 + 22 + 27);
    let lines: Vec<&str> = text.lines().collect();
    let shown = [&lines[..4], &lines[20..25]].concat().join("\n");
    expect![[r#"
        experiment,place,trace,process,processor,thread,depth,parent,flags,start_s,inclusive_s,exclusive_s,N,P,x,variable.depth
        g,prog.c:20,0,4711,,0,1,f,,1e-8,3.2e-8,3.2e-8,64,4,,
        f,prog.c:10,0,4711,,0,0,,,0,1.064e-6,1.032e-6,64,4,,
        g,prog.c:20,0,4711,,0,1,f,,1.1740000000000001e-6,6.4e-8,6.4e-8,128,4,,
        f,prog.c:10,0,4711,,0,0,,,1.288e-5,2.0330000000000003e-6,1.5210000000000001e-6,1024,4,,
        odd,"a, ""b"".c:30",0,4711,,0,0,,left,1.5013000000000002e-5,7.000000000000001e-9,7.000000000000001e-9,,,NaN,3
        odd,"a, ""b"".c:30",0,4711,,0,0,,,1.5021e-5,0,0,,,1e300,-2.5e-7
        inner,prog.c:20,1,4711,,0,1,outer,,1.0000000000000001e-7,1.0000000000000001e-7,1.0000000000000001e-7,64,,,
        inner,prog.c:20,1,4711,,0,1,outer,,3.0000000000000004e-7,1.0000000000000001e-7,1.0000000000000001e-7,64,,,"#]]
    .assert_eq(&shown);
}

#[test]
fn json_is_one_document() {
    let trace = read(&trace()[..]).unwrap();
    let mut out = Vec::new();
    json(&trace, &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(value["format"], "cll-trace");
    assert_eq!(value["experiments"][0]["cells"][0]["inclusive_s"].as_array().unwrap().len(), 2);
    assert_eq!(value["experiments"][2]["cells"][0]["values"], serde_json::json!(["NaN", 3.0]));
    expect_file!["fixtures/export.json"].assert_eq(&serde_json::to_string_pretty(&value).unwrap());
}

#[test]
fn extrap_gets_a_file_for_each_set_of_points() {
    let trace = read(&trace()[..]).unwrap();
    let groups = extrap_groups(&trace);
    let names: Vec<Vec<&str>> =
        groups.iter().map(|group| group.iter().map(|e| e.name.as_str()).collect()).collect();
    assert_eq!(names, [vec!["f", "g"], vec!["odd"]]);
    let mut out = Vec::new();
    extrap(&groups[0], &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    // Extra-P 4.2.5 reads this file and finds linear models for both regions.
    expect_file!["fixtures/extrap.txt"].assert_eq(&text);
    let tables = extrap_tables(&text, None).unwrap();
    let names: Vec<_> =
        tables.iter().map(|(name, table)| (name.as_str(), table.result.as_str())).collect();
    assert_eq!(
        names,
        [("f", "time"), ("f", "exclusive_time"), ("g", "time"), ("g", "exclusive_time")]
    );
    assert_eq!(tables[0].1.rows(), 10);
    assert_eq!(tables[0].1.groups[4].values, [1024.0]);
    assert_eq!(tables[0].1.groups[4].results, trace.experiments[0].cells[4].inclusive);

    let mut out = Vec::new();
    extrap(&groups[1], &mut out).unwrap();
    expect![[r#"
        # depth is -2.5e-7 throughout
        # 1 point of odd without finite values is left out
        PARAMETER x
        POINTS 1e300

        REGION odd
        METRIC time
        DATA 0
    "#]]
    .assert_eq(std::str::from_utf8(&out).unwrap());
}

#[test]
fn what_extrap_cannot_take_is_refused_by_name() {
    let variables = ["a", "b", "c", "d", "e"];
    let mut bytes = tables(
        PID,
        vec![
            place(0, "five", "five[0]*a*b*c*d*e", &variables),
            place(1, "none", "none[0]", &[]),
            place(2, "never", "never[0]*N", &["N"]),
            place(3, "nan", "nan[0]*N", &["N"]),
        ],
    );
    let (ones, two): (&[f64], &[f64]) = (&[1.0; 5], &[2.0; 5]);
    bytes.extend(block(
        PID,
        0,
        0,
        0,
        &[
            (sample(0, 0, 0, 1), ones),
            (sample(0, 0, 1, 2), two),
            (sample(1, 0, 2, 3), &[]),
            (sample(3, 0, 3, 4), &[f64::NAN]),
        ],
    ));
    let trace = read(&bytes[..]).unwrap();
    let groups = extrap_groups(&trace);
    assert_eq!(groups.len(), 3, "an experiment without samples is left out");
    let mut refused = groups.iter().map(|group| extrap(group, std::io::sink()).unwrap_err());
    let five = refused.next().unwrap();
    assert!(five.to_string().contains("five varies in 5 variables (a, b, c, d, e)"), "{five}");
    assert!(refused.all(|error| matches!(error, ExportError::NoPoints { .. })));
}

#[test]
fn several_parameters_are_tuples() {
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]*N*P", &["N", "P"])]);
    bytes.extend(block(
        PID,
        0,
        0,
        0,
        &[
            (sample(0, 0, 0, 100), &[64.0, 2.0]),
            (sample(0, 0, 100, 150), &[32.0, 4.0]),
            (sample(0, 0, 150, 350), &[32.0, 2.0]),
        ],
    ));
    let trace = read(&bytes[..]).unwrap();
    let mut out = Vec::new();
    extrap(&extrap_groups(&trace)[0], &mut out).unwrap();
    expect![[r#"
        PARAMETER N
        PARAMETER P
        POINTS (32 2) (32 4) (64 2)

        REGION f
        METRIC time
        DATA 2.0000000000000002e-7
        DATA 5.0000000000000004e-8
        DATA 1.0000000000000001e-7
    "#]]
    .assert_eq(std::str::from_utf8(&out).unwrap());
}

#[test]
fn a_broken_pipe_is_reported_as_such() {
    struct Broken;
    impl std::io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
    }
    let bytes = small();
    let trace = read(&bytes[..]).unwrap();
    let broken = |error: ExportError| matches!(error, ExportError::Io(error) if error.kind() == std::io::ErrorKind::BrokenPipe);
    assert!(broken(json(&trace, Broken).unwrap_err()));
    assert!(broken(extrap(&extrap_groups(&trace)[0], Broken).unwrap_err()));
    let csv = CsvExport::new(Broken, std::slice::from_ref(&trace)).unwrap();
    assert!(broken(csv.finish().unwrap_err()));
}
