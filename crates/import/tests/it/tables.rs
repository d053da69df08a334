//! Tables of other programs.

use cll_import::{ImportError, ImportOptions, Remark, ResultKind, Table, csv, extrap, text};

/// The only table.
fn only_table(tables: Result<Vec<(String, Table)>, ImportError>) -> Result<Table, ImportError> {
    let mut tables = tables?;
    assert_eq!(tables.len(), 1);
    Ok(tables.remove(0).1)
}

fn read(text: &str, options: &ImportOptions) -> Result<Table, ImportError> {
    only_table(csv(text.as_bytes(), options))
}

fn table(text: &str) -> Table {
    read(text, &ImportOptions::default()).unwrap()
}

fn error(text: &str) -> String {
    read(text, &ImportOptions::default()).unwrap_err().to_string()
}

fn using(names: &[&str]) -> ImportOptions {
    ImportOptions {
        used: names.iter().map(|&name| name.to_owned()).collect(),
        ..ImportOptions::default()
    }
}

fn columns(table: &Table) -> (Vec<&str>, &str) {
    (table.variables.iter().map(String::as_str).collect(), &table.result)
}

fn rows(table: &Table) -> Vec<(&[f64], &[f64])> {
    table.groups.iter().map(|group| (&group.values[..], &group.results[..])).collect()
}

#[test]
fn rows_are_those_of_the_file() {
    let table = table("N,P,time\n64,1,0.5\n\n# slow\n 64 , 2 ,2.5e-1\n\"128\",1,+1\n64,1,0.75\n");
    assert_eq!(columns(&table), (vec!["N", "P"], "time"));
    assert_eq!(
        rows(&table),
        [(&[64.0, 1.0][..], &[0.5, 0.75][..]), (&[64.0, 2.0], &[0.25]), (&[128.0, 1.0], &[1.0])]
    );
    assert_eq!((table.rows(), table.remarks), (4, vec![]));
}

#[test]
fn the_result_is_found_by_its_name() {
    assert_eq!(columns(&table("t,N\n1,2\n")), (vec!["N"], "t"));
    assert_eq!(columns(&table("t,Time,N\n1,2,3\n")), (vec!["t", "N"], "Time"));
    assert_eq!(columns(&table("seconds,time_s,N\n1,2,3\n")), (vec!["N"], "time_s"));
    assert_eq!(columns(&table("N,walltime,nodes\n1,2,3\n")), (vec!["N", "nodes"], "walltime"));
    assert_eq!(columns(&table("N,Wall Time (ms),nodes\n1,2,3\n")).1, "Wall Time (ms)");
    assert_eq!(columns(&table("N,cost\n1,2\n")), (vec!["N"], "cost"), "the last without a formula");
    assert_eq!(columns(&table("cost\n1\n")), (vec![], "cost"));
    let asked =
        |name: &str| ImportOptions { result: Some(name.into()), ..ImportOptions::default() };
    for name in ["solve time [ms]", "solve_time"] {
        let chosen = read("N,solve time [ms],time\n1,2,3\n", &asked(name)).unwrap();
        assert_eq!(columns(&chosen), (vec!["N"], "solve time [ms]"));
        assert_eq!(chosen.groups[0].results, [2e-3]);
    }
    let missing = read("N,time\n1,2\n", &asked("runtime")).unwrap_err().to_string();
    assert_eq!(missing, "line 1: there is no column `runtime`; there are: N, time");
}

#[test]
fn the_result_is_what_the_formula_leaves_over() {
    let result_of = |text, used: &[&str]| read(text, &using(used)).map(|table| table.result);
    assert_eq!(result_of("cost,N\n1,2\n", &["N"]).unwrap(), "cost");
    assert_eq!(result_of("time,N\n1,2\n", &["time"]).unwrap(), "N");
    assert_eq!(result_of("N,solve [us],nodes\n1,2,3\n", &["N"]).unwrap(), "solve [us]");
    assert_eq!(result_of("N,ms,nodes\n1,2,3\n", &["N"]).unwrap(), "ms");
    assert_eq!(result_of("N,cost,host\n1,2,a17\n", &["N"]).unwrap(), "cost", "text is no result");
    assert_eq!(result_of("N,cost,load\n1,2,3\n", &["n"]).unwrap(), "load", "the formula is wrong");
    let message = result_of("N,cost,nodes,load\n1,2,3,4\n", &["N"]).unwrap_err().to_string();
    assert_eq!(
        message,
        "line 1: the column of the result is not known: it may be `cost`, `nodes` or `load`; none has a known name, such as `time`"
    );
    let message = result_of("N,P\n1,2\n", &["N", "P"]).unwrap_err().to_string();
    assert_eq!(message, "line 1: no column is left for the result: the formula uses `N` or `P`");
}

