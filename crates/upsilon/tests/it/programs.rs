//! Proposals for programs.

use cll_upsilon::{By, Passage, confirm};

use crate::support::{proposed, sets, sets_of, source, times, wanted};

#[test]
fn table_1_of_the_paper() {
    let text = source("examples/matrix_init/matrix_init.c");
    assert_eq!(
        sets_of(&text, "columns"),
        [
            "columns[0]: j = 0",
            "columns[1]: j < N | j++ | i = 0",
            "columns[2]: i < N | i++ | a[(size_t)i * N + j] = 0",
        ]
    );
    assert_eq!(
        sets_of(&text, "rows")[1..],
        ["rows[1]: i < N | i++ | j = 0", "rows[2]: j < N | j++ | a[(size_t)i * N + j] = 0"]
    );
}

#[test]
fn the_matrix_product() {
    let text = source("examples/matrix_product/matrix_product.c");
    assert_eq!(
        sets_of(&text, "product"),
        [
            "product[0]: i = 0",
            "product[1]: i < N | i++ | j = 0",
            "product[2]: j < N | j++ | double sum = 0 | k = 0 | c[(size_t)i * N + j] = sum",
            "product[3]: k < N | k++ | sum += a[(size_t)i * N + k] * b[(size_t)k * N + j]",
        ]
    );
}

#[test]
fn a_recursion_is_followed() {
    let text = source("examples/fft/sequential.c");
    let all = proposed(&text);
    let full_run = all.iter().find(|experiment| experiment.name == "G").unwrap();
    let lines = sets(full_run);
    assert!(lines[0].contains("seqDandCFFT(A, a, W, N, 1)"), "{lines:#?}");
    assert!(
        lines[1].contains("k < n | k++") && lines[1].contains("t.re = w.re * c.re"),
        "{lines:#?}"
    );
    // What is done once for each node of the recursion grows as N, which the formula does not have.
    assert!(lines[2].contains("grows as N: the formula has no such term"), "{lines:#?}");
    assert_eq!(times(full_run, "A[k].re = b.re + t.re"), "0.721*N*log(N)");
    let part = all.iter().find(|experiment| experiment.name == "F").unwrap();
    assert_eq!(times(part, "A[k].re = b.re + t.re"), "n");
}

#[test]
fn triangular_loops() {
    let text = source("crates/upsilon/tests/programs/triangle.c");
    let all = proposed(&text);
    assert_eq!(
        sets(&all[0]),
        [
            "pairs[0]: i = 0",
            "pairs[1]: i < n | i++ | double own = x[i] | j = i + 1",
            "pairs[2]: j < n | j++ | sum += own * x[j]",
        ]
    );
    assert_eq!(times(&all[0], "sum += own * x[j]"), "0.5*n*n - 0.5*n");
    assert_eq!(
        sets(&all[1]),
        [
            "solve[0]: int i = 0",
            "solve[1]: i < n | i++ | x[i] = b[i] | int k = 0 | x[i] /= a[i * n + i]",
            "solve[2]: k < i | x[i] -= a[i * n + k] * x[k] | k++",
        ]
    );
}

#[test]
fn functions_are_followed_into() {
    let text = source("crates/upsilon/tests/programs/calls.c");
    let all = proposed(&text);
    assert_eq!(
        sets(&all[0]),
        [
            "smooth[0]: int row = 0",
            "smooth[1]: column = 0 | memcpy(g->cell + row * g->columns, to, sizeof *to * g->columns) | \
             row < g->rows | row++ | smooth_row(g, row, to)",
            "smooth[2]: return 1.0 / (1 + k * k) | double sum = 0 | int k = 0 | k < POINTS | k++ | \
             sum += weight(k) * g->cell[(row * g->columns + column + k) % g->columns] | return sum | \
             column < g->columns | column++ | to[column] = smoothed(g, row, column)",
        ]
    );
    assert_eq!(times(&all[0], "return 1.0 / (1 + k * k)"), "5*g->rows*g->columns");
    assert!(
        all[0].notes[0].starts_with("memcpy is no function of this file"),
        "{:?}",
        all[0].notes
    );
}

