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
    let expected = expect![[r#"
        > mm(N = 3)
        error[L130]: there is no `mm`
          at `mm`
          help: did you mean `m`?
        > f where M > 3
        error[L130]: there is no `M`
          at `M`
          help: did you mean `N`?
        > m(N = 3) + 1
        error[L115]: `s` and a number without a unit cannot be added
          at `m(N = 3) + 1`
          help: a number may have a unit, such as `2e-6 s`
        > m(N = 3) + 3 B
        error[L115]: `s` and `B` cannot be added
          at `m(N = 3) + 3 B`
        > m(M = 3)
        error[L136]: f: it has no variable M: did you mean N?
          at `m(M = 3)`
        > m()
        error[L136]: f: it needs N
          at `m()`
        > phi(128)
        error[L130]: there is no `g`
          at `phi(128)`
          help: did you mean `f`?
          help: in phi(N = 128): `g`
        > phi(1, 2)
        error[L135]: `phi` takes 1 argument
          at `phi(1, 2)`
          help: it is phi(N)
        > 1/0
        error[L113]: this divides by zero
          at `1/0`
        > log(5 s)
        error[L115]: `log` takes a number without a unit, not `s`
          at `log(5 s)`
          help: divide by the unit first, such as `log(time / 1 s)`
        > [1, 2] + [1, 2, 3]
        error[L112]: one side has 2 values, the other 3
          at `[1, 2] + [1, 2, 3]`
        > 1:2:-1
        error[L123]: this range never reaches its end
          at `1:2:-1`
        > 1:8:*1
        error[L123]: this range never reaches its end
          at `1:8:*1`
        > f.tiem
        error[L131]: samples have no `tiem`
          at `tiem`
          help: did you mean time?
        > m.constants[99]
        error[L133]: there is no element 99: it has 2, from 0
          at `m.constants[99]`
        > m[7]
        error[L133]: there is no constant f[7]: there are f[0], f[1]
          at `m[7]`
        > 3 where x > 1
        error[L151]: `where` takes samples or a table, not a number
          at `3 where x > 1`
        > if 3 then 1 else 2
        error[L121]: a condition is true or false, not a number
          at `3`
          help: such as `P == 1`
        > open "b.dat"
        error[L180]: cannot read b.dat: no such file or directory
          at `open "b.dat"`
        > open 3
        error[L172]: `open` takes names of files, not a number
          at `3`
          help: such as `open "fft.cll.1.dat"`
        > plot 3 by N
        error[L177]: a number cannot be drawn by N
          at `3`
        > predict 3 at N = 2
        error[L176]: `predict` takes a model, not a number
          at `3`
        > group f by M
        error[L130]: there is no `M`
          at `M`
          help: did you mean `N`?
        > print m(N = 64) as xml
        error[L163]: `as` takes one of text, csv, json
          at `xml`
        > max()
        error[L135]: `max` takes: x, … or a column
          at `max()`
        > quantile(f.time, 2)
        error[L139]: a share is from 0 to 1, not 2
          at `quantile(f.time, 2)`
        > median([])
        error[L139]: there are no values
          at `median([])`
        > forget g
        error[L130]: there is no `g`
          at `g`
          help: did you mean `f`?
        > x = help fit
        error[L169]: `help` is a statement and has no value
          at `help fit`
          help: write it on a line of its own
        > log
        error[L130]: `log` is a function
          at `log`
          help: call it: `log(…)`
        > fit 3
        error[L167]: `fit` takes samples, not a number
          at `3`
        > compare 3
        error[L178]: a number is no model
          at `3`
          help: models, functions and experiments are compared
        > merge f, 3
        error[L167]: this must be samples, and is a number
          at `3`
        > f at N = 3
        error[L011]: `at` belongs to a verb
    "#]];
    expected.assert_eq(&out);
}

#[test]
fn calls_with_wrong_arguments_name_what_is_wrong() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nm = fit f\nx = 3\nnone() = 4\ntwo(a, b) = a + b");
    let statements = [
        "x(1)",
        "\"text\"()",
        "two(1)",
        "two(1, 2, 3)",
        "none(1)",
        "two(1, c = 2)",
        "two(1, a = 2)",
        "two([1, 2], [1, 2, 3])",
        "m(64, 128)",
        "m(N = 64, N = 128)",
        "m(64, N = 128)",
        "m(N = \"large\")",
    ];
    let mut out = String::new();
    for statement in statements {
        out.push_str(&format!("> {statement}\n{}", test.run(statement)));
    }
    let expected = expect![[r#"
        > x(1)
        error[L134]: a number is not called
          at `x(1)`
          help: functions, models and experiments are
        > "text"()
        error[L134]: a text is not called
          at `"text"()`
          help: functions, models and experiments are
        > two(1)
        error[L135]: `two` needs `b`
          at `two(1)`
          help: it is two(a, b)
        > two(1, 2, 3)
        error[L135]: `two` takes 2 arguments
          at `two(1, 2, 3)`
          help: it is two(a, b)
        > none(1)
        error[L135]: `none` takes no arguments
          at `none(1)`
          help: it is none()
        > two(1, c = 2)
        error[L135]: `two` has no parameter `c`
          at `c`
          help: it is two(a, b)
        > two(1, a = 2)
        error[L135]: `a` is given twice
          at `two(1, a = 2)`
        > two([1, 2], [1, 2, 3])
        error[L112]: the arguments have different lengths
          at `two([1, 2], [1, 2, 3])`
        > m(64, 128)
        error[L138]: it takes 1 argument
          at `m(64, 128)`
          help: its variables: N
        > m(N = 64, N = 128)
        error[L138]: `N` is given twice
          at `m(N = 64, N = 128)`
        > m(64, N = 128)
        error[L138]: `N` is given twice
          at `m(64, N = 128)`
        > m(N = "large")
        error[L138]: an argument is a number, not a text
          at `m(N = "large")`
    "#]];
    expected.assert_eq(&out);
}