#[test]
fn units_are_those_of_the_header_or_the_users() {
    let times = |text: &str, unit: Option<&str>| {
        let options = ImportOptions { unit: unit.map(str::to_owned), ..ImportOptions::default() };
        let table = read(text, &options).unwrap();
        (table.groups[0].results[0], table.quantity)
    };
    for (header, expected) in [
        ("time [ms]", 2e-3),
        ("time (µs)", 2e-6),
        ("time_ns", 2e-9),
        ("time [s]", 2.0),
        ("elapsed_minutes", 120.0),
        ("ms", 2e-3),
        ("time", 2.0),
    ] {
        let (value, quantity) = times(&format!("N,{header}\n1,2\n"), None);
        assert!((value / expected - 1.0).abs() < 1e-12, "{header}: {value}");
        assert!(quantity.is_time(), "{header}");
    }
    assert_eq!(times("N,time\n1,2\n", None).1, ResultKind::Unknown);
    assert_eq!(times("N,time\n1,2\n", Some("us")).0, 2e-6);
    assert_eq!(times("N,time [ms]\n1,2\n", Some("s")).0, 2.0, "the user's word counts");
    assert_eq!(times("N,cost\n1,2\n", Some("cycles")), (2.0, ResultKind::Other("cycles".into())));
    assert_eq!(times("N,L2 [misses]\n1,2\n", None), (2.0, ResultKind::Other("misses".into())));
}

#[test]
fn headers_that_no_formula_can_hold_get_another_name() {
    let table = table("\"problem size\",mesh [KB],s->n,\"wall, time\"\n1,2,3,4\n");
    assert_eq!(columns(&table), (vec!["problem_size", "mesh", "s->n"], "wall, time"));
    let renamed: Vec<_> = table
        .renamed
        .iter()
        .map(|renamed| (renamed.header.as_str(), renamed.name.as_str()))
        .collect();
    assert_eq!(renamed, [("problem size", "problem_size"), ("mesh [KB]", "mesh")]);
}

#[test]
fn separators_line_ends_marks_and_encodings_of_other_programs() {
    let utf16 = |order: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}N,time\r\n1,2\r\n").encode_utf16().flat_map(order).collect()
    };
    for bytes in [
        b"N;time\r\n1;2\r\n".to_vec(),
        b"N\ttime\n1\t2".to_vec(),
        b"N|time\n1|2\n".to_vec(),
        b"N time\n1   2\n".to_vec(),
        b"N,time\r1,2\r".to_vec(),
        b"# from a plot\n# N time\n1 2\n".to_vec(),
        "\u{FEFF}N,time\n1,2\n".into(),
        b"# made\nN, time\n1, 2".to_vec(),
        utf16(u16::to_le_bytes, "\u{FEFF}"),
        utf16(u16::to_be_bytes, "\u{FEFF}"),
        utf16(u16::to_le_bytes, ""),
        utf16(u16::to_be_bytes, ""),
    ] {
        let table = only_table(csv(&bytes[..], &ImportOptions::default()))
            .unwrap_or_else(|e| panic!("{bytes:?}: {e}"));
        assert_eq!(columns(&table), (vec!["N"], "time"), "{bytes:?}");
        assert_eq!(rows(&table), [(&[1.0][..], &[2.0][..])], "{bytes:?}");
        assert!(text(bytes).unwrap().contains("time"));
    }
    let latin1 = only_table(csv(&b"N,time (\xB5s)\n1,2\n"[..], &ImportOptions::default())).unwrap();
    assert_eq!(latin1.groups[0].results, [2e-6]);
}

#[test]
fn jobs_that_did_not_complete_are_left_out() {
    let text = "N,elapsed,State\n1,1,COMPLETED\n2,7,TIMEOUT\n2,2,COMPLETED\n4,9,CANCELLED by 7\n";
    let completed = table(text);
    assert_eq!(rows(&completed), [(&[1.0][..], &[1.0][..]), (&[2.0], &[2.0])]);
    let [Remark::LeftOut(out)] = &completed.remarks[..] else { panic!("{:?}", completed.remarks) };
    assert_eq!(out.first, ["line 3: `State` is TIMEOUT", "line 5: `State` is CANCELLED by 7"]);
    assert!(error("N,elapsed,state\n1,1,FAILED\n2,2,FAILED\n").contains("`state` is FAILED"));
    // Of other words it is a column of text, and --by asks for the states.
    let states = table("N,elapsed,state\n1,1,warm\n2,2,cold\n");
    let [Remark::TextColumn { several: true, .. }] = &states.remarks[..] else {
        panic!("{:?}", states.remarks)
    };
    let options = ImportOptions { by: Some("State".to_owned()), ..ImportOptions::default() };
    let tables = csv(text.as_bytes(), &options).unwrap();
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["COMPLETED", "TIMEOUT", "CANCELLED by 7"]);
}

