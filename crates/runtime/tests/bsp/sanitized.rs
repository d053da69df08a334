//! Situations and examples once more, their C compiled with AddressSanitizer and UBSan: where the
//! library reaches beyond an area, or an example does, they say so.

use crate::all::each;
use crate::build::{alone, played};
use crate::engines::{APART, Dialect};
use crate::examples::{examples, run_all};
use crate::situations::play;
use crate::stated::name_of;
use crate::surroundings::Surroundings;

const FLAGS: [&str; 3] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

#[test]
fn situations_with_sanitizers() {
    let program = played(Dialect::SizeT, &FLAGS);
    let surroundings = Surroundings::now();
    for engine in APART {
        for processors in [1, 3] {
            play(&program, &surroundings, engine, processors, &[]);
        }
    }
    surroundings.are_as_before();
}

#[test]
fn examples_with_sanitizers() {
    let surroundings = Surroundings::now();
    each(&examples(), |file| {
        let program = alone(file, &FLAGS);
        run_all(&name_of(file), &program, &surroundings, &APART, &[3])
    });
    surroundings.are_as_before();
}
