//! Tables with several columns of results, and with columns that name experiments, metrics or units.

use cll_import::{ImportError, ImportOptions, Remark, ResultKind, Table, csv};

fn read(text: &str, options: &ImportOptions) -> Result<Vec<(String, Table)>, ImportError> {
    csv(text.as_bytes(), options)
}

fn tables(text: &str) -> Vec<(String, Table)> {
    read(text, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn rows(table: &Table) -> Vec<(&[f64], &[f64])> {
    table.groups.iter().map(|group| (&group.values[..], &group.results[..])).collect()
}

#[test]
fn a_column_for_each_repetition() {
    for header in [
        "N,run1 [ms],run2 [ms],run3 [ms]",
        "N,t1_ms,t2_ms,t3_ms",
        "N,time [ms],time.1 [ms],time.2 [ms]",
    ] {
        let experiments = tables(&format!("{header}\n1,2,3,4\n2,4,5,\n"));
        assert_eq!(experiments[0].1.variables, ["N"], "{header}");
        assert_eq!(
            rows(&experiments[0].1),
            [(&[1.0][..], &[2e-3, 3e-3, 4e-3][..]), (&[2.0], &[4e-3, 5e-3])],
            "{header}"
        );
        assert!(
            matches!(&experiments[0].1.remarks[..], [Remark::LeftOut(rows)] if rows.count == 1)
        );
    }
    // What only looks like it: a known result, a variable of the formula, a chosen column.
    assert_eq!(tables("n1,n2,time\n1,2,3\n")[0].1.variables, ["n1", "n2"]);
    assert_eq!(tables("run1,run2,time\n1,2,3\n")[0].1.variables, ["run1", "run2"]);
    let chosen = ImportOptions { result: Some("run2".into()), ..ImportOptions::default() };
    assert_eq!(read("N,run1,run2\n1,2,3\n", &chosen).unwrap()[0].1.variables, ["N", "run1"]);
}

#[test]
fn a_column_for_each_value_of_a_parameter() {
    for text in ["N,P=1,P=2,P=4\n10,4,2,1\n20,8,4,-\n", "N\\P,1,2,4\n10,4,2,1\n20,8,4,-\n"] {
        let experiments = tables(text);
        assert_eq!(experiments[0].1.variables, ["N", "P"], "{text}");
        assert_eq!(experiments[0].1.rows(), 5);
        assert_eq!(rows(&experiments[0].1)[1], (&[10.0, 2.0][..], &[2.0][..]));
    }
}

#[test]
fn columns_of_text_with_known_names_are_experiments() {
    let text = "host,algorithm,N,time [s]\na,quick,1,2\nb,heap,1,3\na,quick,2,4\n";
    let experiments = tables(text);
    let names: Vec<&str> = experiments.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["quick", "heap"]);
    assert_eq!(rows(&experiments[0].1), [(&[1.0][..], &[2.0][..]), (&[2.0], &[4.0])]);
    let by = |name: &str| ImportOptions { by: Some(name.into()), ..ImportOptions::default() };
    let experiments = read(text, &by("host")).unwrap();
    assert_eq!(experiments[1].0, "b");
    assert_eq!(experiments[0].1.rows(), 2);
    let message = read(text, &by("node")).unwrap_err().to_string();
    assert!(message.starts_with("line 1: there is no column `node`"), "{message}");
}

#[test]
fn a_column_of_metrics_and_one_of_units() {
    let text =
        "region,n,metric,value,unit\nf,1,time,2,ms\nf,1,bytes,7,B\nf,2,time,4,ms\ng,1,time,3,ms\n";
    let experiments = tables(text);
    let names: Vec<_> =
        experiments.iter().map(|(name, table)| (name.as_str(), table.result.as_str())).collect();
    assert_eq!(names, [("f", "time"), ("g", "time")]);
    assert_eq!(rows(&experiments[0].1), [(&[1.0][..], &[2e-3][..]), (&[2.0], &[4e-3])]);
    assert!(
        experiments[0]
            .1
            .remarks
            .contains(&Remark::Note("other metrics, chosen by --metric: bytes".into()))
    );
    let bytes = ImportOptions { result: Some("bytes".into()), ..ImportOptions::default() };
    let experiments = read(text, &bytes).unwrap();
    assert_eq!(
        (experiments.len(), &experiments[0].1.quantity),
        (1, &ResultKind::Other("B".into()))
    );
    let message =
        read(&text.replace("4,ms", "4,us"), &ImportOptions::default()).unwrap_err().to_string();
    assert_eq!(message, "line 4, column 5: the unit is `us` here, and `ms` above");
    let nothing = ImportOptions { result: Some("bites".into()), ..ImportOptions::default() };
    let message = read(text, &nothing).unwrap_err().to_string();
    assert_eq!(message, "line 1: there is no metric `bites`: did you mean bytes?");
}

#[test]
fn the_run_of_each_row_is_kept() {
    let text = "id,run,iteration,n,time\n1,a,0,8,2\n2,a,1,8,3\n3,b,0,8,4\n4,b,0,9,5\n";
    let experiments = tables(text);
    let table = &experiments[0].1;
    assert_eq!(table.variables, ["n"]);
    let runs = |index: usize| -> Vec<(u32, u32)> {
        table.groups[index].runs.iter().map(|stretch| (stretch.run, stretch.count)).collect()
    };
    assert_eq!((runs(0), runs(1)), (vec![(0, 2), (1, 1)], vec![(1, 1)]));
    // A formula makes it a variable.
    let used = ImportOptions { used: vec!["iteration".into()], ..ImportOptions::default() };
    assert_eq!(read(text, &used).unwrap()[0].1.variables, ["iteration", "n"]);
    for name in [
        "iter",
        "round",
        "seed",
        "job_id",
        "launch",
        "trial",
        "Repetition",
        "sample",
        "index",
        "timestamp",
    ] {
        let experiments = tables(&format!("n,{name},time\n8,1,2\n8,2,3\n"));
        assert_eq!(experiments[0].1.variables, ["n"], "{name}");
        let is_run = !["index", "timestamp"].contains(&name);
        assert_eq!(experiments[0].1.groups[0].runs.len(), if is_run { 2 } else { 0 }, "{name}");
    }
}

#[test]
fn columns_of_runs_side_by_side_are_runs() {
    let experiments = tables("n,run1,run2,run3\n8,1,2,3\n9,4,5,6\n");
    let runs: Vec<u32> =
        experiments[0].1.groups[1].runs.iter().map(|stretch| stretch.run).collect();
    assert_eq!(runs, [0, 1, 2]);
}

#[test]
fn columns_that_number_repetitions_are_no_variables() {
    let experiments = tables("N,rep,time\n1,0,2\n1,1,3\n");
    assert_eq!(experiments[0].1.variables, ["N"]);
    assert_eq!(experiments[0].1.remarks, [Remark::RepetitionColumn("rep".into())]);
    assert_eq!(tables("rep,time\n1,2\n2,3\n")[0].1.variables, ["rep"], "nothing else is left");
    let used = ImportOptions { used: vec!["rep".into()], ..ImportOptions::default() };
    assert_eq!(read("N,rep,time\n1,0,2\n", &used).unwrap()[0].1.variables, ["N", "rep"]);
}

#[test]
fn tables_that_are_drawn() {
    let pretty = "pretty:\n|    n |  algo | time [ms] |\n|------|-------|-----------|\n| 1000 | quick |       2.0 |\n| 2000 | quick |       4.0 |\n\n";
    let experiments = tables(pretty);
    assert_eq!(experiments[0].0, "quick");
    assert_eq!(rows(&experiments[0].1), [(&[1000.0][..], &[2e-3][..]), (&[2000.0], &[4e-3])]);
    let old = "  n | time[s]\n----+--------\n 10 |     0.5\n";
    assert_eq!(rows(&tables(old)[0].1), [(&[10.0][..], &[0.5][..])]);
    let jube = tables("jube_wp_iteration,n,elapsed[ms]\n1,1000,2.0\n0,1000,3.0\n");
    assert_eq!(rows(&jube[0].1), [(&[1000.0][..], &[2e-3, 3e-3][..])]);
}

#[test]
fn a_table_without_names() {
    let names = vec!["N".to_owned(), "time [ms]".to_owned()];
    let options = ImportOptions { columns: Some(names), ..ImportOptions::default() };
    let experiments = read("1|2\n3|4\n", &options).unwrap();
    assert_eq!(rows(&experiments[0].1), [(&[1.0][..], &[2e-3][..]), (&[3.0], &[4e-3])]);
    let message = read("1|2|3\n", &options).unwrap_err().to_string();
    assert_eq!(message, "line 1: 3 fields, and there are 2 columns");
}