#[test]
fn rows_without_a_number_are_left_out_and_counted() {
    let table = table("N,time\nnan,1\n1,-1\n1,0\ninf,NaN\n0,1e999\n-3,1\n7,\n8,NA\n");
    assert_eq!(rows(&table), [(&[1.0][..], &[-1.0, 0.0][..]), (&[-3.0], &[1.0])]);
    let [Remark::LeftOut(out), Remark::NotPositive(low)] = &table.remarks[..] else {
        panic!("{:?}", table.remarks)
    };
    assert_eq!((out.count, out.more()), (5, 2));
    assert_eq!(out.first, ["line 2: `N` is NaN", "line 5: `time` is NaN", "line 6: `time` is inf"]);
    assert_eq!(
        low.first,
        ["line 3: `time` is a negative time", "line 4: `time` is a time of zero"]
    );
    assert_eq!(
        error("N,time\n1,\n2,nan\n"),
        "no row has a number in every column that is used, such as line 2: `time` is empty"
    );
    let counted =
        read("N,cycles\n1,0\n", &ImportOptions { unit: Some("cycles".into()), ..using(&["N"]) });
    assert_eq!(counted.unwrap().remarks, [], "a count may be zero");
}

#[test]
fn columns_of_text_are_ignored_where_no_formula_uses_them() {
    let table = read("host,N,time\na1,1,2\nb2,2,4\n", &using(&["N"])).unwrap();
    assert_eq!(columns(&table), (vec!["N"], "time"));
    assert_eq!(table.remarks, [Remark::TextColumn { header: "host".into(), several: true }]);
    let message = read("host,N,time\na1,1,2\n", &using(&["host"])).unwrap_err().to_string();
    assert_eq!(message, "line 2, column 1: `a1` is not a number (for `host`)");
}

