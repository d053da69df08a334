//! Files that are damaged, or something else.

#[path = "../../../../fuzz/src/symbols.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

use crate::support::Place;
use cll_symbols::{Error, Object};

#[test]
fn what_is_no_program_is_refused() {
    let unreadable = |bytes: &[u8]| match Object::parse(bytes) {
        Err(Error::Unreadable(_)) => {}
        other => panic!("{:?}", other.err()),
    };
    unreadable(b"");
    unreadable(b"#!/bin/sh\n");
    unreadable(b"\x7fELF");
    unreadable(&[0x7f; 100_000]);
    let place = Place::new();
    place.run("gcc -c $S/plain.c -o plain.o");
    let bytes = std::fs::read(place.path("plain.o")).unwrap();
    let error = Object::parse(&bytes).err().unwrap();
    let words =
        "this is not an executable or shared object, but an object file that was not linked";
    assert_eq!(error.to_string(), words);
}

#[test]
fn damage_is_survived() {
    let place = Place::new();
    place.run("gcc -O2 -g -nostartfiles -shared -fPIC $S/library.c -o dwarf5.so");
    place.run("gcc -O2 -gdwarf-4 -gz=zlib -nostartfiles -shared -fPIC $S/library.c -o dwarf4.so");
    place.run("gcc -O2 -m64 -shared -fPIC $S/library.c -o symbols.so");
    let seeds: Vec<Vec<u8>> = ["dwarf5.so", "dwarf4.so", "symbols.so"]
        .map(|name| std::fs::read(place.path(name)).unwrap())
        .into();
    let words =
        ["\0\0\0\0\0\0\0\0", "\u{7f}\u{7f}\u{7f}\u{7f}", "\u{1}", "\u{80}\u{80}\u{80}", ".symtab"];
    mutate::mutations(&seeds, &words, 0..2000, entry::check);
}

/// Bytes changed where they are most believed: in the headers and in the debug information.
#[test]
fn every_header_can_lie() {
    let place = Place::new();
    place.run("gcc -O2 -g -nostartfiles -shared -fPIC $S/library.c -o library.so");
    let good = std::fs::read(place.path("library.so")).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let sections = u64::from_le_bytes(good[40..48].try_into().unwrap()) as usize;
    for _ in 0..3000 {
        let mut bytes = good.clone();
        for _ in 0..random.usize(1..4) {
            let position = if random.bool() {
                random.usize(16..64)
            } else {
                random.usize(sections..bytes.len())
            };
            bytes[position] = random.u8(..);
        }
        entry::check(&bytes);
    }
}
