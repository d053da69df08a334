//! The output of `cll model` about the cost of measuring.

use crate::support::{Place, have};

/// The sum is the same in each passage: without markers it is worked out once.
const SAME: &str = "#include <stdio.h>\nstatic int cells[5000];\n\
                    __attribute__((noinline, pure)) static long sum(int n)\n{\n    long s = 0;\n    \
                    for (int i = 0; i < n; i++) s += cells[i];\n    return s;\n}\n\
                    int main(void)\n{\n    long all = 0;\n    int n = 5000;\n    \
                    for (int i = 0; i < n; i++) cells[i] = i;\n    \
                    for (int r = 0; r < 20; r++) {\n#pragma cll all all[0] + all[1]*n\n        \
                    all += sum(n);\n#pragma cll end all\n    }\n    printf(\"%ld\\n\", all);\n    return 0;\n}\n";

const LOOP: &str = "int main(void)\n{\n    volatile int i;\n    int n;\n#pragma cll for (n = 100; n <= 1600; n *= 2)\n    {\n\
                    #pragma cll walk walk[0] + walk[1]*n\n    for (i = 0; i < n; i++) {}\n\
                    #pragma cll end walk\n    }\n#pragma cll end for\n    return 0;\n}\n";

#[test]
fn lines_of_which_the_compiler_made_other_code_are_named() {
    if !have("valgrind", "dilation::lines_of_which_the_compiler_made_other_code_are_named") {
        return;
    }
    let place = Place::new();
    place.write("same.c", SAME);
    let options = ["--launches", "5", "--loaded", "accept", "--compare-code", "--details"];
    let done = place.cll(&[&["model", "same.c"], &options[..]].concat());
    assert!(
        done.out.contains("the compiler made other code of same.c:6 because of the markers:"),
        "{}\n{}",
        done.out,
        done.err
    );
    assert!(
        !done.out.contains("0.00 %") && !done.out.contains(" 0.0 % of the run"),
        "{}",
        done.out
    );
    assert!(place.exists("same.cll/same-plain"));
    let text = place.read("same.cll/model.json");
    let model: serde_json::Value = serde_json::from_str(&text).unwrap();
    let measuring = &model["sampling"]["measuring"];
    assert_eq!(
        (&measuring["against"], &measuring["because"]),
        (&"plain".into(), &None::<u8>.into())
    );
    assert_eq!(measuring["pairs"], 5);
    let code = &measuring["code"][0];
    assert_eq!((&code["file"], &code["line"]), (&"same.c".into(), &6.into()));
    assert!(code["with"].as_u64().unwrap() > 5 * code["without"].as_u64().unwrap(), "{code}");
}

#[test]
fn a_program_that_does_less_without_pragmas_is_compared_with_the_gate_closed() {
    let place = Place::new();
    place.write("walk.c", LOOP);
    let options = ["--launches", "5", "--loaded", "accept", "--json"];
    let model = place.cll(&[&["model", "walk.c"], &options[..]].concat()).json();
    let measuring = &model["sampling"]["measuring"];
    assert_eq!(measuring["against"], "gate");
    assert!(measuring["because"].as_str().unwrap().contains("`#pragma cll for`"), "{measuring}");
    assert!(measuring["low"].is_number() && measuring["code"].is_null(), "{measuring}");
    assert!(!place.exists("walk.cll/walk-plain"));
}