#[test]
fn loops_that_halve() {
    let text = source("crates/upsilon/tests/programs/halving.c");
    let all = proposed(&text);
    let search = sets(&all[0]);
    assert_eq!(search[0], "search[0]: ");
    assert_eq!(
        search[1],
        "search[1]: length > 1 | int half = length / 2 | a[low + half] <= wanted | low += half | length -= half"
    );
    assert_eq!(times(&all[0], "low += half"), "at most log2(n)");
    let halves = sets(&all[1]);
    assert_eq!(halves[1], "halves[1]: n /= 2 | k = 0 | n > 1");
    assert_eq!(halves[2], "halves[2]: k < n | k++ | x[k] += x[k + n]");
    // Nothing says how often this one runs.
    let gcd = sets(&all[2]);
    assert!(gcd[2].contains("a = b (how often the loop at line 32 runs is not known)"), "{gcd:#?}");
}

/// Text around a body, as an experiment `f` of `n`.
fn body(formula: &str, text: &str) -> String {
    format!(
        "void g(double *a, int n, int m)\n{{\n#pragma cll f {formula}\n{text}\n#pragma cll end f\n}}\n"
    )
}

#[test]
fn what_is_known_before_the_region_counts() {
    let text = "void g(double *a, int n)\n{\n    int half = n / 2, i;\n    double *p = a;\n#pragma cll f f[0] + \
                f[1]*n\n    for (i = 0; i < half; i++)\n        *p++ = 0;\n#pragma cll end f\n}\n";
    let all = proposed(text);
    assert_eq!(times(&all[0], "*p++ = 0"), "0.5*n");
}

#[test]
fn conditions_on_data_give_bounds() {
    let text = body(
        "f[0] + f[1]*n",
        "int i;\nfor (i = 0; i < n; i++) {\n if (a[i] < 0)\n a[i] = 0;\n else if (a[i] > 9) break;\n}",
    );
    let all = proposed(&text);
    assert_eq!(times(&all[0], "a[i] = 0"), "at most n");
    assert_eq!(times(&all[0], "a[i] < 0"), "at most n");
    let sorted = body("f[0] + f[1]*n", "while (a[0] > a[1]) {\n a[0] /= 2;\n}\nn = 3;");
    let lines = sets_of(&sorted, "f");
    assert_eq!(lines[0], "f[0]: n = 3");
    assert!(lines[2].contains("a[0] /= 2 (the loop at line 4 depends on `a`"), "{lines:#?}");
}

#[test]
fn loops_without_an_end_are_no_hang() {
    for text in [
        "for (;;)\n a[0] = 1;",
        "while (1) {\n if (a[0])\n  break;\n a[1]++;\n}",
        "while (n > 0)\n m++;",
        "again:\n a[0]++;\nif (a[0] < 3)\n goto again;",
        "do {} while (n);",
    ] {
        let text = body("f[0] + f[1]*n", text);
        let all = proposed(&text);
        let is_known = |candidate: &cll_upsilon::Statement| !candidate.constants.is_empty();
        let inner = all[0]
            .statements
            .iter()
            .filter(|statement| statement.line > 4 && statement.text.starts_with('a'));
        assert!(inner.clone().all(|one| !is_known(one)), "{text}: {:#?}", all[0]);
    }
}

#[test]
fn a_recursion_on_data_is_not_known() {
    let text = "static int split(int *a, int low, int high)\n{\n    int i, k = low;\n    for (i = low; i < high; i++)\n\
                        if (a[i] < a[high])\n            k++;\n    return k;\n}\n\
                static void sort(int *a, int low, int high)\n{\n    if (low < high) {\n        int k = split(a, low, high);\n\
                        sort(a, low, k - 1);\n        sort(a, k + 1, high);\n    }\n}\n\
                void f(int *a, int n)\n{\n#pragma cll sort sort[0]*n*log(n) + sort[1]\n    sort(a, 0, n - 1);\n\
                #pragma cll end sort\n}\n";
    let all = proposed(text);
    let call =
        all[0].statements.iter().find(|statement| statement.text == "sort(a, 0, n - 1)").unwrap();
    assert_eq!(call.constants, ["sort[1]"]);
    let inner =
        all[0].statements.iter().find(|statement| statement.text == "sort(a, low, k - 1)").unwrap();
    assert!(inner.constants.is_empty() && inner.note.contains("calls itself"), "{inner:?}");
}

