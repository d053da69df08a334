//! `cargo bench -p cll-translate`: megabytes per second, median of 15 rounds. The goals: a large
//! annotated file at 50 MB/s, the lexer at 200 MB/s. The reference in the same run is a copy of the
//! file in memory.

use std::hint::black_box;
use std::time::Instant;

use cll_csource::lex::lex;
use cll_translate::{Options, Source, translate};

/// A file of `megabytes`; every tenth function has two regions.
fn source(megabytes: usize) -> Vec<u8> {
    let mut text = String::from("#include <stdio.h>\n#pragma cll parallel OpenMP\n");
    let mut number = 0;
    while text.len() < megabytes << 20 {
        let (open, close) = if number % 10 == 0 {
            ("#pragma cll work work[0] + work[1]*n*log(n)", "#pragma cll end work")
        } else {
            ("", "")
        };
        text += &format!(
            "/* Function {number} adds what it is given, \"as it were\". */\n\
             static int f{number}(const struct node *list, int n)\n{{\n    int i, sum = 0;\n\
             {open}\n    for (i = 0; i < n && list; i++) {{\n        \
             if (list->value[i] != '\\n')\n            sum += list->value[i] * 0x1f; // add\n        \
             else\n{open}\n            sum -= call(list, \"text %d\\n\", i);\n{close}\n    }}\n\
             {close}\n    return sum;\n}}\n\n"
        );
        number += 1;
    }
    text.into_bytes()
}

fn measure(name: &str, bytes: usize, mut work: impl FnMut()) -> f64 {
    let mut rates: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            work();
            bytes as f64 / 1e6 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!(
        "{name:34} {:8.0} MB/s   (slowest {:.0}, fastest {:.0})",
        rates[7], rates[0], rates[14]
    );
    rates[7]
}

fn main() {
    let annotated = source(8);
    let plain = String::from_utf8_lossy(&annotated).replace("#pragma cll", "// pragma of nobody");
    let options = Options { unit: "x".into(), ..Options::default() };
    let run = |text: &[u8]| {
        black_box(translate(&Source { name: "x.c", text }, &options));
    };
    let mut copy = vec![0; annotated.len()];
    measure("copy (reference)", annotated.len(), || {
        copy.copy_from_slice(black_box(&annotated));
        black_box(&copy);
    });
    let lexer = measure("lexer", annotated.len(), || {
        black_box(lex(&annotated).fold(0, |sum, token| sum + token.end));
    });
    measure("translate, no pragma of ours", plain.len(), || run(plain.as_bytes()));
    let translator = measure("translate, annotated", annotated.len(), || run(&annotated));
    let verdict = |met: bool| if met { "met" } else { "not met" };
    println!(
        "lexer 200 MB/s: {}; translator 50 MB/s: {}",
        verdict(lexer >= 200.0),
        verdict(translator >= 50.0)
    );
}
