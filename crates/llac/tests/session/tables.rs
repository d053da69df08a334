//! Tables: types, joins, orders, pivots, groups with values of their own.

use cll_llac::value::Value;

use crate::host::{Test, experiment, nlogn, powers, trace};

const SHOPS: &str = "\
machine,procs,before_s,after_ms,note
beta,2,4.0,1000,warm
alpha,1,8.0,4000,cold
alpha,2,4.5,2000,
beta,1,7.5,3000,warm
beta,1,8.5,3200,cold
";

fn shops() -> Test {
    let mut test = nlogn();
    test.files.lock().unwrap().insert("shops.csv".into(), SHOPS.into());
    test.run("open \"shops.csv\"\nopen \"a.dat\"");
    test
}

fn words(test: &mut Test, text: &str) -> Vec<String> {
    match test.value(text) {
        Value::Words(words) => (0..words.codes.len()).map(|k| words.word(k).to_owned()).collect(),
        other => panic!("{text} gives a {}", other.kind()),
    }
}

fn numbers(test: &mut Test, text: &str) -> Vec<f64> {
    match test.value(text) {
        Value::Column(column) => column.values.to_vec(),
        other => panic!("{text} gives a {}", other.kind()),
    }
}

#[test]
fn text_stays_text_and_units_are_those_of_the_headers() {
    let mut test = shops();
    assert_eq!(words(&mut test, "(shops where note == \"warm\").machine"), ["beta", "beta"]);
    assert_eq!(test.number("max(shops.after) / 1 ms"), 4000.0);
    assert_eq!(test.number("count(shops where before > 7 s)"), 3.0);
    let answer = test.run("fit shops as f[0] + f[1]/procs");
    assert!(answer.contains("`with column = NAME`"), "{answer}");
    let answer = test.run("fit shops as f[0] + f[1]/procs with column = after");
    assert!(answer.contains("2 points"), "{answer}");
    let answer = test.run("fit shops as f[0] + f[1]/procs with column = note");
    assert!(answer.contains("no numbers `note`: procs, before, after"), "{answer}");
}

#[test]
fn rows_are_ordered_and_taken() {
    let mut test = shops();
    let by = "order shops by machine, -before";
    assert_eq!(numbers(&mut test, &format!("({by}).before")), [8.0, 4.5, 8.5, 7.5, 4.0]);
    assert_eq!(numbers(&mut test, &format!("head(({by}), 2).procs")), [1.0, 2.0]);
    assert_eq!(numbers(&mut test, &format!("tail(({by}), 1).before")), [4.0]);
    assert_eq!(numbers(&mut test, &format!("({by})[1:3].before")), [4.5, 8.5, 7.5]);
    assert_eq!(numbers(&mut test, "[5, 6, 7, 8][2:3]"), [7.0, 8.0]);
    let wrong = test.run("shops[3:9]");
    assert!(wrong.contains("there is no element 5: it has 5, from 0"), "{wrong}");
    assert!(test.run("order 3 by procs").contains("`order` takes a table, not a number"));
}

#[test]
fn groups_have_values_of_their_own() {
    let mut test = shops();
    test.run("spread(x) = max(x)/min(x)");
    test.run("g = group shops by machine to q = quantile(before, 0.5), s = spread(after), first = min(note)");
    // `min` of words is refused, so nothing was made.
    assert!(test.run("g").contains("there is no `g`"));
    let statement = "g = group shops by machine to q = quantile(before, 0.5), s = spread(after)";
    assert_eq!(test.run(statement), "");
    assert_eq!(words(&mut test, "g.machine"), ["alpha", "beta"]);
    assert_eq!(numbers(&mut test, "g.q"), [6.25, 7.5]);
    assert_eq!(numbers(&mut test, "g.s"), [2.0, 3.2]);
    // Of samples: nine tenths of their times.
    let q = test.number("max((group f by N to q = quantile(time, 0.9)).q)");
    assert_eq!(q, test.number("quantile((f where N == 65536).time, 0.9)"));
    let wrong = test.run("group f by N to time");
    assert!(wrong.contains("`to` takes one of max"), "{wrong}");
    let wrong = test.run("group f by N to x = 2*time");
    assert!(wrong.contains("a group has one value here"), "{wrong}");
}

