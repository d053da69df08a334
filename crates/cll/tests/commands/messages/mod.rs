//! Messages of commands about mistakes, whole: a file `AREA.txt` is a session. Each line `$ COMMAND` is run by `sh` in
//! the folder of the session; the lines `| ` below it are what it prints on both outputs, `? CODE` is its exit code if
//! that is not 0. Other lines are comments.
//!
//! `UPDATE_EXPECT=1 cargo nextest run -p cll -E 'test(/^messages::/)'` writes the files anew. A new message is a
//! new `$` line.

mod masked;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use expect_test::expect_file;

use self::masked::masked;
use crate::support::{Place, WALK};
use crate::{bsp, campaigns, data, machines, obsp, output_files, profile};

/// Runs a session, and compares what it prints with what is kept.
#[track_caller]
fn session(area: &str, place: &Place) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/messages");
    let path = folder.join(format!("{area}.txt"));
    let kept = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{area}: {error}"));
    let mut now = String::new();
    for line in kept.lines().filter(|line| !line.starts_with(['|', '?'])) {
        writeln!(now, "{line}").unwrap();
        let Some(command) = line.strip_prefix("$ ") else { continue };
        let done = place.sh(&format!("exec 2>&1\n{command}"));
        for line_text in masked(&done.out, place.path("").to_str().unwrap()).lines() {
            writeln!(now, "{}", format!("| {line_text}").trim_end()).unwrap();
        }
        if done.code != 0 {
            writeln!(now, "? {}", done.code).unwrap();
        }
    }
    expect_file![path].assert_eq(&now);
}

#[test]
fn command_lines() {
    session("command_lines", &Place::with_walk());
}

#[test]
fn sources() {
    session("sources", &Place::with_walk());
}

#[test]
fn tables() {
    session("tables", &Place::new());
}

#[test]
fn models() {
    session("models", &data::fitted());
}

#[test]
fn traces() {
    let place = Place::with_walk();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../trace/tests/fixtures");
    place.write("small.dat", fs::read(fixtures.join("v1-small.dat")).unwrap());
    session("traces", &place);
}

#[test]
fn measuring() {
    session("measuring", &Place::with_walk());
}

#[test]
fn machine_files() {
    let place = Place::new();
    place.write("right.toml", machines::CLUSTER);
    session("machine_files", &place);
}

#[test]
fn campaign_plans() {
    session("campaign_plans", &campaigns::with_work());
}

#[test]
fn descriptions() {
    let place = Place::new();
    place.write("slow.toml", obsp::machine("100 Mop/s"));
    session("descriptions", &place);
}

#[test]
fn profiles() {
    session("profiles", &profile::logged());
}

#[test]
fn outputs() {
    session("outputs", &output_files::place());
}

#[test]
fn launches() {
    let place = bsp::place();
    place.write("walk.c", WALK);
    session("launches", &place);
}
