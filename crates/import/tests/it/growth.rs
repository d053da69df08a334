//! Long files of each format: time and room grow as the file does. With a loop in a loop over these many entries a
//! test would take minutes.

use std::fmt::Write;

use cll_import::{File, ImportOptions, Remark, Table, csv, read};

/// Entries of a file: experiments, metrics, parameters, failures.
const MANY: usize = 20_000;

fn file(name: String, text: String) -> File {
    File { name, text }
}

fn read_one(text: String, options: &ImportOptions) -> Vec<(String, Table)> {
    read(&[file("long".into(), text)], options).unwrap_or_else(|error| panic!("{error}"))
}

/// The lines of `line` for each number, joined.
fn lines(join: &str, line: impl Fn(usize) -> String) -> String {
    (0..MANY).map(line).collect::<Vec<_>>().join(join)
}

fn count_of_notes(tables: &[(String, Table)]) -> usize {
    let remarks = tables.iter().flat_map(|(_, table)| &table.remarks);
    remarks.filter(|remark| matches!(remark, Remark::Note(_))).count()
}

#[test]
fn google_benchmark() {
    let run = |index| {
        format!(
            r#"{{"name":"f{index}/a{index}:1","run_type":"iteration","real_time":1,"cpu_time":1,"time_unit":"ns","c{index}":2}}"#
        )
    };
    let failed = |index| {
        format!(
            r#"{{"name":"g{index}","run_type":"iteration","error_occurred":true,"error_message":"no"}}"#
        )
    };
    let text =
        format!(r#"{{"context":{{}},"benchmarks":[{},{}]}}"#, lines(",", run), lines(",", failed));
    let tables = read_one(text, &ImportOptions::default());
    assert_eq!(tables.len(), MANY);
    assert!(count_of_notes(&tables) >= MANY);
}

#[test]
fn hyperfine() {
    let failed = |index| format!(r#"{{"command":"f{index} 1","times":[1],"exit_codes":[3]}}"#);
    let named =
        |index| format!(r#"{{"command":"n{index}","parameters":{{"N":"{index}"}},"times":[1]}}"#);
    let text = format!(r#"{{"results":[{}]}}"#, lines(",", named));
    assert_eq!(read_one(text, &ImportOptions::default()).len(), 1);
    let good = r#"{"command":"good","times":[1],"exit_codes":[0]}"#;
    let text = format!(r#"{{"results":[{good},{}]}}"#, lines(",", failed));
    assert_eq!(read_one(text, &ImportOptions::default()).len(), 1);
}

#[test]
fn criterion() {
    let pair = |index: usize| {
        let benchmark = format!(r#"{{"group_id":"g{index}","full_id":"g{index}"}}"#);
        let sample = r#"{"sampling_mode":"Flat","iters":[1],"times":[2]}"#.to_owned();
        [
            file(format!("{index}/benchmark.json"), benchmark),
            file(format!("{index}/sample.json"), sample),
        ]
    };
    let files: Vec<File> = (0..MANY / 4).flat_map(pair).collect();
    assert_eq!(read(&files, &ImportOptions::default()).unwrap().len(), MANY / 4);
}

#[test]
fn lines_of_extrap() {
    let line = |index| {
        format!(r#"{{"params":{{"n":1}},"callpath":"f{index}","metric":"m{index}","value":1}}"#)
    };
    assert_eq!(read_one(lines("\n", line), &ImportOptions::default()).len(), MANY);
    let skipping = ImportOptions { skip_bad: true, ..ImportOptions::default() };
    let text = format!("{}\n{}", line(0), lines("\n", |at| format!("{{\"params\": {at}}}")));
    let tables = read_one(text, &skipping);
    let skipped = tables[0].1.remarks.iter().find_map(|remark| match remark {
        Remark::Skipped(examples) => Some(examples),
        _ => None,
    });
    let skipped = skipped.unwrap();
    assert_eq!(skipped.count, MANY as u64);
    assert!(skipped.first[2].starts_with("line 4, "), "{:?}", skipped.first);
    let wide = |_| {
        let params: Vec<String> = (0..MANY).map(|index| format!(r#""p{index}":{index}"#)).collect();
        format!(r#"{{"params":{{{}}},"value":1}}"#, params.join(","))
    };
    let text = [wide(0), wide(1)].join("\n");
    assert_eq!(read_one(text, &ImportOptions::default())[0].1.variables.len(), MANY);
}

#[test]
fn text_of_extrap() {
    let region = |index| format!("REGION r{index}\nDATA 1\nDATA 2");
    let text = format!("PARAMETER p\nPOINTS 1 2\n{}\n", lines("\n", region));
    assert_eq!(read_one(text, &ImportOptions::default()).len(), MANY);
}

#[test]
fn logs_of_reframe() {
    let names: String = lines("|", |index| format!("m{index}_value|m{index}_unit"));
    let values: String = lines("|", |index| format!("{index}|s"));
    let text = format!("name|result|{names}\nsort %n=1|pass|{values}\nsort %n=2|pass|{values}\n");
    let wanted = ImportOptions { result: Some("m7".into()), ..ImportOptions::default() };
    assert_eq!(read_one(text, &wanted)[0].1.rows(), 2);
    let words = lines(" ", |index| format!("%w{index}=x"));
    let text = format!("name|result|t_value|t_unit\nsort {words}|pass|1|s\n");
    assert_eq!(read_one(text, &ImportOptions::default()).len(), 1);
}

#[test]
fn caliper() {
    let attributes = |index: usize| {
        let id = 1000 + index;
        format!("__rec=node,id={id},attr=8,data=m{index},parent=5")
    };
    let region = "__rec=node,id=20,attr=10,data=276,parent=3\n\
                  __rec=node,id=21,attr=8,data=region,parent=20\n\
                  __rec=node,id=22,attr=21,data=main";
    let list = |what: &dyn Fn(usize) -> String| (0..MANY).map(what).collect::<Vec<_>>();
    let ids = list(&|index| (1000 + index).to_string()).join("=");
    let values = list(&|index| (index + 1).to_string()).join("=");
    let globals = format!("__rec=globals,attr={ids},data={values}");
    let text = format!(
        "{}\n{region}\n__rec=ctx,ref=22,attr={ids},data={values}\n{globals}\n",
        lines("\n", attributes)
    );
    let other = text.replace("m0,", "other,").replace("data=1=", "data=7=");
    let files = [file("a".into(), text), file("b".into(), other)];
    let wanted = ImportOptions { result: Some("m7".into()), ..ImportOptions::default() };
    let tables = read(&files, &wanted).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tables.iter().map(|(_, table)| table.rows()).sum::<usize>(), 2);
}

#[test]
fn records() {
    let row = lines(",", |index| format!(r#""x{index}":{index}"#));
    let text = format!("[{{\"N\":1,\"time\":2,{row}}},{{\"N\":2,\"time\":3,{row}}}]");
    let used = ImportOptions { used: vec!["N".into()], ..ImportOptions::default() };
    assert_eq!(read_one(text, &used)[0].1.rows(), 2);
}

#[test]
fn experiments_and_metrics_of_tables() {
    let mut text = String::from("region,metric,N,value\n");
    for index in 0..MANY {
        let _ = writeln!(text, "r{index},m{index},1,2");
    }
    let experiments = csv(text.as_bytes(), &ImportOptions::default()).unwrap();
    assert_eq!(experiments.len(), MANY);
}