#[test]
fn a_wide_table_has_a_column_for_each_value() {
    let mut test = shops();
    test.run("wide = pivot shops by machine for procs to max(before)");
    assert_eq!(words(&mut test, "wide.machine"), ["alpha", "beta"]);
    assert_eq!(numbers(&mut test, "wide.`procs=1`"), [8.0, 8.5]);
    assert_eq!(numbers(&mut test, "wide.`procs=2`"), [4.5, 4.0]);
    // A cell without rows is missing; a column of words names its columns.
    test.run("notes = pivot (shops where procs == 2) by machine for note to sum(before)");
    let warm = numbers(&mut test, "notes.warm");
    assert!(warm[0].is_nan() && warm[1] == 4.0, "{warm:?}");
    assert_eq!(numbers(&mut test, "(pivot f by N for sample to max).`sample=0`").len(), 11);
    assert!(test.run("pivot shops by machine").contains("the rows and the columns"));
    assert!(test.run("pivot shops by machine for procs").contains("which column"));
}

#[test]
fn any_two_tables_are_joined() {
    let mut test = shops();
    let owners = "machine;owner;procs\nbeta;Ada;16\nbeta;Bob;17\ngamma;Eve;18\n";
    test.files.lock().unwrap().insert("owners.csv".into(), owners.into());
    test.run("open \"owners.csv\"");
    let answer = test.run("j = join shops, owners by machine");
    assert!(answer.contains("2 of 5 rows have no row in the second table"), "{answer}");
    assert_eq!(words(&mut test, "j.owner"), ["Ada", "Bob", "", "", "Ada", "Bob", "Ada", "Bob"]);
    assert_eq!(numbers(&mut test, "j.procs")[..3], [2.0, 2.0, 1.0]);
    assert_eq!(numbers(&mut test, "(j where owner == \"Ada\").procs_2"), [16.0, 16.0, 16.0]);
    let wrong = test.run("join shops, owners by owner");
    assert!(wrong.contains("the first table has no column `owner`"), "{wrong}");
    let wrong = test.run("join (shops where machine == \"alpha\"), owners by machine");
    assert!(wrong.contains("no row of the second table belongs"), "{wrong}");
}

#[test]
fn words_of_a_table_become_columns_of_samples() {
    let mut test = shops();
    let notes = "N,label\n64,small\n128,small\n65536,large\n";
    test.files.lock().unwrap().insert("notes.csv".into(), notes.into());
    test.run("open \"notes.csv\"\ng = join f, notes by N");
    assert_eq!(test.number("count(g where label == \"small\")"), 10.0);
    assert_eq!(test.number("count(g where label == \"large\" and sample < 2)"), 2.0);
    assert_eq!(words(&mut test, "(group g by label).label"), ["", "large", "small"]);
    assert_eq!(test.number("count((g where N > 64 set M = N/2) where label == \"small\")"), 5.0);
    assert!(test.run("print g as csv").lines().next().unwrap().contains(",label,"));
}

#[test]
fn a_correlation_is_that_of_the_pairs() {
    let mut test = nlogn();
    let value = test.number("correlation([1, 2, 3, 4], [2, 1, 4, 3])");
    assert!((value - 0.6).abs() < 1e-12, "{value}");
    assert!(test.run("correlation([1, 2], [3, 3])").contains("two columns that vary"));
    assert!(test.run("correlation([1, 2], [1, 2, 3])").contains("2 and 3 values"));
}

#[test]
fn any_name_of_constants_fits_an_experiment() {
    let time = |point: &[f64]| 1e-6 + 2e-9 * point[0] * point[0];
    let sort = experiment("sort", "sort[0]+sort[1]*N", &["N"], &powers(6, 12), 3, 0.0, time);
    let mut test = Test::new([("s.dat", trace(vec![sort], "node1"))]);
    test.run("open \"s.dat\"");
    for formula in ["f[0] + f[1]*N*N", "g[0] + g[1]*N^g[2]"] {
        let answer = test.run(&format!("m = fit sort as {formula}"));
        assert_eq!(answer, "", "{formula}");
        let value = test.number("m(N = 2048) / 1 s");
        assert!((value - 8.389608e-3).abs() < 1e-8, "{formula}: {value}");
    }
}

#[test]
fn a_model_is_saved_and_a_script_is_not_called_json() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nm = fit f");
    for statement in
        ["save m into \"m.json\"", "print m as json into \"m.json\"", "report m into \"m.json\""]
    {
        test.files.lock().unwrap().clear();
        assert_eq!(test.run(statement), "note: m.json is written\n");
        let bytes = test.files.lock().unwrap()["m.json"].clone();
        let model = cll_result::ModelFile::parse(&bytes).unwrap();
        assert_eq!(model.experiments[0].name, "f", "{statement}");
    }
    assert!(test.run("save m into \"m.csv\"").contains("a model is JSON, not m.csv"));
    test.run("save (group f by N) into \"g.csv\"");
    assert!(test.files.lock().unwrap().contains_key("g.csv"));
}
