//! The identity of a measurement: it is known by the program that was built and by what runs it. `cll model` and
//! campaigns go on from earlier runs only if it is the same.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{Done, Place, WALK};

/// The walk with a factor that a header gives.
fn with_header() -> Place {
    let place = Place::new();
    place.write(
        "walk.c",
        WALK.replace("#include <stdio.h>", "#include <stdio.h>\n#include \"step.h\"")
            .replace("* 0.5", "* STEP"),
    );
    place.write("step.h", "#define STEP 0.5\n");
    place
}

fn model(place: &Place, variables: &[(&str, &str)], options: &[&str]) -> Done {
    let head = ["model", "walk.c", "--vary", "N=1000:3000:+1000", "--launches", "1"];
    place.cll_with(variables, &[&head[..], options, &["--", "{N}"]].concat())
}

/// The text that is printed when nothing has changed.
const SAME: &str = "continuing from 1 round";
const OTHER: &str = "sampling begins again, without the 1 round of an earlier call in walk.cll: ";

#[test]
fn a_changed_header_is_another_program() {
    let place = with_header();
    let first = model(&place, &[], &[]).expect(0);
    assert!(!first.err.contains("begins again"), "{}", first.err);
    model(&place, &[], &[]).expect(0).says(&[SAME]);
    place.write("step.h", "/* The same program comes of it. */\n#define STEP 0.5\n");
    model(&place, &[], &[]).expect(0).says(&[SAME]);
    place.write("step.h", "#define STEP 0.25\n");
    let why = format!("{OTHER}step.h has changed, and this gave another program");
    model(&place, &[], &[]).expect(0).says(&[&why]);
    model(&place, &[], &[]).expect(0).says(&[SAME]);
    // One round of three runs: nothing is left of the others.
    let traces = place.list("walk.cll").into_iter().filter(|name| name.ends_with(".dat"));
    assert_eq!(traces.count(), 3);
}

#[test]
fn a_program_that_does_not_compile_costs_no_rounds() {
    let place = with_header();
    model(&place, &[], &[]).expect(0);
    place.write("step.h", "#error none\n");
    model(&place, &[], &[]).expect(4);
    place.write("step.h", "#define STEP 0.5\n");
    model(&place, &[], &[]).expect(0).says(&[SAME]);
}

#[test]
fn the_day_is_no_part_of_the_program() {
    let place = with_header();
    let text = place.read("walk.c");
    let when = "printf(\"%s %s %s\\n\", __DATE__, __TIME__, __TIMESTAMP__);\n    free(a);";
    place.write("walk.c", text.replace("free(a);", when));
    model(&place, &[], &[]).expect(0);
    let log = place.read("walk.cll/output.log");
    assert!(log.contains("Jan  1 1970 00:00:00") && !log.contains("??? "), "{log}");
    model(&place, &[], &[]).expect(0).says(&[SAME]);
    let own = [("SOURCE_DATE_EPOCH", "1000000000")];
    model(&place, &own, &[]).expect(0).says(&[OTHER, "the same sources gave another program"]);
    model(&place, &own, &["--cflags=-g -DX"])
        .expect(0)
        .says(&[OTHER, "the compiler's command was"]);
    model(&place, &own, &["--cflags=-g -DX"]).expect(0).says(&[SAME]);
}

#[test]
fn a_changed_library_of_its_own_is_another_program() {
    let place = with_header();
    let build = |factor: &str| {
        place.write("work.c", format!("double factor(void) {{ return {factor}; }}\n"));
        place.sh("cc -shared -fPIC -o libwork.so work.c").expect(0);
    };
    build("0.5");
    place.write("step.h", "double factor(void);\n#define STEP factor()\n");
    let libs = format!("--libs=-L. -lwork -Wl,-rpath,{}", place.path("").display());
    model(&place, &[], &[&libs]).expect(0);
    build("0.5");
    model(&place, &[], &[&libs]).expect(0).says(&[SAME]);
    build("0.25");
    model(&place, &[], &[&libs]).expect(0).says(&[OTHER, "libwork.so has changed"]);
}

