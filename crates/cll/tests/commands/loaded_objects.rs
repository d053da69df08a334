//! Instrumented shared objects that a program opens, calls and closes.

use crate::support::{Done, Place};

/// Opens each argument after the first twice, in `main` and in a thread, calls it and closes it if the first
/// argument is 1.
const HOST: &str = r#"#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int closes;
static int use(const char *file)
{
    int k;
    double (*plug)(int);
    void *object = dlopen(file, RTLD_NOW);
    if (!object) { puts(dlerror()); return 1; }
    plug = (double (*)(int))dlsym(object, "plug");
    for (k = 0; k < 100; k++)
        if (plug(10) != 45) return 2;
    return closes ? dlclose(object) : 0;
}
static void *in_thread(void *file) { return use(file) ? file : 0; }
int main(int argc, char **argv)
{
    int i, N = 5;
#pragma cll host host[0]*N
    N++;
#pragma cll end host
    closes = atoi(argv[1]);
    for (i = 2; i < argc; i++) {
        pthread_t thread;
        void *wrong;
        if (use(argv[i])) return 1;
        pthread_create(&thread, 0, in_thread, argv[i]);
        pthread_join(thread, &wrong);
        if (wrong) return 2;
    }
    puts("done");
    return 0;
}
"#;

fn place() -> Place {
    let place = Place::new();
    for name in ["one", "two"] {
        let text = "double plug(int N)\n{\n    double s = 0;\n    int i;\n#pragma cll NAME NAME[0] + NAME[1]*N\n    \
                    for (i = 0; i < N; i++) s += i;\n#pragma cll end NAME\n    return s;\n}\n";
        place.write(&format!("{name}.c"), text.replace("NAME", name));
        let (source, object) = (format!("{name}.c"), format!("{name}.so"));
        place.cll(&["cc", "-shared", "-fPIC", &source, "-o", &object]).expect(0);
    }
    place.write("host.c", HOST);
    place.sh("gcc -w host.c -o other -ldl -lpthread").expect(0);
    place.cll(&["cc", "host.c", "-o", "own", "-ldl", "-lpthread"]).expect(0);
    place
}

/// How many samples of each experiment the traces hold together; nothing may be damaged.
fn samples(place: &Place, names: &[&str]) -> Vec<usize> {
    let traces: Vec<String> =
        place.list(".").into_iter().filter(|name| name.ends_with(".dat")).collect();
    let mut lines = String::new();
    for trace in &traces {
        let done = place.cll(&["export", trace, "--format", "csv"]).expect(0);
        assert!(!done.err.contains("lost"), "{}", done.err);
        lines += &done.out;
        std::fs::remove_file(place.path(trace)).unwrap();
    }
    let count = |name: &&str| lines.lines().filter(|line| line.starts_with(*name)).count();
    names.iter().map(count).collect()
}

fn well(done: Done) {
    let done = done.expect(0).prints(&["done"]);
    assert!(!done.err.contains("lost"), "{}", done.err);
}

#[test]
fn they_may_be_closed_by_any_program_with_and_without_a_launcher() {
    let place = place();
    for closes in ["0", "1"] {
        for (objects, expected) in
            [(&["./one.so"][..], [200, 0]), (&["./one.so", "./two.so", "./one.so"], [400, 200])]
        {
            let arguments = [&["./other", closes], objects].concat();
            well(place.sh(&arguments.join(" ")));
            assert_eq!(samples(&place, &["one", "two"]), expected, "{arguments:?}");
            well(place.cll(&[&["run"], &arguments[..]].concat()));
            assert_eq!(samples(&place, &["one", "two"]), expected, "cll run {arguments:?}");
        }
    }
}

#[test]
fn in_a_program_of_ours_they_use_its_library() {
    let place = place();
    for closes in ["0", "1"] {
        well(place.cll(&["run", "./own", closes, "./one.so", "./two.so", "./one.so"]));
        assert_eq!(samples(&place, &["host", "one", "two"]), [1, 400, 200]);
    }
}

#[test]
fn a_program_without_our_libraries_is_reported_at_its_end() {
    let place = place();
    place.cll(&["run", "./other", "0"]).expect(0).says(&["nothing was recorded", "./other"]);
    assert!(!place.list(".").iter().any(|name| name.ends_with(".dat")));
}
