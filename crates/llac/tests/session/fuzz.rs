//! Random statements: none panics or runs without end.

use cll_llac::syntax::parse;
use cll_llac::{Limits, csv, json, text};
use cll_report::Style;
use fastrand::Rng;

use crate::host::{Test, experiment, trace};

/// Statements that are tried: `STATEMENTS` says how many, `CLL_TEST_FULL` tries more than usual.
fn count() -> usize {
    let given = std::env::var("STATEMENTS").ok().and_then(|count| count.parse().ok());
    let usual = if test_draw::is_full() { 20_000 } else { 2_000 };
    given.unwrap_or(usual)
}

#[test]
fn random_statements_have_an_answer() {
    try_statements(20_260_101, count());
}

fn try_statements(seed: u64, count: usize) {
    let mut random = Rng::with_seed(seed);
    let mut test = fresh();
    let (mut right, mut wrong) = (0, 0);
    for round in 0..count {
        if round % 500 == 0 {
            test = fresh();
        }
        let statement = statement(&mut random);
        let parsed = parse(&statement);
        for parsed_statement in &parsed.statements {
            match test.session.evaluate(parsed_statement, &statement) {
                Ok(answer) => {
                    right += 1;
                    if let Some(value) = answer.value {
                        let style = Style { width: 80, color: false, unicode: true };
                        let _ = (text(&value, &style, 0.9), csv(&value), json(&value, 0.9));
                    }
                }
                Err(error) => {
                    wrong += 1;
                    let span = error.primary.span.clone();
                    assert!(statement.get(span).is_some(), "{statement}: {error:?}");
                    assert!(!error.message.is_empty(), "{statement}");
                }
            }
        }
    }
    // Both kinds are tried.
    assert!(right > count / 10 && wrong > count / 10, "{right} {wrong}");
}

fn fresh() -> Test {
    let points: Vec<Vec<f64>> = [1.0, 2.0]
        .iter()
        .flat_map(|p| [64.0, 128.0, 256.0, 512.0].map(move |n| vec![n, *p]))
        .collect();
    let f = experiment("f", "f[0]+f[1]*N/P", &["N", "P"], &points, 3, 0.02, |point| {
        1e-6 + 1e-8 * point[0] / point[1]
    });
    let g = experiment("g", "", &[], &[vec![]], 2, 0.1, |_| f64::NAN);
    let h = experiment("h", "h[0]+h[1]*M", &["M"], &[vec![3.0]], 2, 0.1, |_| 0.0);
    let mut test = Test::new([("a.dat", trace(vec![f, g, h], "node"))]);
    let limits = Limits { depth: 60, steps: 60_000, numbers: 20_000 };
    test.session = std::mem::replace(&mut test.session, Test::new([]).session).with_limits(limits);
    test.run("open \"a.dat\"\nm = fit f\nt = group f by N\nphi(N, P) = if P <= 1 then m(N = N, P = 1) else phi(N/2, P/2) + 1 us");
    test
}

fn statement(random: &mut Rng) -> String {
    match random.usize(0..8) {
        0 => format!("{} = {}", name(random), top(random)),
        1 => format!("q(N, x) = {}", expression(random, 3)),
        2 => format!("forget {}", name(random)),
        _ => top(random),
    }
}

fn top(random: &mut Rng) -> String {
    if random.bool() { verb(random) } else { expression(random, 4) }
}

fn verb(random: &mut Rng) -> String {
    let verbs = [
        "show", "open", "fit", "search", "suggest", "predict", "plot", "compare", "print", "group",
        "merge", "join", "mark", "unmark", "cost", "plan", "report", "upsilon", "aleph",
    ];
    let mut text = random.choice(verbs).unwrap().to_owned();
    let arguments: Vec<String> = (0..random.usize(0..3)).map(|_| expression(random, 2)).collect();
    text.push(' ');
    text.push_str(&arguments.join(", "));
    let mut clauses = ["at", "by", "for", "with", "into", "as", "on", "to", "against"].to_vec();
    random.shuffle(&mut clauses);
    for clause in clauses.into_iter().take(random.usize(0..3)) {
        let items: Vec<String> = (0..random.usize(1..3)).map(|_| item(random, clause)).collect();
        text.push_str(&format!(" {clause} {}", items.join(", ")));
    }
    text
}

fn item(random: &mut Rng, clause: &str) -> String {
    let options = [
        "intervals = none",
        "weights = absolute",
        "no_join",
        "tolerance = 20%",
        "outliers = points",
        "aggregate = all",
        "axis = N/P",
        "breaks = N == 200",
        "hold_out = \"N=64\"",
        "max_terms = 1",
        "budget = \"1s\"",
        "observable = x",
    ];
    match clause {
        "with" => (*random.choice(options).unwrap()).to_owned(),
        "into" => (*random.choice(["\"a.svg\"", "\"a.csv\"", "\"\"", "3"]).unwrap()).to_owned(),
        "as" => {
            (*random.choice(["csv", "json", "f[0] + f[1]*N", "\"f[0]\"", "f[0]*M^f[1]"]).unwrap())
                .to_owned()
        }
        "at" => format!("{} = {}", random.choice(["N", "P", "M"]).unwrap(), expression(random, 1)),
        _ => expression(random, 1),
    }
}

fn name(random: &mut Rng) -> String {
    let names = [
        "f", "g", "h", "m", "t", "phi", "q", "N", "P", "time", "run", "marked", "host", "x",
        "value", "nothing", "`a b`",
    ];
    (*random.choice(names).unwrap()).to_owned()
}

fn expression(random: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        return match random.usize(0..4) {
            0 | 1 => name(random),
            2 => (*random
                .choice([
                    "0", "1", "2.5", "1e308", "1e-320", "10%", "5 ms", "16 KiB", "2^21", "\"N\"",
                    "true", "[]",
                ])
                .unwrap())
            .to_owned(),
            _ => "[1, 2, 4]".to_owned(),
        };
    }
    let mut operand = || expression(random, depth - 1);
    let (a, b) = (operand(), operand());
    match random.usize(0..14) {
        0..=2 => {
            let operators =
                ["+", "-", "*", "/", "^", "mod", "==", "<", ">=", "!=", "and", "or", "in"];
            format!("({a}) {} ({b})", random.choice(operators).unwrap())
        }
        3 => format!("({a}) where ({b})"),
        4 => format!("({a}) set {} = ({b})", name(random)),
        5 => format!("{}({a}, {b})", name(random)),
        6 => {
            let functions = [
                "log", "sqrt", "min", "max", "median", "count", "unique", "sort", "value", "low",
                "error", "exp",
            ];
            format!("{}({a})", random.choice(functions).unwrap())
        }
        7 => format!("({a}).{}", name(random)),
        8 => format!("({a})[{}]", random.u8(0..3)),
        9 => format!("({a}):({b}):*2"),
        10 => format!("if ({a}) then ({b}) else 1"),
        11 => format!("({})", verb(random)),
        12 => format!("m(N = {a}, P = 2)"),
        _ => format!("phi({a}, {b})"),
    }
}
