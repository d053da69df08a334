//! Data from elsewhere.

use cll_trace::import::{CsvOptions, OddityKind, Table, csv, extrap};

fn table(text: &str) -> Table {
    csv(text.as_bytes(), &CsvOptions::default()).unwrap()
}

fn error(text: &str) -> String {
    csv(text.as_bytes(), &CsvOptions::default()).unwrap_err().to_string()
}

fn columns(table: &Table) -> (Vec<&str>, &str) {
    (table.variables.iter().map(String::as_str).collect(), &table.time)
}

#[test]
fn rows_are_those_of_the_file() {
    let table = table("N,P,time\n64,1,0.5\n\n# slow\n 64 , 2 ,2.5e-1\n\"128\",1,+1\n");
    assert_eq!(columns(&table), (vec!["N", "P"], "time"));
    let rows: Vec<_> = table.rows.iter().map(|row| (&row.values[..], row.time, row.line)).collect();
    assert_eq!(
        rows,
        [(&[64.0, 1.0][..], 0.5, 2), (&[64.0, 2.0], 0.25, 5), (&[128.0, 1.0], 1.0, 6)]
    );
    assert_eq!(table.oddities, []);
}

#[test]
fn the_time_is_found_by_name_or_is_the_last() {
    assert_eq!(columns(&table("t,N\n1,2\n")), (vec!["N"], "t"));
    assert_eq!(columns(&table("t,Time,N\n1,2,3\n")), (vec!["t", "N"], "Time"));
    assert_eq!(columns(&table("seconds,time_s,N\n1,2,3\n")), (vec!["seconds", "N"], "time_s"));
    assert_eq!(columns(&table("N,cost\n1,2\n")), (vec!["N"], "cost"));
    assert_eq!(columns(&table("cost\n1\n")), (vec![], "cost"));
    let options = CsvOptions {
        time: Some("b".into()),
        variables: Some(vec!["c".into(), "a".into()]),
        ..CsvOptions::default()
    };
    let chosen = csv("a,b,time,c\n1,2,,4\n".as_bytes(), &options).unwrap();
    assert_eq!(columns(&chosen), (vec!["c", "a"], "b"));
    assert_eq!((&chosen.rows[0].values[..], chosen.rows[0].time), (&[4.0, 1.0][..], 2.0));
}

#[test]
fn separators_line_ends_and_marks_of_other_programs() {
    for text in
        ["N;time\r\n1;2\r\n", "N\ttime\n1\t2", "\u{FEFF}N,time\n1,2\n", "# made\nN, time\n1, 2"]
    {
        let table = table(text);
        assert_eq!(columns(&table), (vec!["N"], "time"), "{text:?}");
        assert_eq!((table.rows[0].values[0], table.rows[0].time), (1.0, 2.0), "{text:?}");
    }
    let options = CsvOptions { delimiter: Some(b' '), ..CsvOptions::default() };
    assert_eq!(csv("N time\n1 2\n".as_bytes(), &options).unwrap().rows.len(), 1);
}

#[test]
fn odd_numbers_are_kept_and_told() {
    let table = table("N,time\nnan,1\n1,-1\n1,0\ninf,NaN\n0,1e999\n-3,1\n");
    assert_eq!(table.rows.len(), 6);
    let told: Vec<String> = table.oddities.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 2: `N` is not a number (NaN)",
            "line 3: `time` is a negative time",
            "line 4: `time` is a time of zero",
            "line 5: `N` is infinite",
            "line 5: `time` is not a number (NaN)",
            "line 6: `time` is infinite",
        ]
    );
    assert_eq!(table.oddities[1].kind, OddityKind::NegativeTime);
}

