//! Random texts: nothing panics, hangs or nests too deeply; and what is random and known is found.

use cll_upsilon::{propose, read};
use proptest::prelude::*;

use crate::support::{proposed, sets, wanted};

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "for (i = 0; i < n; i++) ",
        "while (n > 1) ",
        "{",
        "}",
        "n /= 2;",
        "i++;",
        "if (a[i]) ",
        "else ",
        "do ",
        "while (n);",
        "f(a, n);",
        "(",
        ")",
        ";",
        "switch (n) ",
        "case 1:",
        "break;",
        "continue;",
        "return n;",
        "goto x;",
        "x:",
        "int k = n * 2;",
        "a->b.c += 1;",
        "?",
        ":",
        "=",
        "\"text\"",
        "\n#pragma cll f f[0] + f[1]*n\n",
        "\n#pragma cll end f\n",
        "sizeof(int)",
        "&n",
        "M(x) ",
        "#if 1\n",
        "\n#endif\n",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(test_draw::cases(80, 3) as u32))]

    #[test]
    fn damaged_programs(pieces in prop::collection::vec(piece(), 0..60)) {
        let text = format!("int f(int *a, int n)\n{{\nint i;\n{}\n}}\n", pieces.concat());
        let formula = cll_formula::parse("f", "f[0] + f[1]*n").formula.unwrap();
        let lines = text.lines().count();
        for regions in [vec![(3, lines)], vec![(1, 1), (4, 9)], vec![(90, 2)]] {
            let name = "f".to_owned();
            propose(text.as_bytes(), &[cll_upsilon::Wanted { name, formula: formula.clone(), regions }]);
        }
    }

    #[test]
    fn damaged_files(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..400) {
        read(&bytes);
        let text = "cll-upsilon = 1\nsource = \"a.c\"\ncrc32 = \"0\"\n[[experiments]]\nname = \"f\"\nformula = \"f[0]\"\n\
                    statements = [ { line = 1, text = \"x\", constants = [\"f[0]\"], by = \"hand\" } ]\n";
        read(&text.as_bytes()[..cut.min(text.len())]);
    }

    /// Nested loops of random kinds: the body belongs to the term that its loops make.
    #[test]
    fn nested_loops(kinds in prop::collection::vec(0usize..4, 1..4)) {
        let heads = [
            "for (int v = 0; v < n; v++)", "for (int v = n; v > 0; v--)", "for (int v = 1; v < n; v *= 2)",
            "for (int v = 0; v < n; v += 2)",
        ];
        let (mut text, mut powers, mut logs) = (String::new(), 0, 0);
        for (depth, kind) in kinds.iter().enumerate() {
            text += &heads[*kind].replace('v', &format!("v{depth}"));
            if *kind == 2 { logs += 1 } else { powers += 1 }
        }
        let mut terms = vec!["f[0]".to_owned()];
        for (power, log) in [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)] {
            terms.push(format!("f[{}]*n^{power}*log2(n)^{log}", terms.len()));
        }
        let wanted_term = format!("n^{powers}*log2(n)^{logs}");
        let at = terms.iter().position(|term| term.ends_with(&wanted_term)).unwrap();
        let source = format!(
            "void g(double *a, int n)\n{{\n#pragma cll f f[0] + {}\n{text} a[0] += 1;\n#pragma cll end f\n}}\n",
            terms[at].replace(&format!("f[{at}]"), "f[1]")
        );
        prop_assert_eq!(wanted(&source).len(), 1);
        let found = sets(&proposed(&source)[0]);
        prop_assert!(found[1].contains("a[0] += 1"), "{}: {:?}", source, found);
    }
}
