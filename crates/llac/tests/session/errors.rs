//! Wrong statements: what is said, and about what.

use expect_test::expect;

use crate::host::nlogn;

#[test]
fn messages_name_the_part_and_what_to_do() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nm = fit f\nphi(N) = if N <= 64 then m(N = N) else phi(N/2) + g(N)");
    let statements = [
        "mm(N = 3)",
        "f where M > 3",
        "m(N = 3) + 1",
        "m(N = 3) + 3 B",
        "m(M = 3)",
        "m()",
        "phi(128)",
        "phi(1, 2)",
        "1/0",
        "log(5 s)",
        "[1, 2] + [1, 2, 3]",
        "1:2:-1",
        "1:8:*1",
        "f.tiem",
        "m.constants[99]",
        "m[7]",
        "3 where x > 1",
        "if 3 then 1 else 2",
        "open \"b.dat\"",
        "open 3",
        "plot 3 by N",
        "predict 3 at N = 2",
        "group f by M",
        "print m(N = 64) as xml",
        "max()",
        "quantile(f.time, 2)",
        "median([])",
        "forget g",
        "x = help fit",
        "log",
        "fit 3",
        "compare 3",
        "merge f, 3",
        "f at N = 3",
    ];
    let mut out = String::new();
    for statement in statements {
        out.push_str(&format!("> {statement}\n{}", test.run(statement)));
    }
    let expected = expect![[r#""#]];
    expected.assert_eq(&out);
}