#[test]
fn what_cannot_be_used_is_named_with_its_place() {
    for (text, expected) in [
        ("", "the data are empty"),
        ("\n  \n", "the data are empty"),
        ("N,time\n", "line 1: there is no row"),
        ("N,time\n1,2\n3,x\n", "line 3, column 2: `x` is not a number (for `time`)"),
        ("N,time\n1,2\n\n# c\n3,\n", "line 5, column 2: no value for `time`"),
        ("N,time\n1,2,3\n", "line 2: 3 fields, and there are 2 columns"),
        ("N,time\n1\n", "line 2: 1 fields, and there are 2 columns"),
        (
            "N,time,N\n1,2,3\n",
            "line 1, column 3: two columns are called `N`, the other is column 1",
        ),
        ("N,,time\n1,2,3\n", "line 1, column 2: this column has no name"),
        ("64,0.5\n128,1\n", "line 1, column 1: `64` is a number where a column's name is expected"),
        ("N,time\n1,0x10\n", "line 2, column 2: `0x10` is not a number"),
        ("N,time\n\"1\n2,3\n", "line 2"),
    ] {
        let said = error(text);
        assert!(said.starts_with(expected), "{text:?}: {said}");
    }
    let binary = csv(&b"N,time\n\xff\xfe,2\n"[..], &CsvOptions::default()).unwrap_err();
    assert!(binary.to_string().starts_with("line 2: this is not text"), "{binary}");
    let options = CsvOptions { time: Some("runtime".into()), ..CsvOptions::default() };
    let missing = csv("N,time\n1,2\n".as_bytes(), &options).unwrap_err().to_string();
    assert_eq!(missing, "line 1: there is no column `runtime`; there are: N, time");
}

#[test]
fn extrap_text_gives_a_table_for_each_region_and_metric() {
    let text = "# made by hand\nPARAMETER p\nPARAMETER n\n\nPOINTS (4 10) (8 10)(16   10)\nREGION main\n\
                METRIC time\nDATA 1 2\nDATA 3\nDATA 4 5\nMETRIC bytes\nDATA 7\nREGION main->solve\nMETRIC time\nDATA 0\n";
    let tables = extrap(text).unwrap();
    let shape: Vec<_> =
        tables.iter().map(|(r, t)| (r.as_str(), t.time.as_str(), t.rows.len())).collect();
    assert_eq!(shape, [("main", "time", 5), ("main", "bytes", 1), ("main->solve", "time", 1)]);
    assert_eq!(tables[0].1.variables, ["p", "n"]);
    assert_eq!(
        (&tables[0].1.rows[4].values[..], tables[0].1.rows[4].time),
        (&[16.0, 10.0][..], 5.0)
    );
    assert_eq!(tables[2].1.oddities[0].kind, OddityKind::ZeroTime);

    let bare = extrap("PARAMETER x\nPOINTS 1 2\nPOINTS 3\nDATA 1\nDATA 2\nDATA 3\n").unwrap();
    assert_eq!(
        (bare[0].0.as_str(), bare[0].1.time.as_str(), bare[0].1.rows.len()),
        ("", "time", 3)
    );

    for (text, expected) in [
        ("", "the data are empty"),
        ("PARAMETER x\n", "there are no DATA lines"),
        ("POINTS 1\n", "line 1: POINTS before any PARAMETER"),
        (
            "PARAMETER x y\nPOINTS (1 2) (3)\n",
            "line 2: 3 numbers are no whole points of 2 parameters",
        ),
        ("PARAMETER x\nPOINTS 1\nDATA 1\nDATA 2\n", "line 4: more DATA lines than the 1 POINTS"),
        ("PARAMETER x\nPOINTS 1\nDATA a\n", "line 3: `a` is not a number (for `DATA`)"),
        ("PARAMETER x\nPOINTS 1\nPARAMETER y\n", "line 3: PARAMETER after POINTS"),
        ("N,time\n1,2\n", "line 1: `N,time` is none of PARAMETER"),
    ] {
        let said = extrap(text).unwrap_err().to_string();
        assert!(said.starts_with(expected), "{text:?}: {said}");
    }
}
