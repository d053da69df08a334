//! Wrong input of every kind: a message, an exit code, nothing lost.

use crate::support::{Place, WALK};

#[test]
fn sources_that_are_wrong() {
    let place = Place::new();
    for (name, text, parts) in [
        (
            "unclosed",
            "int main(void) {\n#pragma cll e e[0]\nreturn 0; }\n",
            &["unclosed.c:2", "e"][..],
        ),
        ("unopened", "int main(void) {\n#pragma cll end e\nreturn 0; }\n", &["unopened.c:2"]),
        (
            "crossed",
            "int main(void) {\nint N = 1;\n#pragma cll a a[0]\n#pragma cll b b[0]*N\nN++;\n#pragma cll end a\nN++;\n#pragma cll end b\nreturn 0; }\n",
            &["crossed.c:"],
        ),
        (
            "canonical",
            "int main(void) {\nint N = 1;\n#pragma cll e log(e[0]*N)\nN++;\n#pragma cll end e\nreturn 0; }\n",
            &["canonical.c:3", "e[0]"],
        ),
        (
            "model",
            "#pragma cll parallel Linda\nint main(void) {\nint N = 1;\n#pragma cll e e[0]*N\nN++;\n#pragma cll end e\nreturn 0; }\n",
            &["model.c:1", "unknown model `Linda`"],
        ),
        (
            "counters",
            "int main(void) {\nint N = 1;\n#pragma cll e counters(2) e[0]*N\nN++;\n#pragma cll end e\nreturn 0; }\n",
            &["counters.c:3", "counters"],
        ),
    ] {
        let file = format!("{name}.c");
        place.write(&file, text);
        for command in ["translate", "model"] {
            place.cll(&[command, &file]).expect(3).says(&["error["]).says(parts);
        }
        place.cll(&["cc", "-c", &file]).expect(3).says(parts);
    }
    assert!(place.list(".").iter().all(|name| name.ends_with(".c")), "{:?}", place.list("."));
}

#[test]
fn a_misspelt_directive_is_reported() {
    let place = Place::new();
    place.write("walk.c", WALK.replace("#pragma cll end walk", "#pragma ll end walk"));
    place.cll(&["cc", "-c", "walk.c"]).expect(3).says(&["ll"]);
}

#[test]
fn what_is_not_c_is_no_harm() {
    let place = Place::new();
    place.write("noise.c", (0..=255u8).cycle().take(5000).collect::<Vec<u8>>());
    place.cll(&["translate", "noise.c"]).expect(0);
    assert_eq!(place.bytes("noise.cll.c"), place.bytes("noise.c"));
    place.cll(&["cc", "-c", "noise.c"]).expect(1);
    place.cll(&["model", "noise.c"]).expect(3);
    place.cll(&["translate", "nowhere.c"]).expect(3).says(&["nowhere.c", "no such file"]);
    place.write("folder/x", "");
    place.cll(&["translate", "folder"]).expect(3).says(&["folder"]);
}

#[test]
fn tables_that_are_wrong() {
    let place = Place::new();
    for (name, text, parts) in [
        ("empty", "", &["empty"][..]),
        ("blank", " \n\n", &["empty"]),
        ("header", "N,time\n", &["no row"]),
        ("numbers", "1,2\n3,4\n", &["is a number where a column's name"]),
        ("words", "N,time\n1,x\n", &["line 2, column 2", "`x`"]),
        ("fields", "N,time\n1\n", &["line 2", "1 field, and there are 2 columns"]),
        ("twice", "N,N\n1,2\n", &["two columns"]),
        ("binary", "N,time\n\0\x01", &["binary"]),
        ("json", "{\"a\": 1}", &["JSON"]),
    ] {
        place.write(name, text);
        let done = place.cll(&["fit", name, "--formula", "f[0] + f[1]*N"]).expect(3);
        done.says(&[name]).says(parts);
    }
    place.write("a.csv", "N,time\n1,2\n");
    place.cll(&["fit", "a.csv", "a.csv", "--formula", "f[0]"]).expect(2).says(&["one table"]);
    place
        .cll(&["fit", "a.csv", "--formula", "f[0]", "--column", "cycles"])
        .expect(3)
        .says(&["no column `cycles`", "time"]);
}

