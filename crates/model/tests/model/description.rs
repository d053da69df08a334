//! Descriptions: what they say, and what is wrong in them.

use cll_model::formula::{Fits, parse};
use cll_model::{Ending, Partners, Phase, Traffic, TrafficPattern};
use proptest::prelude::*;

fn messages(text: &str, arguments: &[(&str, f64)]) -> String {
    let (description, reported) = parse(text);
    let Some(description) = description else {
        assert!(!reported.is_empty());
        for diagnostic in &reported {
            assert!(diagnostic.primary.span.end <= text.len(), "{diagnostic:?}");
        }
        return reported
            .iter()
            .map(|diagnostic| format!("{} {:?}\n", diagnostic.message, diagnostic.help))
            .collect();
    };
    let at: Vec<(String, f64)> =
        arguments.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    match description.build(&Fits::new(), &at) {
        Ok(_) => String::new(),
        Err(diagnostic) => {
            assert!(diagnostic.primary.span.end <= text.len(), "{diagnostic:?}");
            format!(
                "{} {:?} [{}]",
                diagnostic.message,
                diagnostic.help,
                &text[diagnostic.primary.span.clone()]
            )
        }
    }
}

#[track_caller]
fn wrong(text: &str, arguments: &[(&str, f64)], parts: &[&str]) {
    let message = messages(text, arguments);
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

const P4: &[(&str, f64)] = &[("P", 4.0), ("N", 100.0)];

#[test]
fn what_is_wrong_is_told_with_its_place() {
    wrong("start = 3", P4, &["string"]);
    wrong("start = \"a\"\n[[object.b]]\n", P4, &["there is no object a; there are: b"]);
    wrong("start = \"a\"\n[[object.a]]\nwork = \"B\"\n", P4, &["unknown field `work`"]);
    let with = |step: &str| {
        format!(
            "start = \"a\"\n[block.B]\nformula = \"B[0]\"\nconstants = [1e-6]\n[[object.a]]\n{step}\n"
        )
    };
    assert_eq!(messages(&with("do = [\"B\"]"), P4), "");
    wrong(&with("do = [\"C\"]"), P4, &["there is no block C", "there are: B"]);
    wrong(&with("do = [{ work = \"B\", into = \"a\" }]"), P4, &["neither work nor a partition"]);
    wrong(&with("do = [{ wrk = \"B\" }]"), P4, &["unknown field `wrk`"]);
    wrong(&with("end = \"sometimes\""), P4, &["unknown variant `sometimes`", "barrier"]);
    wrong(
        &with("send = { pattern = \"shfit\", bytes = \"8\" }"),
        P4,
        &["`shfit` is no pattern", "shift (by)"],
    );
    wrong(
        &with("send = { pattern = \"shift\", bytes = \"8*M\" }"),
        P4,
        &["M has no value", "P, N", "[8*M]"],
    );
    wrong(&with("send = { pattern = \"shift\", bytes = \"-N\" }"), P4, &["-100 bytes"]);
    wrong(&with("send = { pattern = \"shift\", bytes = \"8 +\" }"), P4, &["an operand is missing"]);
    wrong(
        &with("send = { pattern = \"gather\", root = \"P\", bytes = \"8\" }"),
        P4,
        &["root of 4 processors"],
    );
    wrong(
        &with("send = { pattern = \"shift\", bytes = \"8\" }\nend = \"nothing\""),
        P4,
        &["arrives in a synchronisation"],
    );
    wrong(&with("repeat = \"log2(P) + 0.5\""), P4, &["not a whole number", "P = 4"]);
    wrong(&with("repeat = \"1e9\""), P4, &["supersteps"]);
    wrong(&with("counter = \"k\""), P4, &["`repeat`"]);
    wrong(&with("when = \"P\""), P4, &["compares nothing", "P > 1"]);
    wrong(&with("when = \"1/(P-4) > 0\""), P4, &["inf"]);
    wrong(
        &with("do = [{ partition = \"8\", into = \"a\" }]"),
        P4,
        &["4 processors have no 8 parts"],
    );
    wrong(&with("do = [{ ends = [\"3\", \"2\"], into = \"a\" }]"), P4, &["do not divide 4"]);
    wrong(&with("do = [{ partition = \"1\", into = \"a\" }]"), P4, &["deep", "when"]);
    wrong(&with("do = [\"B\"]"), &[("N", 1.0)], &["P, the number of processors"]);
    wrong(&with("do = [\"B\"]"), &[("P", 2.5)], &["P = 2.5"]);
    wrong(&with("do = [\"B\"]").replace("[1e-6]", "[]"), P4, &["0 constants for 1 terms"]);
    wrong(
        &with("do = [\"B\"]").replace("[1e-6]", "[{ value = 1, low = 2, high = 3 }]"),
        P4,
        &["1 does not lie within 2 to 3"],
    );
    wrong(&with("do = [\"B\"]").replace("constants = [1e-6]", ""), P4, &["neither a fit nor"]);
    wrong(
        &with("do = [\"B\"]").replace("B[0]\"", "B[0] + B[1]*M\"").replace("[1e-6]", "[1e-6, 0]"),
        P4,
        &["block B needs M"],
    );
    wrong(
        &with("do = [\"B\"]").replace("formula = \"B[0]\"\nconstants = [1e-6]", "fit = \"m.json\""),
        P4,
        &["m.json has no fitted experiment B"],
    );
    // A block that takes less than no time is reported, not refused.
    let (description, _) = parse(&with("do = [\"B\"]").replace("1e-6", "-1e-6"));
    let built = description.unwrap().build(&Fits::new(), &[("P".into(), 2.0)]).unwrap();
    assert!(built.notes[0].to_string().contains("less than no time"));
}

const RULES: &str = r#"
start = "a"
[block.B]
formula = "B[0] + B[1]*w"
constants = [1e-6, 1e-9]
[[object.a]]
do = [{ work = "B", with = { w = "pid*N" } }]
send = { to = "pid + 1", bytes = "8*(pid+1)" }
end = "oblivious"
[[object.a]]
repeat = "log2(P)"
counter = "k"
steps = [
  { do = [{ work = "B", with = { w = "2^k" } }], send = { pattern = "tree", by = "2^k", bytes = "N" }, end = "oblivious" },
  { send = { pattern = "scatter", root = "P-1", bytes = "N" } },
]
[[object.a]]
do = [{ ends = ["1", "P"], into = "b" }]
end = "nothing"
[[object.b]]
when = "part == 1"
send = { pattern = "total-exchange", bytes = "N" }
"#;

#[test]
fn rules_and_expressions_become_traffic_and_partners() {
    let (description, reported) = parse(RULES);
    assert!(reported.is_empty(), "{reported:?}");
    let arguments = [("P".to_owned(), 8.0), ("N".to_owned(), 100.0)];
    let built = description.unwrap().build(&Fits::new(), &arguments).unwrap();
    let root = &built.program.objects()[built.program.root_index()];
    assert_eq!(root.supersteps.len(), 1 + 2 * 3 + 1);
    let first = &root.supersteps[0];
    assert_eq!(first.pattern, TrafficPattern::Shift, "an open chain");
    let values = built.quantities.values();
    let seconds = |pid| -> f64 {
        let works = first.phases.iter().map(|phase| match phase {
            Phase::Work(work) => work.seconds(pid, &values).get(),
            Phase::Parts(_) => 0.0,
        });
        works.sum()
    };
    assert!((seconds(3) - (1e-6 + 1e-9 * 300.0)).abs() < 1e-18);
    let Traffic::Each(bytes) = &first.traffic else { panic!("{:?}", first.traffic) };
    assert_eq!((bytes[0], bytes[3], bytes[7]), ((0.0, 8.0), (24.0, 32.0), (56.0, 0.0)));
    let Ending::Oblivious(Partners::Sets(sets)) = &first.ending else { panic!() };
    assert_eq!((sets.senders(0), sets.senders(5)), (&[][..], &[4][..]));
    assert_eq!(root.supersteps[3].ending, Ending::Oblivious(Partners::Outwards(2)));
    let Traffic::Each(tree) = &root.supersteps[3].traffic else { panic!() };
    assert_eq!((tree[1], tree[2], tree[4]), ((0.0, 100.0), (100.0, 0.0), (0.0, 0.0)));
    let Traffic::Each(scatter) = &root.supersteps[2].traffic else { panic!() };
    assert_eq!((scatter[7], scatter[0]), ((0.0, 700.0), (100.0, 0.0)));
    let Phase::Parts(parts) = &root.supersteps[7].phases[0] else { panic!() };
    let sizes: Vec<(u32, usize)> = parts
        .iter()
        .map(|part| {
            let object = &built.program.objects()[part.object];
            (object.processors, object.supersteps.len())
        })
        .collect();
    assert_eq!(sizes, [(1, 0), (7, 1)]);
}

proptest! {
    /// Whatever is changed in a description, it is read or reported, never more.
    #[test]
    fn any_text_is_read_or_reported(
        cuts in prop::collection::vec((0.0..1.0f64, 0usize..12, "[\\PC\n\"{}\\[\\]=.^*/0-9a-zP]{0,6}"), 1..4),
    ) {
        let mut text = RULES.to_owned();
        for (place, length, new) in cuts {
            let boundary = |mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let from = boundary((place * text.len() as f64) as usize);
            let to = boundary((from + length).min(text.len())).max(from);
            text.replace_range(from..to, &new);
        }
        let (description, reported) = parse(&text);
        prop_assert!(description.is_some() || reported.iter().any(|diagnostic| diagnostic.is_error()));
        for diagnostic in &reported {
            prop_assert!(diagnostic.primary.span.end <= text.len());
        }
        if let Some(description) = description {
            let at = [("P".to_owned(), 4.0), ("N".to_owned(), 10.0)];
            if let Err(diagnostic) = description.build(&Fits::new(), &at) {
                prop_assert!(diagnostic.primary.span.end <= text.len());
            }
        }
    }
}
