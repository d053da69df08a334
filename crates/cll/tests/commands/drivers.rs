//! Compiler drivers of one word, and the names of other BSPlibs' drivers.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{Done, Place, have};

const HEADER: &str = "void bsp_begin(int), bsp_end(void), bsp_sync(void);\nint bsp_nprocs(void), bsp_pid(void);\n\
                      void bsp_push_reg(const void *, int), bsp_get_tag(int *, void *);\n\
                      void bsp_put(int, const void *, void *, int, int);\n";

const RING: &str = r#"#include <stdio.h>
#include "bsp.h"
int main(void)
{
    int left = -1, p, s;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    bsp_push_reg(&left, sizeof left);
    bsp_sync();
    bsp_put((s + 1) % p, &s, &left, 0, sizeof s);
    bsp_sync();
    if (s == 0) printf("%d of %d\n", left, p);
    bsp_end();
    return 0;
}
"#;

/// A place with an installation, and a line for `sh` that finds its programs.
fn installed(options: &[&str]) -> Place {
    let place = Place::with_walk();
    place.cll(&[&["install", "--prefix", "prefix"], options].concat()).expect(0);
    place
}

fn sh(place: &Place, line: &str) -> Done {
    place.sh(&format!("PATH=\"$PWD/prefix/bin:$PATH\"; {line}"))
}

#[test]
fn a_script_finds_the_driver_by_which() {
    let place = installed(&[]);
    sh(&place, "CC=cllcc; test -x \"$(command -v $CC)\" && $CC -O2 walk.c -o walk").expect(0);
    place.cll(&["run", "./walk"]).expect(0).prints(&["ok"]);
    let version = |name: &str| sh(&place, &format!("{name} --version")).expect(0).out;
    assert_eq!(version("cllcc"), version("cc"));
    sh(&place, "CLL_CXX='echo CLL_CXX' cllc++ --version").expect(0).prints(&["CLL_CXX --version"]);
    sh(&place, "CLL_MPICC='echo CLL_MPICC' cllmpicc --version")
        .expect(0)
        .prints(&["CLL_MPICC --version"]);
    sh(&place, "CLL_MPICXX='echo CLL_MPICXX' cllmpicxx --version")
        .expect(0)
        .prints(&["CLL_MPICXX --version"]);
    sh(&place, "CLL_CC=cllcc cllcc walk.c").expect(2).says(&["the compiler that cll cc calls"]);
    sh(&place, "CLL_CC='ccache cllcc' cllcc walk.c")
        .expect(2)
        .says(&["the compiler that cll cc calls"]);
    sh(&place, "cllcc --help").expect(0).prints(&["cll cc"]);
}

#[test]
fn cmake_takes_the_drivers_for_compilers() {
    if !have("cmake", "cmake_takes_the_drivers_for_compilers") {
        return;
    }
    let place = installed(&[]);
    let sum = "#include <vector>\nextern \"C\" double part(int N)\n{\n    double s = 0;\n    std::vector<double> v(N);\n\
               #pragma cll sum sum[0]*N\n    for (auto x : v) s += x;\n#pragma cll end sum\n    return s;\n}\n";
    let walk =
        place.read("walk.c").replace("static double walk", "double part(int);\nstatic double walk");
    place.write("src/walk.c", walk.replace("    free(a);", "    part(N);\n    free(a);"));
    place.write("src/sum.cc", sum);
    place.write(
        "src/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\nproject(walk C CXX)\nadd_executable(walk walk.c sum.cc)\n",
    );
    sh(
        &place,
        "cmake -S src -B build -DCMAKE_C_COMPILER=cllcc -DCMAKE_CXX_COMPILER=cllc++ && cmake --build build",
    )
    .expect(0);
    place.cll(&["run", "build/walk"]).expect(0).prints(&["ok"]);
    let done = place.cll(&["export", "walk.cll.0.dat", "--format", "csv"]).expect(0);
    for name in ["walk", "sum"] {
        assert!(done.out.lines().any(|line| line.starts_with(name)), "{name}: {}", done.out);
    }
}

#[test]
fn a_header_of_another_bsplib_is_linked_with_libbsp() {
    let place = Place::new();
    place.write("ring.c", RING);
    place.write("other/bsp.h", HEADER);
    place.cll(&["cc", "-O2", "-Iother", "ring.c", "-o", "ring"]).expect(0);
    place.cll(&["run", "-n", "3", "./ring"]).expect(0).prints(&["2 of 3"]);
    // What the program defines itself is used.
    place.write("own.c", "int bsp_nprocs(void) { return 2; }\n");
    place.cll(&["cc", "-O2", "-Iother", "ring.c", "own.c", "-o", "ring"]).expect(0);
    place.cll(&["run", "-n", "2", "./ring"]).expect(0).prints(&["1 of 2"]);
}

#[test]
fn a_header_with_other_sizes_is_reported() {
    let place = Place::new();
    place.write("ring.c", RING);
    let sizes = HEADER
        .replace("void bsp_begin", "#include <stddef.h>\nvoid bsp_begin")
        .replace("bsp_get_tag(int *,", "bsp_get_tag(size_t *const,");
    place.write("other/bsp.h", sizes);
    place.write("int/bsp.h", HEADER);
    let done = place.cll(&["cc", "-Iother", "-c", "ring.c"]).expect(0);
    done.says(&["ring.c", "size_t", "-DBSP_SIZE_T"]);
    for header in ["-Iint", "-DBSP_SIZE_T"] {
        let done = place.cll(&["cc", header, "-c", "ring.c"]).expect(0);
        assert_eq!(done.err, "", "{header}");
    }
}

#[test]
fn drivers_of_other_bsplibs_understand_their_options() {
    let place = installed(&["--bsp-names"]);
    place.write("ring.c", RING);
    // Each option: in the tests of the crate `driver`.
    sh(&place, "bspcc -flibrary-level 2 -prof -cflags '-Wall -DX=1' ring.c -o ring")
        .expect(0)
        .says(&["-prof", "cll run --log"]);
    for count in ["-n 3", "-np 3", "-npes 3"] {
        sh(&place, &format!("bsprun {count} ./ring")).expect(0).prints(&["2 of 3"]);
    }
    place.write("ring.cc", RING);
    sh(&place, "bspcxx ring.cc -o ring && bsprun -np 2 --engine processes ./ring")
        .expect(0)
        .prints(&["1 of 2"]);
}

#[test]
fn the_driver_of_another_bsplib_is_not_replaced() {
    let place = Place::new();
    let script = "#!/bin/sh\necho another\n";
    for prefix in ["p", "path"] {
        place.write(&format!("{prefix}/bin/bspcc"), script);
        let path = place.path(&format!("{prefix}/bin/bspcc"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
        .cll(&["install", "--prefix", "p", "--bsp-names"])
        .expect(7)
        .says(&["bin/bspcc", "is not a link of cll"]);
    assert_eq!(place.read("p/bin/bspcc"), script);
    assert!(!place.exists("p/bin/cll"), "nothing is written then");
    // Without the option it is none of our business.
    place.cll(&["install", "--prefix", "p"]).expect(0);
    assert!(!place.exists("p/bin/bsprun"));
    let done =
        place.sh("PATH=\"$PWD/path/bin:$PATH\"; cll install --prefix q --bsp-names").expect(0);
    done.says(&["path/bin/bspcc", "another BSPlib"]);
    assert_eq!(fs::read_link(place.path("q/bin/bspcc")).unwrap(), Path::new("cll"));
    place.cll(&["install", "--prefix", "q", "--bsp-names"]).expect(0);
}
