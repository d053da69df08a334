//! Files that are damaged, or of no known format: what is said, and where.

use cll_import::{File, ImportOptions, read};

use crate::formats::cali;

fn error(text: &str) -> String {
    let files = [File { name: "a".into(), text: text.into() }];
    read(&files, &ImportOptions::default()).unwrap_err().to_string()
}

#[track_caller]
fn says(text: &str, expected: &str) {
    let message = error(text);
    assert!(message.contains(expected), "{text:?}: {message}");
}

#[test]
fn damaged_json_is_named_with_its_place() {
    assert_eq!(
        error("{\"params\":{\"N\":1},\"value\":2}\n{\"params\":{\"N\":\"x\"},\"value\":2}\n"),
        "line 2, character 16: a number is expected here, and this is a text\n  {\"params\":{\"N\":\"x\"},\"value\":2}\n                 ^^^"
    );
    says(
        "{\"params\":{\"N\":1},\"value\":2}\n{\"params\":{\"N\"",
        "line 2, character 15: the file ends where `:` is expected",
    );
    says(
        "{\"params\":{\"N\":1},\"value\":2}\n{\"params\":{\"N\":1}}",
        "line 2, character 1: `value` is missing here",
    );
    says(
        "{\"params\":{\"N\":1},\"value\":2}\n{\"params\":{\"M\":1},\"value\":2}",
        "line 2, character 11: `N` is missing, which the first line has",
    );
    says(
        "{\"params\":{\"N\":1},\"value\":2}\n{\"params\":{\"N\":1,\"M\":1},\"value\":2}",
        "`M` is a parameter here",
    );
    says(
        "{\"params\":[1],\"value\":2}",
        "line 1, character 11: an object is expected here, and this is a list",
    );
    says(
        "{\"params\":{\"N\":1},\"value\":NaN}",
        "no row has a number in every column that is used, such as line 1: `time` is NaN",
    );
    says("{\"a\": 1} x", "line 1, character 10: the end is expected behind the value");
    says("{\"a\": 1}", "this JSON is in no known format: it has a");
    says("[]", "this JSON is in no known format");
    says("{\"format\": \"cll-model\", \"version\": 1}", "this is JSON of cll, not data to fit");
    says(
        "{\"parameters\": [\"x\"], \"measurements\": {\"a\": {\"time\": [{\"point\": [1, 2], \"values\": [1]}]}}}",
        "this point has 2 values, and there are 1 parameters",
    );
    says(
        "{\"parameters\": [], \"measurements\": [], \"callpaths\": []}",
        "`metrics` is missing here",
    );
    says(
        "{\"context\": {}, \"benchmarks\": []}",
        "there is no measured value in it (Google Benchmark's JSON)",
    );
    says(
        "{\"context\": {}, \"benchmarks\": [{\"name\": \"a\", \"cpu_time\": 1}]}",
        "`real_time` is missing here",
    );
    says(
        "{\"results\": [{\"command\": \"a\", \"times\": 3}]}",
        "a list is expected here, and this is a number",
    );
    says(
        "{\"reason\":\"benchmark-complete\",\"id\":\"a\",\"unit\":\"ns\",\"iteration_count\":[1,0],\"measured_values\":[1,2]}",
        "the number of iterations must be above 0",
    );
    says(
        "{\"reason\":\"benchmark-complete\",\"id\":\"a\",\"unit\":\"ns\",\"iteration_count\":[1],\"measured_values\":[1,2]}",
        "the numbers of samples and of times differ: 1 and 2",
    );
}

#[test]
fn the_file_is_named_if_there_are_several() {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into() };
    let good = "{\"params\":{\"N\":1},\"value\":2}";
    let read = |files: &[File]| read(files, &ImportOptions::default());
    let error = read(&[file("a", good), file("b", "{\"params\":1,\"value\":2}")]).unwrap_err();
    assert!(error.to_string().starts_with("b: line 1, character 11: "), "{error}");
    let error = read(&[file("a", good), file("b", "{")]).unwrap_err();
    assert!(error.to_string().starts_with("b: line 1, character 2: "), "{error}");
}