#[test]
fn decimal_commas_are_read_where_they_are_certain() {
    let table = table("N;time\n1000;0,5\n2000;1,125\n");
    assert_eq!(rows(&table), [(&[1000.0][..], &[0.5][..]), (&[2000.0], &[1.125])]);
    assert_eq!(table.remarks, [Remark::DecimalComma("0,5".into())]);
    for (text, expected) in [
        (
            "N;time\n1;0,5\n2;1.5\n",
            "`0,5` and `1.5`: the decimal sign may be the comma or the point",
        ),
        ("N;time\n1;1,250\n2;2,500\n", "`1,250`: the comma may begin a fraction"),
        ("N;time\n1;1,000,00\n", "line 2, column 2: `1,000,00` is not a number"),
        (
            "N,time\n1,0,5\n",
            "line 2: 3 fields, and there are 2 columns; a comma cannot separate fields and begin fractions, too",
        ),
    ] {
        let message = error(text);
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
}

/// The first rows say how numbers are written: later ones may contradict them.
#[test]
fn a_late_number_with_the_other_decimal_sign_is_named_with_both() {
    for (first, late) in [("0,5", "1.5"), ("0.5", "1,5")] {
        let many = format!("1;{first}\n").repeat(2_000);
        let message = error(&format!("N;time\n{many}2;{late}\n"));
        let (comma, point) = if first.contains(',') { (first, late) } else { (late, first) };
        assert!(message.contains("line 2002, column 2"), "{message}");
        assert!(
            message.contains(&format!("`{comma}` and `{point}`: the decimal sign may be")),
            "{message}"
        );
    }
}

#[test]
fn what_cannot_be_used_is_named_with_its_place() {
    for (text, expected) in [
        ("", "the data are empty"),
        ("\n  \n", "the data are empty"),
        ("N,time\n", "line 1: there is no row"),
        ("N,time\n1,2\n3,x\n", "line 3, column 2: `x` is not a number (for `time`)"),
        ("N,time\n1,2,3\n", "line 2: 3 fields, and there are 2 columns"),
        ("N,time\n1\n", "line 2: 1 field, and there are 2 columns"),
        (
            "N,time,N\n1,2,3\n",
            "line 1, column 3: two columns are called `N`, the other is column 1",
        ),
        ("64,0.5\n128,1\n", "line 1, column 1: `64` is a number where a column's name is expected"),
        ("N,time\n1,0x10\n", "line 2, column 2: `0x10` is not a number"),
        ("N,time\n\"1\n2,3\n", "line 2: a quoted field does not end in its line"),
    ] {
        let message = error(text);
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
    for bytes in [&b"N,time\n\x00\x01,2\n"[..], b"\x1f\x8b\x08\x00\x00\x00,\n"] {
        let message = csv(bytes, &ImportOptions::default()).unwrap_err().to_string();
        assert!(message.contains("this is not text"), "{message}");
    }
    let message = csv(&b"N,time\n\xff\xfe,2\n"[..], &using(&["N"])).unwrap_err().to_string();
    assert!(message.starts_with("line 2, column 1: "), "{message}");
}

#[test]
fn all_rows_that_are_wrong_are_in_one_message() {
    let mut text = String::from("N,time\n1,2\n3,x\n4\n");
    assert_eq!(
        error(&text),
        "2 rows cannot be used:\n  line 3, column 2: `x` is not a number (for `time`)\n  line 4: 1 field, and there are 2 columns"
    );
    text += &"y,1\n".repeat(500);
    let message = error(&text);
    assert!(message.starts_with("502 rows cannot be used:\n"), "{message}");
    assert_eq!(message.lines().count(), 12);
    assert!(message.ends_with("\n  and 492 more"), "{message}");
}

#[test]
fn extrap_text_gives_a_table_for_each_region_and_metric() {
    let text = "# made by hand\nPARAMETER p\nPARAMETER n\n\nPOINTS (4 10) (8 10)(16   10)\nREGION main\n\
                METRIC time\nDATA 1 2\nDATA 3\nDATA 4 5\nMETRIC bytes\nDATA 7\nDATA 0\nDATA 9\nREGION main->solve\nMETRIC time_ms\nDATA 0\nDATA 1\nDATA nan 2\n";
    let tables = extrap(text, None).unwrap();
    let shape: Vec<_> =
        tables.iter().map(|(r, t)| (r.as_str(), t.result.as_str(), t.rows())).collect();
    assert_eq!(shape, [("main", "time", 5), ("main", "bytes", 3), ("main->solve", "time_ms", 3)]);
    assert_eq!(tables[0].1.variables, ["p", "n"]);
    assert_eq!(rows(&tables[0].1)[2], (&[16.0, 10.0][..], &[4.0, 5.0][..]));
    assert_eq!(tables[0].1.quantity, ResultKind::Unknown);
    assert_eq!(tables[1].1.quantity, ResultKind::Other("bytes".into()));
    assert_eq!(tables[1].1.remarks, [], "a count may be zero");
    assert_eq!(rows(&tables[2].1)[2], (&[16.0, 10.0][..], &[2e-3][..]));
    assert_eq!(tables[2].1.remarks.len(), 2);

    let bare =
        extrap("PARAMETER x\nPOINTS 1 2\nPOINTS 3\nDATA 1\nDATA 2\nDATA 3\n", Some("us")).unwrap();
    assert_eq!((bare[0].0.as_str(), bare[0].1.result.as_str(), bare[0].1.rows()), ("", "time", 3));
    assert_eq!(bare[0].1.groups[2].results, [3e-6]);

    for (text, expected) in [
        ("", "the data are empty"),
        ("PARAMETER x\n", "there are no DATA lines"),
        ("POINTS 1\n", "line 1: POINTS before any PARAMETER"),
        (
            "PARAMETER x y\nPOINTS (1 2) (3)\n",
            "line 2: 3 numbers are not whole points of 2 parameters",
        ),
        ("PARAMETER x\nPOINTS 1\nDATA 1\nDATA 2\n", "line 4: more DATA lines than the 1 POINTS"),
        (
            "PARAMETER x\nPOINTS 1 2\nREGION f\nDATA 1\n",
            "line 4: 1 DATA lines for 2 POINTS in region `f`",
        ),
        (
            "PARAMETER x\nPOINTS 1 2\nDATA 1\nMETRIC time\nDATA 1\n",
            "line 4: 1 DATA lines for 2 POINTS",
        ),
        ("PARAMETER x\nPOINTS 1\nDATA a\n", "line 3: `a` is not a number (for `DATA`)"),
        ("PARAMETER x\nPOINTS 1\nPARAMETER y\n", "line 3: PARAMETER after POINTS"),
        ("N,time\n1,2\n", "line 1: `N,time` is not one of PARAMETER"),
    ] {
        let message = extrap(text, None).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
}

proptest::proptest! {
    #[test]
    fn anything_is_read_or_refused(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400)) {
        let _ = csv(&bytes[..], &ImportOptions::default());
        if let Ok(text) = text(bytes) {
            let _ = extrap(&text, None);
        }
    }

    #[test]
    fn tables_of_any_words_are_read_or_refused(text in "[-0-9a-zN,;.\"\\[\\] \t\n#]{0,200}") {
        let _ = read(&text, &using(&["N"]));
    }
}
