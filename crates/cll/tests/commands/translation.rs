//! `cll translate`.

use std::fs;

use crate::support::{Place, WALK, run};

#[test]
fn source_and_header_are_written_beside_the_source() {
    let place = Place::with_walk();
    place
        .cll(&["translate", "walk.c"])
        .expect(0)
        .prints(&["1 experiment at 1 place", "walk.cll.h"]);
    assert_eq!(place.list("."), ["walk.c", "walk.cll.c", "walk.cll.h"]);
    let translated = place.read("walk.cll.c");
    assert!(translated.starts_with("#include \"walk.cll.h\""), "{translated}");
    assert_eq!(place.read("walk.c"), WALK, "the source is untouched");
}

#[test]
fn another_folder_is_made() {
    let place = Place::with_walk();
    place.cll(&["translate", "walk.c", "-o", "a/b"]).expect(0);
    assert_eq!(place.list("a/b"), ["walk.cll.c", "walk.cll.h"]);
}

#[test]
fn call_is_the_papers_name() {
    let place = Place::with_walk();
    place.cll(&["call", "walk.c"]).expect(0);
    std::os::unix::fs::symlink(crate::support::CLL, place.path("call")).unwrap();
    place.write("other.c", WALK);
    run(place.command(place.path("call")).arg("other.c")).expect(0);
    assert!(place.exists("walk.cll.c") && place.exists("other.cll.c"));
}

#[test]
fn a_file_without_directives_is_copied() {
    let place = Place::new();
    let text = b"int main(void) { return 0; } /* \xe9 */\r\n";
    place.write("plain.c", text);
    place.cll(&["translate", "plain.c"]).expect(0).prints(&["copied"]);
    let copy = place.bytes("plain.cll.c");
    assert_eq!(copy, [&b"/* Copied by cll translate. */ "[..], text].concat());
    assert!(!place.exists("plain.cll.h"));
}

#[test]
fn only_what_translate_has_written_is_replaced() {
    const OWN: &str = "int answer(void) { return 42; }\n";
    let place = Place::with_walk();
    place.write(
        "walk.c",
        format!("#pragma cll parallel OpenMP procs = 1:2\n{}", place.read("walk.c")),
    );
    place.write("plain.c", "int one;\n");
    let both = ["translate", "walk.c", "plain.c"];
    for name in ["walk.cll.c", "walk.cll.h", "walk.cll.sh", "plain.cll.c"] {
        place.write(name, OWN);
        place.cll(&both).expect(2).says(&[
            &format!("{name} is no file that cll translate has written and would be replaced"),
            "--force",
        ]);
        assert_eq!(place.read(name), OWN);
        place.cll(&[&both[..], &["--force"]].concat()).expect(0);
        assert_ne!(place.read(name), OWN);
        // Its own files are replaced, also by those of a changed source.
        place.write("plain.c", "int two;\n");
        place.cll(&both).expect(0);
        assert!(place.read("plain.cll.c").ends_with("int two;\n"));
        fs::remove_file(place.path(name)).unwrap();
    }
}

#[test]
fn what_is_wrong_is_shown_at_its_place() {
    let place = Place::new();
    place.write("bad.c", "int main(void)\n{\n#pragma cll e e[0]*e[1]*N\n#pragma cll end e\n}\n");
    place.cll(&["translate", "bad.c"]).expect(3).says(&["error[F", "bad.c:3:", "^", "help"]);
    assert_eq!(place.list("."), ["bad.c"], "nothing is written");
}

#[test]
fn json_has_experiments_places_and_diagnostics() {
    let place = Place::with_walk();
    let value = place.cll(&["translate", "walk.c", "--json"]).expect(0).json();
    let file = &value["files"][0];
    assert_eq!(value["version"], 1);
    assert_eq!(file["file"], "walk.c");
    assert_eq!(file["model"], "sequential");
    assert_eq!(file["experiments"][0]["name"], "walk");
    assert_eq!(file["experiments"][0]["formula"], "walk[0] + walk[1]*N");
    assert_eq!(file["experiments"][0]["variables"], serde_json::json!(["N"]));
    assert_eq!(file["experiments"][0]["places"][0]["line"], 8);
    assert_eq!(file["experiments"][0]["places"][0]["function"], "walk");
    assert_eq!(file["outputs"], serde_json::json!(["walk.cll.c", "walk.cll.h"]));

    place.write("bad.c", "void f(void) {\n#pragma cll e e[0]\n}\n");
    let done = place.cll(&["translate", "bad.c", "--json"]).expect(3);
    let reported = &done.json()["files"][0]["diagnostics"][0];
    assert_eq!(
        (&reported["severity"], &reported["line"]),
        (&"error".into(), &2.into()),
        "{reported}"
    );
}

