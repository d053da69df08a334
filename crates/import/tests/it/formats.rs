//! Each format: experiments, parameters, metrics, units and repetitions.

use cll_import::{
    File, ImportOptions, Remark, ResultKind, Table, extrap_lines, extrap_text, is_table, read,
};

fn files(texts: &[&str]) -> Vec<File> {
    let file = |(index, text): (usize, &&str)| File {
        name: format!("{index}.json"),
        text: (*text).to_owned(),
    };
    texts.iter().enumerate().map(file).collect()
}

fn tables(texts: &[&str], options: &ImportOptions) -> Vec<(String, Table)> {
    texts.iter().for_each(|text| assert!(!is_table(text, None), "{text}"));
    read(&files(texts), options).unwrap_or_else(|error| panic!("{error}"))
}

/// A table in short: experiment, metric, unit, variables, and rows.
fn short(tables: &[(String, Table)]) -> Vec<String> {
    let shown = |(name, table): &(String, Table)| {
        let unit = match &table.quantity {
            ResultKind::Time { unit, .. } => (*unit).to_owned(),
            ResultKind::Other(unit) => unit.clone(),
            ResultKind::Unknown => "?".to_owned(),
        };
        let rows: Vec<String> = table
            .groups
            .iter()
            .map(|group| format!("{:?}={:?}", group.values, group.results))
            .collect();
        format!("{name}|{}|{unit}|{}|{}", table.result, table.variables.join(","), rows.join(" "))
    };
    tables.iter().map(shown).collect()
}

fn notes(tables: &[(String, Table)]) -> Vec<String> {
    let text = |remark: &Remark| match remark {
        Remark::Format(text) | Remark::Note(text) => Some(text.clone()),
        _ => None,
    };
    tables.iter().flat_map(|(_, table)| table.remarks.iter().filter_map(text)).collect()
}

fn metric(name: &str) -> ImportOptions {
    ImportOptions { result: Some(name.into()), ..ImportOptions::default() }
}

const LINES: &str = r#"{"params":{"p":4,"n":10},"callpath":"main->solve","metric":"time_ms","value":1.5}
{"params":{"n":10,"p":8},"callpath":"main->solve","metric":"time_ms","value":[2,3]}

{"params":{"p":4,"n":10},"callpath":"main->solve","metric":"visits","value":7,"unit":"calls"}
{"params":{"p":4,"n":10},"value":2}
"#;

#[test]
fn json_lines_of_extrap() {
    let experiments = tables(&[LINES], &ImportOptions::default());
    assert_eq!(
        short(&experiments),
        [
            "main->solve|time_ms|ms|p,n|[4.0, 10.0]=[0.0015] [8.0, 10.0]=[0.002, 0.003]",
            "main->solve|visits|calls|p,n|[4.0, 10.0]=[7.0]",
            "|time|?|p,n|[4.0, 10.0]=[2.0]",
        ]
    );
    assert_eq!(
        notes(&experiments),
        [
            "Extra-P's JSON lines: time_ms in ms, visits in calls, time taken as seconds over p, n, experiment main->solve, 5 values"
        ]
    );
    assert_eq!(short(&tables(&[LINES], &metric("visits"))).len(), 1);
}

#[test]
fn json_of_extrap() {
    let text = r#"{"parameters": ["x", "y"], "measurements": {"a": {"time": [
        {"point": [1, 2], "values": [0.5, 0.25]}, {"point": [2, 2], "values": 1}]}}}"#;
    let experiments = tables(&[text], &ImportOptions::default());
    assert_eq!(short(&experiments), ["a|time|?|x,y|[1.0, 2.0]=[0.5, 0.25] [2.0, 2.0]=[1.0]"]);
    let saved = r#"{"Extra-P": "4.2.5", "parameters": ["p"], "measurements": {"a": {"time":
        [{"coordinate": [4.0], "median": 1.0, "mean": 1.1, "std": 0.0, "repetitions": 3, "values": null}]}},
        "modelers": []}"#;
    let experiments = tables(&[saved], &ImportOptions::default());
    assert_eq!(short(&experiments), ["a|time|?|p|[4.0]=[1.0]"]);
    assert!(notes(&experiments)[1].contains("the median of each point is taken"));
}

