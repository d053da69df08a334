//! Wrong input of every kind: an exit code, nothing lost. What is said of it: `messages`.

use crate::support::Place;

#[test]
fn what_is_not_c_is_no_harm() {
    let place = Place::new();
    place.write("noise.c", (0..=255u8).cycle().take(5000).collect::<Vec<u8>>());
    place.cll(&["translate", "noise.c"]).expect(0);
    assert!(place.bytes("noise.cll.c").ends_with(&place.bytes("noise.c")));
    place.cll(&["cc", "-c", "noise.c"]).expect(1);
    place.cll(&["model", "noise.c"]).expect(3);
}

#[test]
fn data_that_cannot_be_fitted() {
    let place = Place::new();
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
    let fit = ["fit", "constant", "--formula", "f[0] + f[1]*N"];
    place.cll(&fit).expect(0).prints(&["every observation is 5.00 s", "not seen in the data"]);
    place.cll(&[&fit[..], &["--details"]].concat()).expect(0).prints(&["all-alike"]);
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
                assert!([0, 6].contains(&predicted.code), "{name}: {}", predicted.err);
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
    let trace = place.bytes("walk.cll.0.dat");
    for length in (0..trace.len()).step_by(trace.len() / 40 + 1) {
        place.write("cut.dat", &trace[..length]);
        let done = place.cll(&["export", "cut.dat"]);
        assert!([0, 3].contains(&done.code), "{length}: {}", done.err);
        assert!(!done.err.is_empty() || length == 0, "{length}: nothing is said");
        let done = place.cll(&["fit", "cut.dat"]);
        assert!([3, 6].contains(&done.code), "{length}: {}", done.err);
        let mut damaged = trace.clone();
        damaged[length] ^= 0x55;
        place.write("damaged.dat", &damaged);
        let done = place.cll(&["export", "damaged.dat"]);
        assert!([0, 3].contains(&done.code), "{length}: {}", done.err);
    }
}

#[test]
fn a_name_with_a_newline_stays_on_the_line_of_its_message() {
    let place = Place::new();
    let name = "odd\nerror: name";
    place.write(name, "no data");
    for command in ["fit", "predict", "plot", "page", "export", "profile", "upsilon"] {
        for file in [name, "missing\nerror: name"] {
            let at: &[&str] = if command == "predict" { &["--at", "N=1"] } else { &[] };
            let done = place.cll(&[&[command, file], at].concat());
            assert_ne!(done.code, 0, "{command}: {done:?}");
            assert!(done.err.contains("\\nerror: name"), "{command}: {}", done.err);
            assert!(!done.err.contains("\nerror: name"), "{command}: {}", done.err);
        }
    }
}

#[test]
fn a_value_without_its_option_is_answered_with_the_option() {
    let place = Place::new();
    place.cll(&["predict", "model.json", "N=abc"]).expect(2).says(&["N=abc", "'--at N=abc'"]);
}