/// A sort in two functions; `ends` is how its recursion ends.
fn sorted(ends: (&str, &str)) -> String {
    format!(
        "static int split(int *a, int low, int high)\n{{\n    int i, k = low;\n    for (i = low; i < high; i++)\n\
                     if (a[i] < a[high])\n            k++;\n    return k;\n}}\n\
             static int half(int x)\n{{\n    return x / 2;\n}}\n\
             static void sort(int *a, int low, int high)\n{{\n    {}\n        int k = split(a, low, high);\n\
                     sort(a, low, k - 1);\n        sort(a, k + 1, high);\n    {}\n}}\n\
             void f(int *a, int n)\n{{\n#pragma cll sort sort[0]*n*log(n) + sort[1]\n    a[0] = half(n);\n    sort(a, 0, n - 1);\n\
             #pragma cll end sort\n}}\n",
        ends.0, ends.1
    )
}

#[test]
fn what_a_recursion_on_data_calls_is_not_known() {
    for ends in [("if (low < high) {", "}"), ("if (low >= high) return;", "")] {
        let all = proposed(&sorted(ends));
        assert!(all[0].notes.is_empty(), "{:?}", all[0].notes);
        let statement_of =
            |text: &str| all[0].statements.iter().find(|statement| statement.text == text).unwrap();
        for inner in ["int i, k = low", "i = low", "k++", "return k", "sort(a, low, k - 1)"] {
            let inner = statement_of(inner);
            assert!(inner.constants.is_empty() && inner.times.is_empty(), "{ends:?}: {inner:?}");
            assert!(inner.note.contains("not known"), "{ends:?}: {inner:?}");
        }
        // Functions that the recursion does not call are counted.
        assert_eq!(statement_of("return x / 2").constants, ["sort[1]"]);
        assert_eq!(statement_of("sort(a, 0, n - 1)").constants, ["sort[1]"]);
    }
}

#[test]
fn counts_say_what_nesting_gives_up() {
    let text = "static void down(int n)\n{\n    if (n != -1)\n        down(n + 1);\n}\nvoid g(int n)\n{\n\
                #pragma cll f f[0] + f[1]*n\n    down(n);\n#pragma cll end f\n}\n";
    let mut all = proposed(text);
    let wanted = wanted(text);
    let lines: Vec<usize> = all[0].statements.iter().map(|statement| statement.line).collect();
    assert_eq!(lines, [3, 4, 9]);
    assert!(all[0].statements.iter().all(|statement| statement.note.contains("too many steps")));
    let passage = |n: f64| {
        let lines = [(3, 4 * n as u64 + 7), (4, 3 * n as u64), (9, 5)].into();
        Passage { values: vec![n], lines }
    };
    let passages: Vec<Passage> = [10.0, 20.0, 40.0, 80.0, 160.0].map(passage).into();
    let checked = confirm(&mut all[0], &wanted[0].formula, &passages).unwrap();
    assert!(checked.unclear.is_empty() && checked.disagreements.is_empty(), "{checked:?}");
    let constants: Vec<&str> =
        all[0].statements.iter().map(|statement| statement.constants[0].as_str()).collect();
    assert_eq!(constants, ["f[1]", "f[1]", "f[0]"]);
    assert!(
        all[0]
            .statements
            .iter()
            .all(|statement| statement.by == By::Counts && statement.note.is_empty())
    );
}

#[test]
fn a_goto_tells_of_the_region_alone() {
    let text = "void g(double *a, int n)\n{\n    int i = 0;\n    a[0] = 1;\n\
                #pragma cll f f[0] + f[1]*n\nagain:\n    a[i] = 2;\n    i++;\n    if (a[i] > i)\n        goto again;\n\
                #pragma cll end f\n    a[1] = 3;\n}\n";
    let all = proposed(text);
    let texts: Vec<&str> =
        all[0].statements.iter().map(|statement| statement.text.as_str()).collect();
    assert!(texts.contains(&"a[i] = 2") && texts.contains(&"i++"), "{texts:?}");
    assert!(!texts.contains(&"a[0] = 1") && !texts.contains(&"a[1] = 3"), "{texts:?}");
}