#[test]
fn whether_the_program_has_its_own_p_is_asked_of_the_compiler() {
    let place = Place::new();
    let source = |declaration: &str| {
        format!(
            "#include <stdio.h>\n{declaration}\nint main(void)\n{{\n    int N = 3;\n#pragma cll e \
             e[0] + e[1]*N/P\n    N++;\n#pragma cll end e\n    return 0;\n}}\n"
        )
    };
    place.write("own.c", source("#include \"own.h\""));
    place.write("own.h", "#ifdef HAVE_P\nstatic int P = 7;\n#endif\n");
    for (name, flags, expected) in [("without", "", 1.0), ("with", "-DHAVE_P", 7.0)] {
        place
            .cll(&["cc", "-o", name, "own.c", flags].map(|f| if f.is_empty() { "-O0" } else { f }))
            .expect(0);
        place.cll(&["run", &format!("./{name}")]).expect(0);
        let done =
            place.cll(&["export", &format!("{name}.cll.0.dat"), "--format", "json"]).expect(0);
        let cell = &done.json()["experiments"][0];
        assert!(cell.to_string().contains(&format!("{expected:?}").replace(".0", "")), "{cell}");
    }
}

#[test]
fn names_that_would_clash_are_refused() {
    let place = Place::with_walk();
    place.write("sub/walk.c", WALK);
    place
        .cll(&["translate", "walk.c", "sub/walk.c", "-o", "out"])
        .expect(2)
        .says(&["would be written to", "walk.cll.c"]);
}

#[test]
fn hostile_names_of_files_are_names() {
    for name in ["with blank", "quote's", "dé jà", "do$lar", "quote\"d", "per%cent", "#hash"] {
        let place = Place::new();
        let file = format!("{name}/{name}.c");
        place.write(&file, WALK);
        place.cll(&["translate", &file]).expect(0);
        place.cll(&["cc", "-O1", "-o", &format!("{name}/p"), &file]).expect(0);
        place.cll(&["run", "-o", name, &format!("{name}/p")]).expect(0).prints(&["ok"]);
        place
            .cll(&["fit", &format!("{name}/p.cll.0.dat"), "--predict", "N=5"])
            .expect(6)
            .prints(&["one value"]);
    }
}

/// A program without any pragma.
const PLAIN: &str = "\
#include <stdio.h>
#include <stdlib.h>
static double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    double *a = calloc((size_t)n, sizeof *a);
    a[0] = 2;
    printf(\"sum %g\\n\", sum(a, n));
    free(a);
    return 0;
}
";

#[test]
fn functions_and_loops_are_experiments_on_request() {
    let place = Place::new();
    place.write("plain.c", PLAIN);
    place.cll(&["translate", "--auto", "plain.c"]).expect(0).prints(&["3 experiments at 3 places"]);
    let header = place.read("plain.cll.h");
    for name in ["\"main\", \"auto\"", "\"sum\", \"auto\"", "\"sum_loop1\", \"auto\""] {
        assert!(header.contains(name), "{name}: {header}");
    }
    let done = place.cll(&["translate", "--auto", "--auto-without", "sum_loop1", "plain.c"]);
    done.expect(0).prints(&["2 experiments at 2 places", "left out: sum_loop1: you left it out"]);
    place.cll(&["translate", "--auto-without", "sum", "plain.c"]).expect(2);
}

#[test]
fn a_program_without_pragmas_is_fitted() {
    let place = Place::new();
    place.write("plain.c", PLAIN);
    place.cll(&["cc", "-O1", "--auto", "-o", "plain", "plain.c"]).expect(0);
    for n in ["1000", "2000", "4000", "8000", "16000"] {
        place.cll(&["run", "./plain", n]).expect(0).prints(&["sum 2"]);
    }
    let files: Vec<String> = (0..5).map(|run| format!("plain.cll.{run}.dat")).collect();
    let mut words = vec!["fit", "--json", "-e", "sum"];
    words.extend(files.iter().map(String::as_str));
    // Its times are those of this machine; that it is searched is not.
    place.cll(&words).expect(0).prints(&["\"search\"", "\"formula\"", "\"n\""]);
}