#[test]
fn what_is_written_for_extrap_is_read_back() {
    let experiments = tables(&[LINES], &metric("time_ms"));
    let mut out = Vec::new();
    let fixed = extrap_lines(&experiments, &mut out).unwrap();
    assert_eq!(fixed, [("n", 10.0)]);
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text.lines().next().unwrap(),
        r#"{"params":{"p":4},"callpath":"main->solve","metric":"time_ms","value":0.0015,"unit":"s"}"#
    );
    let again = tables(&[&text], &ImportOptions::default());
    assert_eq!(short(&again), ["main->solve|time_ms|s|p|[4.0]=[0.0015] [8.0]=[0.002, 0.003]"]);

    let mut out = Vec::new();
    extrap_text(&experiments, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text,
        "# n is 10 throughout\nPARAMETER p\nPOINTS 4 8\n\nREGION main->solve\nMETRIC time_ms\nDATA 0.0015\nDATA 0.002 0.003\n"
    );
}

#[test]
fn what_extrap_cannot_read_is_not_written() {
    let two = concat!(
        r#"{"params":{"p":1},"callpath":"a","value":1}"#,
        "\n",
        r#"{"params":{"p":2},"callpath":"b","value":1}"#
    );
    let other_points = tables(&[two], &ImportOptions::default());
    let message = extrap_text(&other_points, std::io::sink()).unwrap_err().to_string();
    assert_eq!(
        message,
        "a and b have other points, and in Extra-P's text all regions have the same"
    );
    extrap_lines(&other_points, std::io::sink()).unwrap();
    let mut mixed = other_points;
    mixed[1].1.variables = vec!["q".into()];
    let message = extrap_lines(&mixed, std::io::sink()).unwrap_err().to_string();
    assert_eq!(
        message,
        "a has the parameters p, and b has q: a file of Extra-P's has one set of parameters"
    );
    assert!(extrap_lines(&[], std::io::sink()).is_err());
}

/// A file as Google Benchmark writes it, in short.
fn benchmarks(entries: &[&str]) -> String {
    format!(
        "{{\"context\": {{\"library_build_type\": \"release\"}}, \"benchmarks\": [{}]}}",
        entries.join(",")
    )
}

#[test]
fn google_benchmark() {
    let text = benchmarks(&[
        r#"{"name": "BM_sort/1024/threads:2", "run_name": "BM_sort/1024/threads:2", "run_type": "iteration", "repetitions": 2, "repetition_index": 0, "threads": 2, "iterations": 9, "real_time": 2.5, "cpu_time": 3, "time_unit": "us", "bytes_per_second": 4e6}"#,
        r#"{"name": "BM_sort/1024/threads:2", "run_name": "BM_sort/1024/threads:2", "run_type": "iteration", "repetitions": 2, "repetition_index": 1, "threads": 2, "iterations": 9, "real_time": 3.5, "cpu_time": 3, "time_unit": "us", "bytes_per_second": 4e6}"#,
        r#"{"name": "BM_sort/1024/threads:2_mean", "run_name": "BM_sort/1024/threads:2", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3, "cpu_time": 3, "time_unit": "us"}"#,
        r#"{"name": "BM_sort_BigO", "run_name": "BM_sort", "run_type": "aggregate", "aggregate_name": "BigO", "cpu_coefficient": 1, "real_coefficient": 1, "big_o": "N", "time_unit": "us"}"#,
        r#"{"name": "BM_walk/n:8/m:2", "run_name": "BM_walk/n:8/m:2", "run_type": "iteration", "real_time": 1, "cpu_time": 1, "time_unit": "ms"}"#,
        r#"{"name": "BM_walk/n:9/m:2", "run_name": "BM_walk/n:9/m:2", "run_type": "iteration", "error_occurred": true, "error_message": "no room", "real_time": 0, "cpu_time": 0, "time_unit": "ms"}"#,
        r#"{"name": "BM_walk/n:8/m:2", "run_name": "BM_walk/n:8/m:2", "run_type": "iteration", "error_occurred": true, "error_message": "late", "real_time": 0, "cpu_time": 0, "time_unit": "ms"}"#,
    ]);
    let experiments = tables(&[&text], &ImportOptions::default());
    assert_eq!(
        short(&experiments),
        [
            "BM_sort|real_time|µs|N,threads|[1024.0, 2.0]=[2.5e-6, 3.5e-6]",
            "BM_walk|real_time|ms|n,m|[8.0, 2.0]=[0.001]",
        ]
    );
    let notes = notes(&experiments);
    assert!(
        notes.iter().any(|note| note == "BM_walk/n:9/m:2 is left out, it failed: no room"),
        "{notes:?}"
    );
    let repetition = "1 of 2 repetitions of BM_walk/n:8/m:2 are left out, they failed: late";
    assert!(notes.iter().any(|note| note == repetition), "{notes:?}");
    assert!(notes.iter().any(|note| note.starts_with("2 lines of statistics")), "{notes:?}");
    assert!(
        notes.iter().any(|note| note.contains("--metric: cpu_time, bytes_per_second")),
        "{notes:?}"
    );
    assert_eq!(
        short(&tables(&[&text], &metric("bytes_per_second"))),
        ["BM_sort|bytes_per_second|B/s|N,threads|[1024.0, 2.0]=[4000000.0, 4000000.0]"]
    );
    let used = ImportOptions { used: vec!["size".into()], ..ImportOptions::default() };
    assert_eq!(tables(&[&text], &used)[0].1.variables, ["size", "threads"]);
    // A second file adds repetitions.
    assert_eq!(tables(&[&text, &text], &ImportOptions::default())[0].1.rows(), 4);
}

