//! Tables as pandas, R, spreadsheets, shells and batch systems write them: each is read right, or refused for what it is.

use cll_import::{Decimal, ImportOptions, ResultKind, csv};

/// A table and what is in it.
struct Written {
    what: &'static str,
    text: &'static str,
    /// The variables of the formula; empty for a search.
    used: &'static [&'static str],
    options: fn(&mut ImportOptions),
    expected: Result<Expected, &'static str>,
}

/// Result, unit, variables, and the first and last row.
struct Expected {
    result: &'static str,
    unit: &'static str,
    variables: &'static [&'static str],
    first: (&'static [f64], f64),
    last: (&'static [f64], f64),
}

const N: &[&str] = &["N"];
const SEARCH: &[&str] = &[];

fn plain(_: &mut ImportOptions) {}

/// A table of N and a result.
const fn over_n(
    result: &'static str,
    unit: &'static str,
    first: (&'static [f64], f64),
    last: (&'static [f64], f64),
) -> Result<Expected, &'static str> {
    Ok(Expected { result, unit, variables: N, first, last })
}

const fn written(
    what: &'static str,
    text: &'static str,
    used: &'static [&'static str],
    expected: Result<Expected, &'static str>,
) -> Written {
    Written { what, text, used, options: plain, expected }
}

const fn with(options: fn(&mut ImportOptions), table: Written) -> Written {
    Written { options, ..table }
}

const TABLES: &[Written] = &[
    written(
        "pandas, with its index",
        ",N,time\n0,100,0.5\n1,200,1.25\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, an index that was read and written again",
        ",Unnamed: 0,N,time\n0,0,100,0.5\n1,1,200,1.25\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, describe() of groups",
        "N,count,mean,std,min,25%,50%,75%,max\n100,5.0,0.52,0.02,0.49,0.5,0.51,0.53,0.6\n200,5.0,1.3,0.1,1.1,1.2,1.25,1.3,1.5\n",
        N,
        over_n("50%", "?", (&[100.0], 0.51), (&[200.0], 1.25)),
    ),
    written(
        "pandas, the same for a search",
        "N,count,mean,std,min,25%,50%,75%,max\n100,5.0,0.52,0.02,0.49,0.5,0.51,0.53,0.6\n200,5.0,1.3,0.1,1.1,1.2,1.25,1.3,1.5\n",
        SEARCH,
        over_n("50%", "?", (&[100.0], 0.51), (&[200.0], 1.25)),
    ),
    written(
        "pandas, agg of groups",
        "N,mean,std\n100,0.5,0.02\n200,1.25,0.1\n",
        SEARCH,
        over_n("mean", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, names in two lines and the index below",
        ",time,time\n,mean,std\nN,,\n100,0.5,0.02\n200,1.25,0.1\n",
        SEARCH,
        over_n("time_mean", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, names in two lines without an index",
        "N,time,time\n,median,max\n100,0.5,0.6\n200,1.25,1.5\n",
        N,
        over_n("time_median", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, to_string()",
        "     N  time\n0  100  0.50\n1  200  1.25\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, missing numbers",
        "N,time\n100,0.5\n150,\n200,1.25\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, a time delta",
        "N,elapsed\n100,0 days 00:00:00.500000\n200,0 days 00:00:01.250000\n",
        N,
        over_n("elapsed", "s", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "pandas, a pivot table",
        "N,1,2\n100,0.5,0.3\n200,1.25,0.7\n",
        N,
        Err("line 1, column 2: `1` is a number where a column's name is expected"),
    ),
    written(
        "R, write.csv",
        "\"\",\"N\",\"time\"\n\"1\",100,0.5\n\"2\",200,1.25\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "R, write.table",
        "\"N\" \"time\"\n\"1\" 100 0.5\n\"2\" 200 1.25\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "R, write.table without quotes, with tabs",
        "N\ttime\n1\t100\t0.5\n2\t200\t1.25\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "R, write.csv2",
        "\"\";\"N\";\"time\"\n\"1\";100;0,5\n\"2\";200;1,25\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "R, missing values",
        "\"N\",\"time\"\n100,0.5\n150,NA\n200,1.25\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "Excel, with the separator",
        "sep=;\r\nN;time [ms]\r\n100;0,5\r\n200;1,25\r\n",
        N,
        over_n("time [ms]", "ms", (&[100.0], 0.5e-3), (&[200.0], 1.25e-3)),
    ),
    written(
        "Excel, a separator behind the last column and empty rows",
        "N,time,\n100,0.5,\n200,1.25,\n,,\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "Excel, a separator behind the rows only",
        "N,time\n100,0.5,\n200,1.25,\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "Excel, thousands in quotes",
        "N,time\n\"1,000\",0.5\n\"2,000\",1.25\n",
        SEARCH,
        over_n("time", "?", (&[1000.0], 0.5), (&[2000.0], 1.25)),
    ),
    written(
        "Excel, errors of formulas",
        "N,time,ratio\n100,0.5,#DIV/0!\n200,1.25,#N/A\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "German Excel, points between thousands",
        "N;Zeit [s]\n1.000;0,5\n2.000;1.001,25\n",
        N,
        over_n("Zeit [s]", "s", (&[1000.0], 0.5), (&[2000.0], 1001.25)),
    ),
    written(
        "German Excel, three digits in all fractions",
        "N;time\n100;5,000\n200;7,125\n",
        N,
        Err("`5,000`: the comma may begin a fraction or separate thousands"),
    ),
    with(
        |options| options.decimal = Some(Decimal::Comma),
        written(
            "the same with the decimal sign",
            "N;time\n100;5,000\n200;7,125\n",
            N,
            over_n("time", "?", (&[100.0], 5.0), (&[200.0], 7.125)),
        ),
    ),
    with(
        |options| options.decimal = Some(Decimal::Point),
        written(
            "the same with the other one",
            "N;time\n100;5,000\n200;7,125\n",
            N,
            over_n("time", "?", (&[100.0], 5000.0), (&[200.0], 7125.0)),
        ),
    ),
    written(
        "French LibreOffice, spaces between thousands",
        "N;temps\n1\u{202f}000;0,5\n2\u{a0}000;1,25\n",
        N,
        over_n("temps", "?", (&[1000.0], 0.5), (&[2000.0], 1.25)),
    ),
    written(
        "Swiss Excel, apostrophes between thousands",
        "N;time\n1'000;0.5\n2'000;1.25\n",
        N,
        over_n("time", "?", (&[1000.0], 0.5), (&[2000.0], 1.25)),
    ),
    written(
        "LibreOffice, decimal commas in quotes",
        "N,time\n100,\"0,5\"\n200,\"1,25\"\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "decimal commas without quotes",
        "N,time\n1,0,5\n",
        N,
        Err("line 2: 3 fields, and there are 2 columns"),
    ),
    written(
        "Python, digits in groups",
        "N,time\n1_000,0.5\n1_000_000,1.25\n",
        N,
        over_n("time", "?", (&[1000.0], 0.5), (&[1e6], 1.25)),
    ),
    written(
        "Fortran, exponents with D",
        "N time\n100 5.0D-1\n200 1.25D+0\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "a shell's time",
        "N,real,user,sys\n100,0m0.500s,0m0.400s,0m0.1s\n200,0m1.250s,0m1.1s,0m0.1s\n",
        SEARCH,
        over_n("real", "s", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "GNU time's clock",
        "N,elapsed\n100,0:00.50\n200,1:01.25\n",
        N,
        over_n("elapsed", "s", (&[100.0], 0.5), (&[200.0], 61.25)),
    ),
    written(
        "sacct, with its states",
        "JobID|Elapsed|State|N|\n7_1|00:09:12|COMPLETED|100|\n7_2|1-00:12:00|COMPLETED|200|\n",
        N,
        over_n("Elapsed", "s", (&[100.0], 552.0), (&[200.0], 87120.0)),
    ),
    written(
        "units in the cells",
        "N,solve\n100,500 us\n200,1.25 ms\n",
        N,
        over_n("solve", "s", (&[100.0], 500e-6), (&[200.0], 1.25e-3)),
    ),
    written(
        "sizes with multipliers",
        "N,time\n4k,0.5\n1M,1.25\n",
        SEARCH,
        over_n("time", "?", (&[4000.0], 0.5), (&[1e6], 1.25)),
    ),
    written(
        "shares in percent",
        "N,efficiency\n100,99.7%\n200,98%\n",
        SEARCH,
        over_n("efficiency", "efficiency", (&[100.0], 99.7), (&[200.0], 98.0)),
    ),
    written(
        "counts",
        "N,flops\n100,2000\n200,16000\n",
        SEARCH,
        over_n("flops", "flops", (&[100.0], 2000.0), (&[200.0], 16000.0)),
    ),
    written(
        "rates",
        "N,GB/s\n100,2.5\n200,2.75\n",
        N,
        over_n("GB/s", "GB/s", (&[100.0], 2.5), (&[200.0], 2.75)),
    ),
    written(
        "memory",
        "N,memory_mb\n100,2.5\n200,2.75\n",
        N,
        over_n("memory_mb", "memory_mb", (&[100.0], 2.5), (&[200.0], 2.75)),
    ),
    written(
        "extremes without a mean",
        "N,min,max\n100,0.5,0.6\n200,1.25,1.5\n",
        SEARCH,
        Err("line 1: the column of the result is not known: it may be `N`, `min` or `max`"),
    ),
    written(
        "JUBE's statistics",
        "number,number_pat_min,number_pat_max,number_pat_avg\n1,1,3,2\n2,2,4,3\n",
        SEARCH,
        Ok(Expected {
            result: "number_pat_avg",
            unit: "?",
            variables: &["number"],
            first: (&[1.0], 2.0),
            last: (&[2.0], 3.0),
        }),
    ),
    written(
        "percentiles with a unit",
        "N,p50_ms,p99_ms\n100,0.5,0.6\n200,1.25,1.5\n",
        SEARCH,
        over_n("p50_ms", "ms", (&[100.0], 0.5e-3), (&[200.0], 1.25e-3)),
    ),
    written(
        "the least time",
        "N,time_min,time_mean\n100,0.4,0.5\n200,1.0,1.25\n",
        N,
        over_n("time_mean", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "minutes in brackets",
        "N,time [min]\n100,0.5\n200,1.25\n",
        N,
        over_n("time [min]", "min", (&[100.0], 30.0), (&[200.0], 75.0)),
    ),
    written(
        "a note beside some rows",
        "N,time,note\n100,0.5,null\n150,0.75,3\n200,1.25,see 5.b\n",
        N,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "a column without a value",
        "name,N,time,error_message\nf,100,0.5,\nf,200,1.25,\n",
        SEARCH,
        over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "one name for all repetitions",
        "N,time,time\n100,0.5,0.5\n200,1.25,1.25\n",
        SEARCH,
        over_n("time … time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
    ),
    written(
        "names in the first column",
        "nodes,1,2,4\nn,1000,1000,1000\nruntime[s],13.5,7.5,4.5\n",
        SEARCH,
        Ok(Expected {
            result: "runtime[s]",
            unit: "s",
            variables: &["nodes", "n"],
            first: (&[1.0, 1000.0], 13.5),
            last: (&[4.0, 1000.0], 4.5),
        }),
    ),
    written(
        "names in the first column, drawn",
        "scaling:\n|      nodes |     1 |     2 |\n| runtime[s] |  13.5 |   7.5 |\n",
        &["nodes"],
        Ok(Expected {
            result: "runtime[s]",
            unit: "s",
            variables: &["nodes"],
            first: (&[1.0], 13.5),
            last: (&[2.0], 7.5),
        }),
    ),
    written(
        "a line that another program cut",
        "N,time\n100,0.5\n150,0.7200,0.9\n",
        N,
        Err("line 3: 3 fields, and there are 2 columns"),
    ),
    with(
        |options| options.skip_bad = true,
        written(
            "the same, left out",
            "N,time\n100,0.5\n150,0.7200,0.9\n200,1.25\n",
            N,
            over_n("time", "?", (&[100.0], 0.5), (&[200.0], 1.25)),
        ),
    ),
];

#[test]
fn tables_of_others_are_read_right_or_refused_for_what_they_are() {
    let mut wrong = Vec::new();
    for table in TABLES {
        let used = table.used.iter().map(|&name| name.to_owned()).collect();
        let mut options = ImportOptions { used, ..ImportOptions::default() };
        (table.options)(&mut options);
        let imported = csv(table.text.as_bytes(), &options);
        if let Some(why) = difference(imported, &table.expected) {
            wrong.push(format!("{}: {why}", table.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How a table differs from what is in it.
fn difference(
    actual: Result<Vec<(String, cll_import::Table)>, cll_import::ImportError>,
    expected: &Result<Expected, &str>,
) -> Option<String> {
    match (actual, expected) {
        (Err(error), Err(start)) => {
            (!error.to_string().starts_with(start)).then(|| error.to_string())
        }
        (Err(error), Ok(_)) => Some(error.to_string()),
        (Ok(tables), Err(_)) => Some(format!("is read: {:?}", tables[0].1)),
        (Ok(tables), Ok(expected)) => {
            let table = &tables[0].1;
            let unit = match &table.quantity {
                ResultKind::Time { unit, .. } => unit,
                ResultKind::Other(unit) => unit.as_str(),
                ResultKind::Unknown => "?",
            };
            let row = |index: usize, (values, result): (&[f64], f64)| {
                let group = &table.groups[index];
                let is_near = (group.results[0] / result - 1.0).abs() < 1e-12;
                group.values == values && is_near
            };
            let is_right = tables.len() == 1
                && table.result == expected.result
                && unit == expected.unit
                && table.variables == expected.variables
                && row(0, expected.first)
                && row(table.groups.len() - 1, expected.last);
            (!is_right).then(|| format!("{table:?}"))
        }
    }
}

#[test]
fn what_was_taken_for_what_is_said() {
    let notes = |text: &str| {
        let tables = csv(text.as_bytes(), &ImportOptions::default()).unwrap();
        format!("{:?}", tables[0].1.remarks)
    };
    for (text, expected) in [
        ("N,mean,std\n1,2,3\n", "the result is `mean`, a statistic of repetitions"),
        ("N,mean,std\n1,2,3\n", "column `std` is a statistic: it is no variable"),
        ("N,time,min,max\n1,2,3,4\n", "columns `min`, `max` are statistics: they are no variables"),
        ("N,time,user,sys\n1,2,3,4\n", "columns `user`, `sys` are times, too"),
        ("N,cost\n1,2\n", "the last column `cost` is the result"),
        (",N,time\n0,1,2\n", "column 1 has no name"),
        ("N,time,x\n1,2,\n", "column `x` is empty"),
        ("N,time\n\"1,000\",2\n", "commas separate thousands: `1,000`"),
        ("N,elapsed\n1,1:30\n", "times such as `1:30` are minutes and seconds"),
        (",time,time\n,mean,std\nN,,\n1,2,3\n", "the names of the columns stand in 2 lines"),
    ] {
        let remarks = notes(text);
        assert!(remarks.contains(expected), "{text:?}: {remarks}");
    }
    let quiet = notes("N,time\n1,2\n");
    assert_eq!(quiet, "[]");
}

#[test]
fn units_that_change_in_a_column_are_refused() {
    let error =
        |text: &str| csv(text.as_bytes(), &ImportOptions::default()).unwrap_err().to_string();
    assert_eq!(
        error("N,time\n1,5 ms\n2,6\n"),
        "line 3, column 2: `6` has another unit than the cells above it (for `time`)"
    );
    assert!(error("N,share\n1,50%\n2,0.6\n").contains("has another unit"));
    assert!(csv(&b"N,time [ms]\n1,5 ms\n2,6\n3,0\n"[..], &ImportOptions::default()).is_ok());
}

#[test]
fn a_comma_far_down_is_no_silent_thousand() {
    let mut text = String::from("N;time\n");
    (1..=1500).for_each(|row| text.push_str(&format!("{row};{row}\n")));
    let error = |last: &str| {
        let text = format!("{text}{last}");
        csv(text.as_bytes(), &ImportOptions::default()).unwrap_err().to_string()
    };
    assert!(error("1501;1,250\n").contains("line 1502, column 2: `1,250`: the comma may begin"));
    assert!(error("1501;0,5\n").contains("line 1502, column 2: `0,5`"));
}

#[test]
fn thousands_of_columns_are_read_in_a_moment() {
    const COLUMNS: usize = 20_000;
    let names: Vec<String> = (0..COLUMNS).map(|index| format!("x{index}")).collect();
    let values = vec!["1"; COLUMNS].join(",");
    let text = format!("N,time,{}\n100,0.5,{values}\n200,1.25,{values}\n", names.join(","));
    let options = ImportOptions { used: vec!["N".into()], ..ImportOptions::default() };
    let tables = csv(text.as_bytes(), &options).unwrap();
    assert_eq!(tables[0].1.variables.len(), COLUMNS + 1);
}