#[test]
fn data_that_cannot_be_fitted() {
    let place = Place::new();
    for (name, rows, parts) in [
        ("one", "1,2\n", &["1 distinct points for 2 constants"][..]),
        ("negative", "1,-2\n2,-3\n3,-1\n4,-4\n", &["zero or negative"]),
        ("zero", "1,0\n2,0\n3,0\n", &["zero or negative"]),
        ("nan", "1,nan\n2,3\n", &["1 row is left out", "NaN", "1 distinct points"]),
        ("infinite", "1,1e999\n2,3\n", &["1 row is left out", "inf", "1 distinct points"]),
        ("alike", "5,1\n5,2\n5,1\n", &["1 distinct points"]),
    ] {
        place.write(name, format!("N,time\n{rows}"));
        place
            .cll(&["fit", name, "--formula", "f[0] + f[1]*N"])
            .expect(6)
            .prints(&["cannot be fitted"])
            .prints(parts);
    }
    place.write("same", "N,P,time\n1,4,5\n2,4,7\n3,4,9\n4,4,11\n5,4,13\n");
    let done = place.cll(&["fit", "same", "--formula", "f[0] + f[1]*N + f[2]*P"]).expect(0);
    done.prints(&["f[0]", "f[2]", "P"]);
    let done = place
        .cll(&["fit", "same", "--formula", "f[0] + f[1]*N + f[2]*P", "--json"])
        .expect(0)
        .json();
    let codes: Vec<_> = done["experiments"][0]["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["code"].clone())
        .collect();
    assert!(codes.contains(&"undetermined".into()), "{codes:?}");
    place.write("constant", "N,time\n1,5\n2,5\n3,5\n4,5\n");
    place.cll(&["fit", "constant", "--formula", "f[0] + f[1]*N"]).expect(0).prints(&["all-alike"]);
}

#[test]
fn every_fit_can_be_kept_and_read_again() {
    // Numbers that JSON has no word for must not make a model that cannot be read.
    let place = Place::new();
    for (name, rows) in [
        ("alike", "1,5\n2,5\n3,5\n4,5\n"),
        ("exact", "1,1\n2,2\n3,3\n4,4\n5,5\n"),
        ("two", "1,1\n2,2\n"),
        ("tiny", "1,1e-300\n2,2e-300\n3,3.1e-300\n4,4e-300\n"),
        ("huge", "1,1e300\n2,2e300\n3,3e300\n4,4.1e300\n"),
        ("mixed", "1,-1\n2,2\n3,3.1\n4,4\n5,5.2\n"),
    ] {
        place.write(name, format!("N,time\n{rows}"));
        for formula in ["f[0] + f[1]*N", "f[0] + f[1]*N + f[2]*2*N", "f[0]*N"] {
            let done = place.cll(&["fit", name, "--formula", formula, "-o", "m.json"]);
            if done.code == 0 {
                let predicted = place.cll(&["predict", "m.json", "--at", "N=3"]);
                assert!(predicted.code == 0 || predicted.code == 2, "{name}: {}", predicted.err);
                let again = place.cll(&["plot", "m.json"]);
                assert_eq!(again.code, 0, "{name}: {formula}: {}", again.err);
            }
        }
    }
}

#[test]
fn traces_cut_at_any_place_are_read_up_to_there() {
    let place = Place::with_walk();
    place.build("walk");
    place.cll(&["run", "./walk", "500"]).expect(0);
    let whole = place.bytes("walk.cll.0.dat");
    for length in (0..whole.len()).step_by(whole.len() / 40 + 1) {
        place.write("cut.dat", &whole[..length]);
        let done = place.cll(&["export", "cut.dat"]);
        assert!([0, 3].contains(&done.code), "{length}: {}", done.err);
        assert!(!done.err.is_empty() || length == 0, "{length}: nothing is said");
        let done = place.cll(&["fit", "cut.dat"]);
        assert!([3, 6].contains(&done.code), "{length}: {}", done.err);
        let mut damaged = whole.clone();
        damaged[length] ^= 0x55;
        place.write("damaged.dat", &damaged);
        let done = place.cll(&["export", "damaged.dat"]);
        assert!([0, 3].contains(&done.code), "{length}: {}", done.err);
    }
    place.write("empty.dat", "");
    place.cll(&["export", "empty.dat"]).expect(3).says(&["empty.dat", "empty"]);
    place.cll(&["export", "walk.c"]).expect(3).says(&["walk.c", "no trace"]);
    place.cll(&["export", "nowhere.dat"]).expect(3).says(&["nowhere.dat"]);
    place.write("folder/x", "");
    place.cll(&["export", "folder"]).expect(3).says(&["no trace"]);
}