#[test]
fn google_benchmark_of_statistics_only_and_of_several_signatures() {
    let text = benchmarks(&[
        r#"{"name": "BM_a/8_mean", "run_name": "BM_a/8", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3, "cpu_time": 3, "time_unit": "ns"}"#,
        r#"{"name": "BM_a/8_median", "run_name": "BM_a/8", "run_type": "aggregate", "aggregate_name": "median", "real_time": 2, "cpu_time": 3, "time_unit": "ns"}"#,
    ]);
    let experiments = tables(&[&text], &ImportOptions::default());
    assert_eq!(short(&experiments), ["BM_a|real_time|ns|N|[8.0]=[2e-9]"]);
    assert!(notes(&experiments).iter().any(|note| note.contains("medians are taken")));
    let text = benchmarks(&[
        r#"{"name": "BM_a/8", "iterations": 1, "real_time": 1, "cpu_time": 3, "time_unit": "s"}"#,
        r#"{"name": "BM_a/8/4", "iterations": 1, "real_time": 2, "cpu_time": 3, "time_unit": "s"}"#,
        r#"{"name": "BM_a_mean", "iterations": 1, "real_time": 9, "cpu_time": 3, "time_unit": "s"}"#,
    ]);
    assert_eq!(
        short(&tables(&[&text], &ImportOptions::default())),
        [
            "BM_a(N)|real_time|s|N|[8.0]=[1.0]",
            "BM_a(arg0,arg1)|real_time|s|arg0,arg1|[8.0, 4.0]=[2.0]"
        ]
    );
}

#[test]
fn hyperfine() {
    let text = r#"{"results": [
        {"command": "sort -n 10 quick", "mean": 1, "user": 0.5, "system": 0.1, "times": [1.0, 1.5], "exit_codes": [0, 0], "parameters": {"n": "10", "how": "quick"}},
        {"command": "sort -n 20 quick", "mean": 2, "user": 0.5, "system": 0.1, "times": [2.0, 9.0], "exit_codes": [0, 1], "parameters": {"n": "20", "how": "quick"}},
        {"command": "sort -n 10 heap", "mean": 3, "user": 0.5, "system": 0.1, "times": [3.0], "exit_codes": [0], "parameters": {"n": "10", "how": "heap"}}]}"#;
    let experiments = tables(&[text], &ImportOptions::default());
    assert_eq!(
        short(&experiments),
        [
            "sort -n {n} quick|time|s|n|[10.0]=[1.0, 1.5] [20.0]=[2.0]",
            "sort -n {n} heap|time|s|n|[10.0]=[3.0]",
        ]
    );
    let failed = "runs that failed are left out: 1 of `sort -n 20 quick` (exit code 1)";
    assert!(notes(&experiments).iter().any(|note| note == failed), "{:?}", notes(&experiments));
    let bare = r#"{"results": [
        {"command": "./walk 100", "mean": 1, "times": [1.0]},
        {"command": "./walk 200", "mean": 2, "times": [2.0]}]}"#;
    let experiments = tables(&[bare], &ImportOptions::default());
    assert_eq!(short(&experiments), ["./walk {N}|time|s|N|[100.0]=[1.0] [200.0]=[2.0]"]);
    let named = r#"{"results": [{"command": "quick", "times": [1.0], "parameters": {"n": "1", "how": "x"}}]}"#;
    assert_eq!(
        short(&tables(&[named], &ImportOptions::default()))[0],
        "quick (how=x)|time|s|n|[1.0]=[1.0]"
    );
}