#[test]
fn constants_of_the_file_are_known() {
    let text = "#define WIDTH (2*8)\nenum { FIRST = 3, SECOND };\nstatic const int TIMES = 7;\n\
                void g(double *a, int n)\n{\n    int i, k;\n#pragma cll f f[0] + f[1]*n\n\
                for (i = 0; i < n * WIDTH; i++)\n a[i] = 0;\nfor (k = 0; k < SECOND * TIMES; k++)\n a[k] = 1;\n\
                #pragma cll end f\n}\n";
    let all = proposed(text);
    assert_eq!(times(&all[0], "a[i] = 0"), "16*n");
    assert_eq!(times(&all[0], "a[k] = 1"), "28");
}

#[test]
fn two_variables() {
    let text = body(
        "f[0] + f[1]*n + f[2]*n*m + f[3]*m",
        "int i, k;\nfor (i = 0; i < n; i++)\n for (k = 0; k < m; k++)\n  a[i] += k;\nfor (k = 0; k < n + m; k++)\n a[k] = 0;",
    );
    let all = proposed(&text);
    let lines = sets(&all[0]);
    assert_eq!(lines[2], "f[2]: k < m | k++ | a[i] += k");
    // A sum of two terms belongs to both.
    assert_eq!(times(&all[0], "a[k] = 0"), "n + m");
    assert!(lines[1].ends_with("a[k] = 0") && lines[3].ends_with("a[k] = 0"), "{lines:#?}");
}

#[test]
fn a_macro_may_change_what_it_is_given() {
    let text = format!(
        "#define ADD(a, b) a += (b)\n{}",
        body("f[0] + f[1]*n", "int i = 0;\nADD(i, a[0]);\nwhile (i > 3)\n a[i--] = 0;")
    );
    let lines = sets_of(&text, "f");
    assert!(lines[2].contains("a[i--] = 0 (how often the loop at line 7 runs"), "{lines:#?}");
}

#[test]
fn a_loop_is_divided_among_processors() {
    let text = source("examples/openmp_loops/openmp_loops.c");
    let lines = sets_of(&text, "sweep");
    assert!(
        lines[1].contains("j < N - 1") && lines[1].contains("to[(size_t)i * N + j]"),
        "{lines:#?}"
    );
    let text = "void g(double *a, int n)\n{\n    int size, k;\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n    int m = n / size;\n\
                #pragma cll f f[0] + f[1]*n/P\n    for (k = 0; k < m; k++)\n        a[k] = 0;\n#pragma cll end f\n}\n";
    let all = proposed(text);
    assert_eq!(times(&all[0], "a[k] = 0"), "n/P");
}

#[test]
fn deep_nests_are_no_overflow() {
    let nest = |open: &str, close: &str, count: usize| {
        body("f[0] + f[1]*n", &format!("{}n++;{}", open.repeat(count), close.repeat(count)))
    };
    proposed(&nest("{", "}", 1900));
    proposed(&nest("if (a[0]) {", "}", 900));
    proposed(&nest("if (n) {", "}", 1900));
    proposed(&nest("a[", "]", 3000));
    // A recursion as deep as its argument.
    let text = "static void down(int n)\n{\n    if (n > 0)\n        down(n - 1);\n}\nvoid g(int n)\n{\n\
                #pragma cll f f[0] + f[1]*n\n    down(n);\n#pragma cll end f\n}\n";
    let all = proposed(text);
    assert_eq!(times(&all[0], "down(n - 1)"), "n");
    let forever = text.replace("n > 0", "n != -1").replace("n - 1", "n + 1");
    assert!(proposed(&forever)[0].notes[0].contains("too many steps"));
}

#[test]
fn a_macro_leaves_what_it_only_reads() {
    let text = format!(
        "#define SUM(s, x, n) for (int q = 0; q < (n); q++) (s) += (x)[q]\n{}",
        body(
            "f[0] + f[1]*n",
            "int s = 0, i;\nSUM(s, a, n);\nSWAP(n, m);\nfor (i = 0; i < n; i++)\n a[i] = s;"
        )
    );
    assert_eq!(times(&proposed(&text)[0], "a[i] = s"), "n");
}

#[test]
fn a_bound_that_is_not_known_is_named() {
    let text = body("f[0] + f[1]*n", "int i;\nfor (i = 0; i < m; i++)\n a[i] = 0;");
    let lines = sets_of(&text, "f");
    assert!(
        lines[2].contains("a[i] = 0 (the loop at line 5 depends on `m`, which is not known)"),
        "{lines:#?}"
    );
}