#[test]
fn a_changed_compiler_is_another_program() {
    let place = with_header();
    place.write("step.h", "#ifndef STEP\n#define STEP 0.5\n#endif\n");
    let wrapper = |options: &str| {
        place.write("mycc", format!("#!/bin/sh\nexec cc {options} \"$@\"\n"));
        fs::set_permissions(place.path("mycc"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    wrapper("");
    let path = place.path("mycc").display().to_string();
    let own = [("CLL_CC", path.as_str())];
    model(&place, &own, &[]).expect(0);
    model(&place, &own, &[]).expect(0).says(&[SAME]);
    wrapper("-DSTEP=0.25");
    model(&place, &own, &[]).expect(0).says(&[OTHER, "a part of the compiler has changed"]);
    model(&place, &[], &[]).expect(0).says(&[OTHER, "the compiler's command was"]);
}

#[test]
fn settings_of_mpi_the_clock_and_the_loader_count() {
    let place = with_header();
    model(&place, &[], &[]).expect(0);
    let mut before = "not set".to_owned();
    for (name, value) in [
        ("OMPI_MCA_btl", "self"),
        ("CLL_CLOCK", "mono"),
        ("MALLOC_ARENA_MAX", "1"),
        ("UCX_TLS", "tcp"),
        ("LD_BIND_NOW", "1"),
    ] {
        let now = format!("the variable {name} was not set, and is `{value}`");
        model(&place, &[(name, value)], &[]).expect(0).says(&[OTHER, &now, &before]);
        model(&place, &[(name, value)], &[]).expect(0).says(&[SAME]);
        before = format!("the variable {name} was `{value}`, and is not set");
    }
    // What does not change the times.
    model(&place, &[("LD_BIND_NOW", "1"), ("OTHER", "1"), ("CLL_BUDGET", "9s")], &[])
        .expect(0)
        .says(&[SAME]);
}

#[test]
fn what_is_varied_on_purpose_does_not_count() {
    let place = with_header();
    let text = place.read("walk.c");
    place.write("walk.c", format!("#pragma cll parallel OpenMP\n{text}"));
    model(&place, &[("OMP_NUM_THREADS", "2")], &["-n", "1"]).expect(0);
    model(&place, &[], &["-n", "1"]).expect(0).says(&[SAME]);
    model(&place, &[("OMP_SCHEDULE", "static")], &["-n", "1"])
        .expect(0)
        .says(&[OTHER, "OMP_SCHEDULE"]);
}

#[test]
fn a_plan_that_says_nothing_of_the_program_is_not_gone_on_with() {
    let place = with_header();
    model(&place, &[], &[]).expect(0);
    let mut plan: serde_json::Value =
        serde_json::from_str(&place.read("walk.cll/plan.json")).unwrap();
    plan["version"] = 1.into();
    plan["plan"].as_object_mut().unwrap().remove("identity");
    place.write("walk.cll/plan.json", plan.to_string());
    model(&place, &[], &[]).expect(0).says(&["older cll", "begins again"]);
    model(&place, &[], &[]).expect(0).says(&[SAME]);
}

#[test]
fn a_campaign_does_not_mix_programs() {
    let place = with_header();
    let build = |step: &str| {
        place.write("step.h", format!("#define STEP {step}\n"));
        place.build("walk");
    };
    build("0.5");
    let run = ["campaign", "run", "--vary", "N=1000:3000:+1000", "--rounds", "3", "-q"];
    place.cll(&[&run[..], &["--", "./walk", "{N}"]].concat()).expect(0);
    let resume = ["campaign", "resume", "walk.campaign", "-q"];
    // Three of its nine runs wait again.
    let again = |place: &Place| {
        let book = place.path("walk.campaign/book.sqlite");
        let connection = rusqlite::Connection::open(book).unwrap();
        connection.execute("UPDATE run SET state = 'planned' WHERE round = 2", []).unwrap();
    };
    again(&place);
    place.cll(&resume).expect(0);
    again(&place);
    build("0.25");
    place.cll(&resume).expect(2).says(&[
        "would not match those in walk.campaign",
        "--mixed",
        "SHA-256",
    ]);
    let repeat = [&run[..], &["--", "./walk", "{N}"]].concat();
    place.cll(&repeat).expect(2).says(&["the program was another one"]);
    // What is made stays readable.
    place.cll(&["fit", "walk.campaign"]).expect(0);
    place
        .cll(&[&resume[..], &["--mixed"]].concat())
        .expect(0)
        .says(&["warning", "the program was another one"]);
    place
        .cll(&["fit", "walk.campaign"])
        .expect(6)
        .says(&["3 runs were made in another way than the first ones", "--mixed"]);
    let fitted = place.cll(&["fit", "walk.campaign", "--mixed", "--json"]).expect(0).json();
    let warnings = fitted["warnings"].to_string();
    assert!(warnings.contains("mixed-programs") && warnings.contains("SHA-256"), "{warnings}");
    place
        .cll(&["campaign", "compare", "walk.campaign", "walk.campaign"])
        .expect(0)
        .says(&["made in another way than the first ones"]);

    let run = [
        "campaign",
        "run",
        "--vary",
        "N=1000:2000:+1000",
        "--rounds",
        "2",
        "-q",
        "-o",
        "o.campaign",
        "--",
        "./walk",
        "{N}",
    ];
    place.cll(&run).expect(0);
    let book = rusqlite::Connection::open(place.path("o.campaign/book.sqlite")).unwrap();
    book.execute("UPDATE run SET state = 'planned' WHERE round = 1", []).unwrap();
    drop(book);
    let resume = ["campaign", "resume", "o.campaign", "-q"];
    let done = place.cll_with(&[("OMPI_MCA_btl", "self")], &resume).expect(2);
    done.says(&["the variable OMPI_MCA_btl was not set, and is `self`"]);
    // A book of an older version knows the program alone.
    let book = rusqlite::Connection::open(place.path("o.campaign/book.sqlite")).unwrap();
    book.execute("UPDATE environment SET description = json_remove(description, '$.identity')", [])
        .unwrap();
    drop(book);
    let resume = ["campaign", "resume", "o.campaign"];
    let done = place.cll_with(&[("OMPI_MCA_btl", "self")], &resume).expect(0);
    done.says(&["an older cll has begun the campaign"]);
}

#[test]
fn a_round_that_left_nothing_is_made_again() {
    let place = with_header();
    let text = place.read("walk.c");
    let ends = "if (!getenv(\"MAY_RUN\")) return 9;\n    int N";
    place.write("walk.c", text.replacen("int N = argc", &format!("{ends} = argc"), 1));
    model(&place, &[], &[]).expect(5);
    let done = model(&place, &[("MAY_RUN", "1")], &[]).expect(0);
    assert!(!done.err.contains("continuing"), "{}", done.err);
}

#[test]
fn virtual_processors_are_another_measurement() {
    let place = Place::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fft/fft.c");
    fs::copy(source, place.path("walk.c")).unwrap();
    let model = |options: &[&str]| {
        place.cll(&[&["model", "walk.c", "-n", "1", "--launches", "1"], options].concat())
    };
    model(&["--engine", "virtual"]).expect(0);
    model(&["--engine", "virtual"]).expect(0).says(&[SAME]);
    model(&[]).expect(0).says(&[OTHER, "the engine"]);
}