#[test]
fn a_failed_run_of_hyperfine_is_no_time() {
    let runs = |codes: [&str; 3]| {
        let run = |n: usize, code: &str| {
            format!(
                r#"{{"command": "sleep {n}", "mean": 9, "user": 0.5, "system": 0.1, "times": [{n}.5], "exit_codes": [{code}], "parameters": {{"n": "{n}"}}}}"#
            )
        };
        let all: Vec<String> = (0..3).map(|index| run(index + 1, codes[index])).collect();
        format!(r#"{{"results": [{}]}}"#, all.join(","))
    };
    let killed = runs(["0", "null", "0"]);
    let experiments = tables(&[&killed], &ImportOptions::default());
    assert_eq!(short(&experiments), ["sleep {n}|time|s|n|[1.0]=[1.5] [3.0]=[3.5]"]);
    assert!(
        notes(&experiments).iter().any(|note| note.contains("1 of `sleep 2` (ended by a signal)"))
    );
    let user = tables(&[&killed], &metric("user"));
    assert_eq!(user[0].1.rows(), 2, "the mean of user times holds that of the killed run");

    let refused = runs(["2", "2", "1"]);
    let error = read(&files(&[&refused]), &ImportOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "all 3 runs failed: exit code 2, exit code 1");
    assert!(error.help.unwrap().starts_with("--exit-codes 2,1 keeps them"));
    let kept = ImportOptions { exit_codes: vec![2], ..ImportOptions::default() };
    assert_eq!(tables(&[&refused], &kept)[0].1.rows(), 2);
    let error = read(&files(&[&runs(["null"; 3])]), &kept).unwrap_err().to_string();
    assert_eq!(error, "all 3 runs failed: ended by a signal");
}

#[test]
fn names_that_hyperfine_was_given_are_one_experiment() {
    let run = |name: &str, n: u32| {
        format!(r#"{{"command": "{name}", "times": [{n}], "parameters": {{"n": "{n}"}}}}"#)
    };
    let all = [run("small", 1), run("medium", 2), run("large", 4)].join(",");
    let experiments = tables(&[&format!(r#"{{"results": [{all}]}}"#)], &ImportOptions::default());
    assert_eq!(short(&experiments), ["small … large|time|s|n|[1.0]=[1.0] [2.0]=[2.0] [4.0]=[4.0]"]);
    assert!(notes(&experiments).iter().any(|note| note.contains("differ in their names only")));
    let word = |n: u32| {
        format!(
            r#"{{"command": "sort data-{n}.txt", "times": [{n}], "parameters": {{"n": "{n}"}}}}"#
        )
    };
    let all = [word(10), word(100)].join(",");
    let experiments = tables(&[&format!(r#"{{"results": [{all}]}}"#)], &ImportOptions::default());
    assert_eq!(short(&experiments), ["sort data-{n}.txt|time|s|n|[10.0]=[10.0] [100.0]=[100.0]"]);
}

#[test]
fn the_csv_of_hyperfine() {
    let text = "command,mean,stddev,median,user,system,min,max,parameter_n\n\
        ./walk 100,1.1,0.1,1.0,0.9,0.1,0.8,1.3,100\n./walk 200,2.1,0.1,2.0,1.9,0.1,1.8,2.3,200\n";
    let experiments = tables(&[text], &ImportOptions::default());
    assert_eq!(short(&experiments), ["./walk {n}|median|s|n|[100.0]=[1.0] [200.0]=[2.0]"]);
    assert_eq!(
        short(&tables(&[text], &metric("user"))),
        ["./walk {n}|user|s|n|[100.0]=[0.9] [200.0]=[1.9]"]
    );
}

#[test]
fn benchmarks_of_other_hosts_and_versions_are_apart() {
    let file = |host: &str, version: &str, time: u32| {
        format!(
            r#"{{"context": {{"host_name": "{host}", "library_version": "{version}"}}, "benchmarks": [{{"name": "BM_a/8/threads:4", "real_time": {time}, "cpu_time": 1, "time_unit": "s"}}]}}"#
        )
    };
    let text = file("a", "v1.8", 1);
    let experiments = tables(&[&text, &file("a", "v1.9", 4)], &ImportOptions::default());
    assert_eq!(
        short(&experiments),
        [
            "BM_a (v1.8)|real_time|s|N,threads|[8.0, 4.0]=[1.0]",
            "BM_a (v1.9)|real_time|s|N,threads|[8.0, 4.0]=[4.0]"
        ]
    );
    let remarks = notes(&experiments);
    assert!(remarks.iter().any(|note| note.contains("differ in the version of the library")));
    let hosts = tables(&[&text, &file("b", "v1.8", 3)], &ImportOptions::default());
    let names: Vec<&str> = hosts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["BM_a (a)", "BM_a (b)"]);
    assert_eq!(tables(&[&text, &text], &ImportOptions::default())[0].1.rows(), 2);
}

#[test]
fn lines_of_talpas_and_the_json_of_extrap_3() {
    let lines = "{\"parameters\":{\"x\":20,\"y\":8};\"metric\":\"time\";\"callpath\":\"a;b\";\"value\":8.5}\n\
        {\"parameters\":{\"x\":30,\"y\":8};\"metric\":\"time\";\"callpath\":\"a;b\";\"value\":12.5}\n";
    let experiments = tables(&[lines], &ImportOptions::default());
    assert_eq!(short(&experiments), ["a;b|time|?|x,y|[20.0, 8.0]=[8.5] [30.0, 8.0]=[12.5]"]);
    let old = r#"{"callpaths": [{"id": 1, "name": "f"}], "parameters": [{"id": 7, "name": "x"}],
        "metrics": [{"id": 1, "name": "time"}],
        "coordinates": [{"id": 1, "parameter_value_pairs": [{"parameter_id": 7, "parameter_value": 20}]},
                        {"id": 2, "parameter_value_pairs": [{"parameter_id": 7, "parameter_value": 30}]}],
        "measurements": [{"id": 1, "callpath_id": 1, "coordinate_id": 1, "metric_id": 1, "value": 8.5},
                         {"id": 2, "callpath_id": 1, "coordinate_id": 2, "metric_id": 1, "value": 12.5}]}"#;
    let experiments = tables(&[old], &ImportOptions::default());
    assert_eq!(short(&experiments), ["f|time|?|x|[20.0]=[8.5] [30.0]=[12.5]"]);
    let wrong = old.replace("\"coordinate_id\": 2", "\"coordinate_id\": 9");
    let error = read(&files(&[&wrong]), &ImportOptions::default()).unwrap_err().to_string();
    assert!(error.contains("no part has this number (`coordinate_id`)"), "{error}");
}

#[test]
fn benchmarks_of_python_java_and_go() {
    let pytest = r#"{"machine_info": {}, "benchmarks": [
        {"name": "test_sort[100-quick]", "params": {"n": 100, "how": "quick"}, "stats": {"median": 2, "data": [1.5, 2.5]}},
        {"name": "test_sort[200-quick]", "params": {"n": 200, "how": "quick"}, "stats": {"median": 4}}]}"#;
    assert_eq!(
        short(&tables(&[pytest], &ImportOptions::default())),
        ["test_sort[how=quick]|time|s|n|[100.0]=[1.5, 2.5] [200.0]=[4.0]"]
    );
    let jmh = r#"[{"benchmark": "a.B.sort", "mode": "avgt", "params": {"n": "100"},
        "primaryMetric": {"score": 2, "scoreUnit": "ms/op", "rawData": [[1.5], [2.5]]}}]"#;
    assert_eq!(
        short(&tables(&[jmh], &ImportOptions::default())),
        ["a.B.sort|time|ms|n|[100.0]=[0.0015, 0.0025]"]
    );
    let go = "goos: linux\nBenchmarkSort/100-8 \t 500\t 2500 ns/op\t 16 B/op\nBenchmarkSort/200-8 \t 500\t 5000 ns/op\t 16 B/op\nPASS\n";
    assert_eq!(
        short(&tables(&[go], &ImportOptions::default())),
        ["BenchmarkSort|time|ns|N,GOMAXPROCS|[100.0, 8.0]=[2.5e-6] [200.0, 8.0]=[5e-6]"]
    );
}

#[test]
fn records_of_json_are_tables() {
    for text in [
        r#"[{"N": 100, "time_ms": 0.5, "host": "a"}, {"N": 200, "time_ms": 1.25, "host": null}]"#,
        "{\"N\":100,\"time_ms\":0.5,\"host\":\"a\"}\n{\"N\":200,\"time_ms\":1.25,\"host\":\"b\"}\n",
    ] {
        let experiments = tables(&[text], &ImportOptions::default());
        assert_eq!(short(&experiments), ["|time_ms|ms|N|[100.0]=[0.0005] [200.0]=[0.00125]"]);
    }
}

#[test]
fn a_bad_line_of_a_log_is_left_out_if_asked() {
    let log = "result|name|t_value|t_unit\npass|a %n=1|1|s\npass|a %n=2|2|spass|a %n=2|2|s\nxfail|a %n=3|9|s\npass|a %n=4|null|s\npass|a %n=5|5|s\n";
    let error = read(&files(&[log]), &ImportOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "line 3: 7 fields, and there are 4 columns");
    let skipping = ImportOptions { skip_bad: true, ..ImportOptions::default() };
    let experiments = tables(&[log], &skipping);
    assert_eq!(short(&experiments), ["a|t|s|n|[1.0]=[1.0] [5.0]=[5.0]"]);
    let remarks = notes(&experiments);
    assert!(remarks.contains(&"tests that did not pass are left out: 1".to_owned()), "{remarks:?}");
    assert!(remarks.contains(&"values that are null are left out: 1".to_owned()), "{remarks:?}");
    let skipped = experiments[0].1.remarks.iter().find_map(|remark| match remark {
        Remark::Skipped(lines) => Some(lines.clone()),
        _ => None,
    });
    assert_eq!(skipped.unwrap().first, ["line 3: 7 fields, and there are 4 columns"]);
    let lines = LINES.replacen("[2,3]}", "[2,{\"params\":{\"p\"", 1);
    assert!(read(&files(&[&lines]), &ImportOptions::default()).is_err());
    assert_eq!(tables(&[&lines], &skipping)[0].1.groups.len(), 1);
}

#[test]
fn a_line_for_each_variable_of_reframe() {
    let log = "version,display_name,system,partition,environ,num_tasks,result,pvar,pval,pupper,punit\n\
        4.9,\"stream %threads=1\",a,b,c,1,pass,elapsed,4.2,null,s\n\
        4.9,\"stream %threads=1\",a,b,c,1,pass,copy_bw,8571,null,MB/s\n\
        4.9,\"stream %threads=2\",a,b,c,1,pass,elapsed,2.2,null,s\n";
    assert_eq!(
        short(&tables(&[log], &ImportOptions::default())),
        ["stream|elapsed|s|threads|[1.0]=[4.2] [2.0]=[2.2]"]
    );
    assert_eq!(
        short(&tables(&[log], &metric("copy_bw"))),
        ["stream|copy_bw|MB/s|threads|[1.0]=[8571.0]"]
    );
}

#[test]
fn criterion() {
    let lines = concat!(
        r#"{"reason":"benchmark-complete","id":"sort/quick/64","report_directory":"r","iteration_count":[1,2],"measured_values":[100.0,240.0],"unit":"ns","throughput":[],"typical":{"estimate":110.0,"unit":"ns"}}"#,
        "\n",
        r#"{"reason":"group-complete","group_name":"sort","benchmarks":["sort/quick/64"],"report_directory":"r"}"#
    );
    let experiments = tables(&[lines], &ImportOptions::default());
    assert_eq!(short(&experiments), ["sort/quick|time|ns|N|[64.0]=[1e-7, 1.2e-7]"]);

    let file = |name: &str, text: &str| File { name: name.into(), text: text.into() };
    let files = [
        file(
            "c/sort/64/new/benchmark.json",
            r#"{"group_id":"sort","function_id":null,"value_str":"64","throughput":null,"full_id":"sort/64","directory_name":"sort/64","title":"sort/64"}"#,
        ),
        file(
            "c/sort/64/new/sample.json",
            r#"{"sampling_mode":"Linear","iters":[2.0,4.0],"times":[20.0,44.0]}"#,
        ),
    ];
    let experiments = read(&files, &ImportOptions::default()).unwrap();
    assert_eq!(short(&experiments), ["sort|time|ns|N|[64.0]=[1e-8, 1.1e-8]"]);
    let alone = read(&files[1..], &ImportOptions::default()).unwrap_err();
    assert!(alone.to_string().contains("the benchmark.json beside this sample.json is missing"));
}

#[test]
fn reframe() {
    let case = |n: u32, algorithm: &str, value: f64, result: &str| {
        format!(
            r#"{{"result": "{result}", "system": "a", "partition": "b", "environ": "c", "display_name": "sort %n={n} %algo={algorithm}", "name": "x", "num_tasks": 1, "perfvalues": {{"a:b:mem": [{n}, 0, null, null, "MB", "pass"], "a:b:elapsed": [{value}, 0, null, null, "ms", "pass"]}}}}"#
        )
    };
    let cases = [
        case(10, "quick", 2.0, "pass"),
        case(20, "quick", 4.0, "pass"),
        case(10, "heap", 3.0, "pass"),
        case(20, "heap", 0.0, "fail"),
    ];
    let text = format!(
        r#"{{"session_info": {{"version": "4.10.4"}}, "runs": [{{"testcases": [{}]}}], "restored_cases": []}}"#,
        cases.join(",")
    );
    let experiments = tables(&[&text], &ImportOptions::default());
    let expected = [
        "sort %algo=quick|elapsed|ms|n|[10.0]=[0.002] [20.0]=[0.004]",
        "sort %algo=heap|elapsed|ms|n|[10.0]=[0.003]",
    ];
    assert_eq!(short(&experiments), expected);
    assert!(
        notes(&experiments).iter().any(|note| note == "tests that did not pass are left out: 1")
    );

    let log = "result|job_completion_time|algo|environ|n|name|num_tasks|partition|elapsed_value|elapsed_unit|mem_value|mem_unit|system\n\
        pass|2026|quick|c|10|sort %n=10 %algo=quick|1|b|2.0|ms|10|MB|a\n\
        pass|2026|quick|c|20|sort %n=20 %algo=quick|1|b|4.0|ms|20|MB|a\n\
        pass|2026|heap|c|10|sort %n=10 %algo=heap|1|b|3.0|ms|10|MB|a\n\
        fail|2026|heap|c|20|sort %n=20 %algo=heap|1|b|null|ms|10|MB|a\n";
    assert_eq!(short(&tables(&[log], &ImportOptions::default())), expected);
    assert_eq!(
        short(&tables(&[log], &metric("mem")))[0],
        "sort %algo=quick|mem|MB|n|[10.0]=[10.0] [20.0]=[20.0]"
    );
    let tasks = log.replace("|1|b|4.0", "|2|b|4.0");
    assert_eq!(tables(&[&tasks], &ImportOptions::default())[0].1.variables, ["n", "num_tasks"]);
}

/// A profile of Caliper: regions below main, with times and visits, and global values.
pub fn cali(ranks: u32, n: u32, step: f64) -> String {
    let head = "__rec=node,id=12,attr=10,data=64,parent=3\n\
        __rec=node,id=13,attr=8,data=attribute.unit,parent=12\n\
        __rec=node,id=14,attr=13,data=sec,parent=5\n\
        __rec=node,id=15,attr=10,data=65,parent=14\n\
        __rec=node,id=16,attr=8,data=sum#time.duration,parent=15\n\
        __rec=node,id=17,attr=10,data=65,parent=2\n\
        __rec=node,id=18,attr=8,data=count,parent=17\n\
        __rec=node,id=19,attr=10,data=276,parent=3\n\
        __rec=node,id=20,attr=8,data=region,parent=19\n\
        __rec=node,id=21,attr=20,data=main\n\
        __rec=node,id=22,attr=20,data=solve\\,x,parent=21\n\
        __rec=node,id=23,attr=8,data=mpi.rank,parent=17\n";
    let mut text = head.to_owned();
    text += "__rec=ctx,attr=16=18,data=9=1\n";
    for rank in 0..ranks {
        let time = step * f64::from(rank + 1);
        text += &format!("__rec=ctx,ref=21,attr=16=18=23,data={time}=1={rank}\n");
        text += &format!("__rec=ctx,ref=22,attr=16=18=23,data={}=3={rank}\n", 2.0 * time);
        text += &format!("__rec=ctx,ref=22,attr=16=18=23,data={}=3={rank}\n", 2.0 * time);
    }
    text += &format!(
        "__rec=node,id=30,attr=10,data=1612,parent=1\n\
         __rec=node,id=31,attr=8,data=mpi.world.size,parent=30\n\
         __rec=node,id=32,attr=8,data=problem_size,parent=30\n\
         __rec=node,id=33,attr=8,data=launchdate,parent=30\n\
         __rec=node,id=34,attr=31,data={ranks}\n\
         __rec=node,id=35,attr=32,data={n},parent=34\n\
         __rec=node,id=36,attr=33,data={},parent=35\n\
         __rec=globals,ref=36\n",
        1_700_000_000 + n
    );
    text
}

#[test]
fn caliper() {
    let texts = [cali(1, 10, 0.25), cali(2, 10, 0.25), cali(2, 20, 0.5)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let experiments = tables(&texts, &ImportOptions::default());
    assert_eq!(
        short(&experiments),
        [
            "main|inclusive#sum#time.duration|s|P,problem_size|[1.0, 10.0]=[1.25] [2.0, 10.0]=[2.5] [2.0, 20.0]=[5.0]",
            "main/solve,x|inclusive#sum#time.duration|s|P,problem_size|[1.0, 10.0]=[1.0] [2.0, 10.0]=[2.0] [2.0, 20.0]=[4.0]",
        ]
    );
    let notes = notes(&experiments);
    assert!(notes.iter().any(|note| note == "mpi.world.size is P in formulas"), "{notes:?}");
    assert!(notes[0].contains("over P, problem_size, 2 experiments, 6 values"), "{notes:?}");
    let own = tables(&texts, &metric("sum#time.duration"));
    assert_eq!(
        short(&own)[0],
        "main|sum#time.duration|s|P,problem_size|[1.0, 10.0]=[0.25] [2.0, 10.0]=[0.5] [2.0, 20.0]=[1.0]"
    );
    assert_eq!(tables(&texts, &metric("count"))[1].1.quantity, ResultKind::Other("count".into()));
}

#[test]
fn threads_of_caliper_are_not_added_up() {
    let profile = cali(1, 10, 0.25);
    let threads = profile.replace(
        "__rec=ctx,ref=22,attr=16=18=23,data=0.5=3=0\n",
        "__rec=ctx,ref=22,attr=16=18=23=40,data=0.5=3=0=0\n",
    );
    let threads = threads.replacen(
        "__rec=ctx,ref=22,attr=16=18=23=40,data=0.5=3=0=0\n",
        "__rec=ctx,ref=22,attr=16=18=23=40,data=0.75=3=0=1\n",
        1,
    );
    let id = "__rec=node,id=40,attr=8,data=omp.thread.id,parent=17\n";
    let threads = threads.replacen("__rec=ctx", &format!("{id}__rec=ctx"), 1);
    let experiments = tables(&[&threads], &metric("sum#time.duration"));
    let solve = experiments.iter().find(|(name, _)| name == "main/solve,x").unwrap();
    assert_eq!(solve.1.groups[0].results, [0.75]);
    let remarks = notes(&experiments);
    assert!(remarks.iter().any(|note| note.contains("the slowest thread counts")), "{remarks:?}");
    let all = tables(&[&threads], &ImportOptions::default());
    let metrics = notes(&all);
    assert!(!metrics.iter().any(|note| note.contains("omp.thread.id")), "{metrics:?}");
}

#[test]
fn caliper_of_other_forms() {
    let profile = cali(1, 10, 0.25);
    let cut = profile.replace("__rec=globals,ref=36\n", "");
    let experiments = tables(&[&cut], &ImportOptions::default());
    assert!(notes(&experiments).iter().any(|note| note.contains("it may be cut off")));
    assert!(notes(&experiments).iter().any(|note| note.contains("one file is one point")));
    // The inclusive time of the slowest rank, which the file has, is taken as it is.
    let aggregated =
        profile.replace("data=sum#time.duration", "data=max#inclusive#sum#time.duration");
    let experiments = tables(&[&aggregated], &ImportOptions::default());
    assert_eq!(experiments[0].1.result, "max#inclusive#sum#time.duration");
    // Time slices repeat the rest.
    let sliced = profile.replace(
        "__rec=ctx,attr=16=18,data=9=1\n",
        "__rec=node,id=40,attr=8,data=spot.channel,parent=12\n__rec=node,id=41,attr=40,data=timeseries\n__rec=ctx,ref=21=41,attr=16,data=100\n",
    );
    assert_eq!(
        short(&tables(&[&sliced], &ImportOptions::default())),
        short(&tables(&[&profile], &ImportOptions::default()))
    );
}

#[test]
fn a_parameter_that_numbers_runs_is_no_variable() {
    let line = |run: u32, n: u32| {
        format!(
            r#"{{"params":{{"run":{run},"n":{n}}},"value":{}}}"#,
            f64::from(n) + 0.1 * f64::from(run)
        )
    };
    let text: Vec<String> = [(1, 8), (2, 8), (1, 9), (2, 9)].map(|(run, n)| line(run, n)).into();
    let experiments = tables(&[&text.join("\n")], &ImportOptions::default());
    let table = &experiments[0].1;
    assert_eq!((&table.variables[..], table.groups.len()), (&["n".to_owned()][..], 2));
    let runs: Vec<u32> = table.groups[1].runs.iter().map(|stretch| stretch.run).collect();
    assert_eq!(runs, [0, 1]);
}
