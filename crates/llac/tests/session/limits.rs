//! Statements that would not end, or take all memory.

use std::sync::atomic::Ordering;

use cll_llac::Limits;
use cll_llac::syntax::parse;

use crate::host::{Test, nlogn};

#[test]
fn a_recursion_without_end_is_refused() {
    let mut test = Test::new([]);
    let answer = test.run("f(n) = f(n + 1)\nf(1)");
    assert!(
        answer.contains("calls are inside one another") && answer.contains("if P == 1"),
        "{answer}"
    );
    // Two functions that call each other.
    let answer = test.run("a(n) = b(n)\nb(n) = a(n)\na(1)");
    assert!(answer.contains("calls are inside one another"), "{answer}");
    // Deep, but with an end.
    assert_eq!(test.number("(1)"), 1.0);
    test.run("down(n) = if n == 0 then 0 else 1 + down(n - 1)");
    assert_eq!(test.number("down(1900)"), 1900.0);
}

#[test]
fn a_recursion_that_takes_too_long_is_refused() {
    let mut test = Test::new([]);
    test.session = std::mem::replace(&mut test.session, Test::new([]).session)
        .with_limits(Limits { steps: 100_000, ..Limits::default() });
    let answer = test.run("fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\nfib(60)");
    assert!(answer.contains("takes more than 100000 steps"), "{answer}");
    assert_eq!(test.number("fib(15)"), 610.0);
}

#[test]
fn large_ranges_are_refused() {
    let mut test = nlogn();
    test.run("open \"a.dat\"");
    let answer = test.run("1:1e12");
    assert!(answer.contains("more than"), "{answer}");
    let answer = test.run("predict f at N = 1:1e7");
    assert!(answer.contains("combinations"), "{answer}");
}

#[test]
fn values_that_would_grow_without_end_are_refused() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nt = \"ab\"\nx = [1, 2]\nf = f");
    let grown = |test: &mut Test, statement: &str| {
        let answers: Vec<String> = (0..40).map(|_| test.run(statement)).collect();
        let refused =
            answers.iter().find(|answer| !answer.is_empty() && !answer.starts_with("note"));
        refused.cloned().unwrap_or_default()
    };
    assert!(grown(&mut test, "t = t + t").contains("longer than"));
    assert!(grown(&mut test, "x = [x, f]").contains("nested more than"));
    test.session = std::mem::replace(&mut test.session, Test::new([]).session)
        .with_limits(Limits { numbers: 10_000, ..Limits::default() });
    assert!(grown(&mut test, "f = merge f, f").contains("more than 10000"));
}

#[test]
fn a_statement_can_be_interrupted() {
    let mut test = Test::new([]);
    test.run("fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)");
    let interrupt = test.session.interrupt();
    let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let finished = std::sync::Arc::clone(&done);
    let thread = std::thread::spawn(move || {
        // The statement clears it when it begins.
        while !finished.load(Ordering::Relaxed) {
            interrupt.store(true, Ordering::Relaxed);
            std::thread::yield_now();
        }
    });
    let text = "fib(60)";
    let wrong = test.session.evaluate(&parse(text).statements[0], text).unwrap_err();
    done.store(true, Ordering::Relaxed);
    thread.join().unwrap();
    assert_eq!(wrong.message, "interrupted");
    // The session goes on.
    assert_eq!(test.number("1 + 1"), 2.0);
}
