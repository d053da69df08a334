//! `cll install`: what is there afterwards, and that programs are built with it.

use std::process::Command;

use crate::support::{Place, WALK, have, run};

fn installed() -> Place {
    let place = Place::with_walk();
    place.cll(&["install", "--prefix", "my prefix"]).expect(0).prints(&["my prefix"]);
    place
}

#[test]
fn everything_is_in_the_prefix() {
    let place = installed();
    for name in [
        "bin/cll",
        "lib/libcll.a",
        "lib/libcll.so",
        "lib/libbsp.a",
        "include/cll.h",
        "include/cll_mpi.h",
        "include/cll_mpi_sync.h",
        "include/cll_mpi_world.h",
        "include/bsp.h",
        "include/bsp_level1.h",
        "include/mcbsp.h",
        "include/pub.h",
        "include/pub/bsp.h",
        "lib/pkgconfig/cll.pc",
        "lib/cmake/cll/cll-config.cmake",
        "lib/cmake/cll/cll-config-version.cmake",
        "share/man/man1/cll.1",
        "share/man/man1/cll-model.1",
        "share/bash-completion/completions/cll",
        "share/zsh/site-functions/_cll",
        "share/fish/vendor_completions.d/cll.fish",
    ] {
        assert!(place.path("my prefix").join(name).is_file(), "{name}");
    }
    run(place.command(place.path("my prefix/bin/call")).arg("walk.c")).expect(0);
    assert!(place.exists("walk.cll.c"), "call is the translator");
    place.cll(&["install", "--prefix", "my prefix"]).expect(0);
}

#[test]
fn the_installed_program_finds_its_own_library() {
    let place = installed();
    let own = place.path("my prefix/bin/cll");
    let done = run(place.command(&own).args(["cc", "-show", "walk.c"])).expect(0);
    assert!(done.out.contains("my prefix/lib/libcll.a"), "{}", done.out);
    run(place.command(&own).args(["cc", "walk.c", "-o", "walk"])).expect(0);
    run(place.command(&own).args(["run", "./walk"])).expect(0).prints(&["ok"]);
}

#[test]
fn another_home_can_be_named() {
    let place = installed();
    let home = place.path("my prefix");
    let home = home.to_str().unwrap();
    let done = place.cll_with(&[("CLL_HOME", home)], &["cc", "-show", "walk.c"]).expect(0);
    assert!(done.out.contains("my prefix/include"), "{}", done.out);
    place
        .cll_with(&[("CLL_HOME", "/nowhere")], &["cc", "walk.c"])
        .expect(7)
        .says(&["CLL_HOME", "/nowhere"]);
}

#[test]
fn pkg_config_builds_a_program() {
    if !have("pkg-config", "pkg_config_builds_a_program") {
        return;
    }
    let place = Place::with_walk();
    place.cll(&["install", "--prefix", "with blank"]).expect(0);
    place.cll(&["translate", "walk.c"]).expect(0);
    place
        .sh(
            "export PKG_CONFIG_PATH=\"$PWD/with blank/lib/pkgconfig\"; pkg-config --modversion cll && eval gcc \
             $(pkg-config --cflags cll) walk.cll.c -o walk $(pkg-config --libs cll)",
        )
        .expect(0)
        .prints(&[env!("CARGO_PKG_VERSION")]);
    place.cll(&["run", "./walk"]).expect(0).prints(&["ok"]);
}

#[test]
fn cmake_builds_a_program() {
    if !have("cmake", "cmake_builds_a_program") {
        return;
    }
    let place = Place::new();
    place.write("src/walk.c", WALK);
    place.write(
        "src/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\nproject(walk C)\nfind_package(cll 0.1 REQUIRED)\nadd_executable(walk \
         walk.c)\ncll_translate(walk)\n",
    );
    place.cll(&["install", "--prefix", "prefix"]).expect(0);
    place
        .sh("cmake -S src -B build -DCMAKE_PREFIX_PATH=$PWD/prefix && cmake --build build")
        .expect(0);
    place.cll(&["run", "build/walk"]).expect(0).prints(&["ok"]);
    assert!(place.exists("walk.cll.0.dat"));
}

#[test]
fn the_shared_library_serves_programs_that_others_link() {
    let place = installed();
    place.cll(&["translate", "walk.c"]).expect(0);
    place
        .sh("gcc -I'my prefix/include' walk.cll.c -o walk -L'my prefix/lib' -lcll -Wl,-rpath,'$ORIGIN/my prefix/lib'")
        .expect(0);
    place.cll(&["run", "./walk"]).expect(0).prints(&["ok"]);
}

#[test]
fn packages_are_made_in_another_place() {
    let place = Place::new();
    let root = place.path("package");
    let mut command = place.command(crate::support::CLL);
    run(command.args(["install", "--prefix", "/usr"]).env("DESTDIR", &root)).expect(0);
    let text = place.read("package/usr/lib/pkgconfig/cll.pc");
    assert!(text.starts_with("prefix=/usr\n"), "{text}");
}

#[test]
fn what_is_not_ours_is_not_replaced() {
    let place = Place::new();
    place.write("p/bin/call", "#!/bin/sh\n");
    place.cll(&["install", "--prefix", "p"]).expect(7).says(&["bin/call", "is not a link of cll"]);
    assert_eq!(place.read("p/bin/call"), "#!/bin/sh\n");
    place.write("file", "");
    place.cll(&["install", "--prefix", "file"]).expect(7);
}

#[test]
fn the_archive_defines_nothing_else() {
    let place = installed();
    let table = Command::new("nm")
        .args(["-g", "--defined-only"])
        .arg(place.path("my prefix/lib/libcll.a"))
        .output()
        .unwrap();
    let text = String::from_utf8(table.stdout).unwrap();
    let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("cll_")), "{names:?}");
}
