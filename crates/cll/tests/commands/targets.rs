//! Programs that are linked in other ways, or for other targets.

use std::process::Command;

use crate::support::{Place, have, skip};

#[test]
fn static_programs_run_whether_position_independent_or_not() {
    let place = Place::with_walk();
    for flags in [&["-static"][..], &["-static-pie"], &["-static-pie", "-fPIE", "-O2"]] {
        let arguments = [&["cc"], flags, &["walk.c", "-o", "walk"]].concat();
        place.cll(&arguments).expect(0);
        place.cll(&["run", "./walk"]).expect(0).prints(&["ok"]);
    }
    let model =
        ["model", "walk.c", "--vary", "N=1000,2000", "--launches", "1", "--cflags", "-static-pie"];
    place.cll(&[&model[..], &["--", "{N}"]].concat()).expect(0);
}

#[test]
fn what_the_library_cannot_be_linked_for_is_reported() {
    let place = Place::with_walk();
    place.write("plain.c", "int main(void) { return 0; }\n");
    let makes_32_bits = |place: &Place| {
        let mut command = Command::new("gcc");
        command.args(["-m32", "plain.c", "-o", "plain"]).current_dir(place.path("."));
        command.output().is_ok_and(|done| done.status.success())
    };
    if makes_32_bits(&place) {
        place.cll(&["cc", "-m32", "plain.c", "-o", "plain"]).expect(0);
        let done = place.cll(&["cc", "-m32", "walk.c", "-o", "walk"]).expect(1);
        done.says(&["32-bit pointers", "libcll is for"]);
    } else {
        skip("what_the_library_cannot_be_linked_for_is_reported", "gcc -m32 links nothing here");
    }
    if have("musl-gcc", "what_the_library_cannot_be_linked_for_is_reported") {
        let musl = [("CLL_CC", "musl-gcc")];
        place.cll_with(&musl, &["cc", "plain.c", "-o", "plain"]).expect(0);
        place
            .cll_with(&musl, &["cc", "walk.c", "-o", "walk"])
            .expect(1)
            .says(&["musl", "libcll is for"]);
        let shared = ["cc", "-shared", "-fPIC"];
        let walk = [&shared[..], &["walk.c", "-o", "walk.so"]].concat();
        place.cll_with(&musl, &walk).expect(0).says(&["musl", "libcll is for"]);
        let plain = [&shared[..], &["plain.c", "-o", "plain.so"]].concat();
        assert_eq!(place.cll_with(&musl, &plain).expect(0).err, "");
        assert_eq!(place.cll(&walk).expect(0).err, "");
        place.cll_with(&musl, &["model", "walk.c"]).expect(4).says(&["musl", "libcll is for"]);
    }
    // What is wrong with the program itself has nothing to do with it.
    place.write("bad.c", "int there(void); int main(void) { return there(); }\n");
    let done = place.cll(&["cc", "bad.c"]).expect(1);
    assert!(!done.err.contains("libcll is for"), "{}", done.err);
}
