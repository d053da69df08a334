//! Subsets, new columns, groups, marks, merging.

use crate::host::{Test, experiment, nlogn, powers, trace};

#[test]
fn a_subset_by_variables_and_by_samples() {
    let mut test = nlogn();
    test.run("open \"a.dat\"");
    assert_eq!(test.number("count(f)"), 55.0);
    assert_eq!(test.number("count(f where N > 4096)"), 20.0);
    assert_eq!(test.number("count(f where N in [64, 128] and sample == 0)"), 2.0);
    assert_eq!(test.number("count(f where not (N > 64))"), 5.0);
    let above = test.number("count(f where time > median(f.time))");
    assert_eq!(above, 27.0);
    assert_eq!(test.number("count(f where host == \"node1\" and place == \"prog.c:12\")"), 55.0);
    let answer = test.run("f where N > 1e9");
    assert!(
        answer.contains("no sample of f is left") && answer.contains("N = 64 to 65536"),
        "{answer}"
    );
}

#[test]
fn new_columns_are_variables_or_observed() {
    let mut test = nlogn();
    test.run("open \"a.dat\"");
    assert_eq!(test.number("max((f set bytes = 8*N*N).bytes)"), 8.0 * 65536.0 * 65536.0);
    let rate = test.run("g = f set rate = N/time\nprint unique(g.run) as csv\nmax(g.rate)");
    assert!(rate.contains("/s"), "{rate}");
    // A changed time is fitted as changed, and the model says so.
    test.run("h = f set time = 2*time");
    let twice = test.number("h(N = 1024)") / test.number("f(N = 1024)");
    assert!((twice - 2.0).abs() < 1e-6, "{twice}");
    let report = test.run("report (fit h)");
    assert!(report.contains("changed before the fit: time = 2*time"), "{report}");
    let wrong = test.run("f set host = 3");
    assert!(wrong.contains("says where samples come from"), "{wrong}");
}

#[test]
fn groups_have_statistics() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nt = group f by N");
    assert_eq!(test.number("count(t)"), 11.0);
    assert_eq!(test.number("sum(t.samples)"), 55.0);
    assert_eq!(test.number("count((group f by large = N > 4096))"), 2.0);
    let most = test.number("max((group f by sample).samples)");
    assert_eq!(most, 11.0);
    // One sample for each run and point.
    assert_eq!(test.number("count((group f by N, run to max))"), 11.0);
    let largest = test.number("value(max((group f by N to max).time)) / max(f.time)");
    assert_eq!(largest, 1.0);
    // A table is grouped, too.
    assert_eq!(test.number("count((group t by samples))"), 1.0);
}

#[test]
fn marks_are_seen_and_undone() {
    let time = |point: &[f64]| 1e-6 * point[0];
    let mut f = experiment("f", "f[0]+f[1]*N", &["N"], &powers(6, 12), 5, 0.0, time);
    f.cells[3].inclusive[2] *= 100.0;
    let mut test = Test::new([("a.dat", trace(vec![f], "node1"))]);
    test.run("open \"a.dat\"");
    let marked = test.run("mark f where time > 10*1e-6 s*N");
    assert_eq!(marked, "note: 1 sample of f is marked, 1 in all\n");
    assert_eq!(test.number("count(f.marked)"), 1.0);
    assert_eq!(test.number("count(f)"), 35.0);
    assert!(test.run("show f").contains("1 marked"));
    assert!(test.run("report (fit f)").contains("1 marked sample was left out"));
    assert!(
        (test.number("max((fit f with aggregate = mean).points.measured) / 1 s") - 4096e-6).abs()
            < 1e-12
    );
    test.run("unmark f");
    assert_eq!(test.number("count(f.marked)"), 0.0);
    assert!(
        test.number(
            "max(fit f.points.error)".replace("fit f", "(fit f with aggregate = mean)").as_str()
        ) > 0.5
    );
}

#[test]
fn samples_of_two_days_are_put_together() {
    let time = |point: &[f64]| 1e-6 * point[0];
    let experiment_of = |points| experiment("f", "f[0]+f[1]*N", &["N"], points, 3, 0.01, time);
    let days = [
        ("mon.dat", trace(vec![experiment_of(&powers(6, 9))], "node1")),
        ("tue.dat", trace(vec![experiment_of(&powers(8, 12))], "node2")),
    ];
    let mut test = Test::new(days);
    test.run("mon = open \"mon.dat\"\ntue = open \"tue.dat\"");
    test.run("tue = mark (tue.f where N == 4096)");
    test.run("both = merge mon.f, tue as f");
    assert_eq!(test.number("count(both)"), 27.0);
    assert_eq!(test.number("count(unique(both.host))"), 2.0);
    assert_eq!(test.number("count(both.marked)"), 3.0);
    assert_eq!(test.number("count(both where host == \"node2\")"), 15.0);
    assert_eq!(test.number("count((fit both).points.N)"), 6.0);
}

#[test]
fn a_table_of_notes_is_joined() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nt = group f by N\nnotes = t set clock = if N > 4096 then 2 else 3");
    // The statistics that the table has, too, are observed beside the time.
    let joined = test.run("g = join f, notes by N\nunique(g.clock)");
    assert!(joined.contains('2') && joined.contains('3'), "{joined}");
    let wrong = test.run("join f, notes by M");
    assert!(wrong.contains("the table has no column `M`"), "{wrong}");
}