#[test]
fn damaged_cali_files() {
    let profile = cali(1, 10, 0.25);
    let line = |start: &str| profile.lines().position(|line| line.starts_with(start)).unwrap() + 1;
    let with = |from: &str, to: &str| {
        assert!(profile.contains(from), "{from}");
        profile.replacen(from, to, 1)
    };
    let cut = &profile[..profile.find("=0\n").unwrap()];
    says(cut, "this record has 3 attributes and 2 values");
    says(cut, &format!("line {}, character 1: ", line("__rec=ctx,ref=21")));
    says(&with("__rec=ctx,ref=21", "__rec=ctx,ref=77"), "there is no node 77 above this line");
    says(&with("__rec=ctx,ref=21", "__rec=ctx,ref=x"), "`x` is no number of a node (in `ref`)");
    says(&with("parent=21", "parent=99"), "there is no node 99 above this line");
    says(&with("id=22", "id=21"), "node 21 is here a second time");
    says(&with("data=9=1", "data=9=one"), "`one` is not a number (for `count`)");
    says(
        &with("__rec=globals", "__rec=global"),
        "this is no record of a node, of measurements or of global values",
    );
    says(&with("__rec=node,id=13,attr=8", "__rec=node,id=13"), "a node needs `id` and `attr`");
    let nothing: String = profile
        .lines()
        .filter(|line| !line.starts_with("__rec=ctx"))
        .map(|line| format!("{line}\n"))
        .collect();
    says(&nothing, "there is no measured value in it");
}

#[test]
fn damaged_logs_of_reframe() {
    let head = "result|name|elapsed_value|elapsed_unit\n";
    says(&format!("{head}pass|a|1\n"), "line 2: 3 fields, and there are 4 columns");
    says(
        &format!("{head}pass|a|1,5|s\n"),
        "line 2, character 8: `1,5` is not a number (for `elapsed_value`)",
    );
}

#[test]
fn a_metric_that_is_missing_is_suggested() {
    let files = [File {
        name: "a".into(),
        text: "{\"params\":{\"N\":1},\"metric\":\"bytes\",\"value\":2}".into(),
    }];
    let options = ImportOptions { result: Some("bites".into()), ..ImportOptions::default() };
    let message = read(&files, &options).unwrap_err().to_string();
    assert_eq!(message, "there is no metric `bites`: did you mean bytes?");
}

proptest::proptest! {
    #[test]
    fn good_files_with_a_piece_replaced_are_read_or_refused(
        which in 0..4_usize, at in 0..4000_usize, length in 0..12_usize,
        piece in "[-0-9a-z{}\\[\\]\",:=\\\\\n.]{0,8}",
    ) {
        let good = [
            cali(2, 10, 0.25),
            "{\"params\":{\"N\":1},\"callpath\":\"f\",\"metric\":\"time\",\"value\":[2,3]}\n".repeat(5),
            "{\"results\":[{\"command\":\"a 1\",\"times\":[1,2],\"exit_codes\":[0,0],\"parameters\":{\"n\":\"1\"}}]}".to_owned(),
            "{\"context\":{},\"benchmarks\":[{\"name\":\"BM/8\",\"real_time\":1,\"cpu_time\":1,\"time_unit\":\"ns\"}]}".to_owned(),
        ];
        let text = &good[which];
        let start = at % text.len();
        let end = (start + length).min(text.len());
        let text = format!("{}{piece}{}", &text[..start], &text[end..]);
        let files = [File { name: "a".into(), text }];
        if let Ok(tables) = read(&files, &ImportOptions::default()) {
            proptest::prop_assert!(tables.iter().all(|(_, table)| table.rows() > 0));
        }
    }
}
