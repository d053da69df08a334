//! `cll profile show`: call paths through static functions, recursion, inlining, shared objects, C++, tail calls.

use serde_json::Value;

use crate::support::{Place, have};

const MAIN: &str = r#"#include <bsp.h>

#define APART __attribute__((noinline))

void through(void (*then)(void));
void grid(void (*then)(void));

static volatile int sum;

static void APART stops(void)
{
    bsp_sync();
    sum++;
}

static void APART recursive(int times)
{
    if (times > 0)
        recursive(times - 1);
    else
        stops();
    sum++;
}

static inline __attribute__((always_inline)) void put_in(void)
{
    stops();
    sum++;
}

static void APART has_it_in(void)
{
    put_in();
    sum++;
}

static void APART leaves(void (*then)(void))
{
    sum++;
    then();
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    recursive(2);
    has_it_in();
    through(stops);
    grid(stops);
    leaves(stops);
    sum++;
    bsp_end();
    return 0;
}
"#;

const SHARED: &str = "static volatile int sum;
static void __attribute__((noinline)) inside(void (*then)(void)) { then(); sum++; }
void through(void (*then)(void)) { inside(then); sum++; }
";

const CLASSES: &str = "static volatile int sum;
namespace solver {
template <class T> struct Grid {
    __attribute__((noinline)) void step(void (*then)(), T by) { then(); sum = sum + int(by); }
};
}
extern \"C\" void grid(void (*then)()) { solver::Grid<double> g; g.step(then, 1.5); sum = sum + 1; }
";

/// The path of functions to each place, from main.
fn paths(profile: &Value) -> Vec<String> {
    let nodes = profile["profile"]["nodes"].as_array().unwrap();
    let name = |node: &Value| {
        let kind = &node["kind"];
        let mark = match (kind["inlined"].as_bool(), kind["tail_called"].as_bool()) {
            (Some(true), _) => " (inlined)",
            (_, Some(true)) => " (left)",
            _ => "",
        };
        kind["function"].as_str().map(|name| format!("{name}{mark}"))
    };
    let centres = nodes.iter().filter(|node| node["kind"]["kind"] == "centre");
    let paths = centres.map(|centre| {
        let above = std::iter::successors(Some(centre), |node| {
            node["parent"].as_u64().map(|parent| &nodes[parent as usize])
        });
        let mut names: Vec<String> = above.filter_map(name).collect();
        names.reverse();
        names.join(" > ")
    });
    paths.collect()
}

#[test]
fn functions_of_every_kind_lie_on_the_paths() {
    if !have("g++", "profile: names") {
        return;
    }
    let place = Place::new();
    for (name, text) in [("main.c", MAIN), ("shared.c", SHARED), ("classes.cpp", CLASSES)] {
        place.write(name, text);
    }
    place.sh("gcc -O2 -g -fPIC -shared shared.c -o libshared.so").expect(0);
    place.sh("g++ -O2 -g -c classes.cpp").expect(0);
    place
        .sh("cll cc -O2 -g main.c classes.o ./libshared.so -Wl,-rpath,. -o names -lstdc++")
        .expect(0);
    place.cll(&["run", "-n", "2", "--log", "./names"]).expect(0);
    let log = "names.cll.0.log";
    let json = place.cll(&["profile", "show", log, "--json"]).expect(0).json();
    assert_eq!(
        paths(&json),
        [
            "main > recursive > recursive > recursive > stops",
            "main > has_it_in > put_in (inlined) > stops",
            "main > through > inside > stops",
            "main > grid > solver::Grid<double>::step(void (*)(), double) > stops",
            "main > leaves (left) > stops",
        ]
    );
    place.cll(&["profile", "show", log]).expect(0).prints(&[
        "put_in (inlined)",
        "leaves (left by a tail call)",
        "solver::Grid<double>::step",
    ]);
    place.cll(&["profile", "show", log, "--view", "graph"]).expect(0).prints(&[
        "recursive (recursive)",
        "from recursive",
        "from leaves",
    ]);
    // In the graph each is one function: what a recursion has counts once.
    let graph = json["graph"]["nodes"].as_array().unwrap();
    let supersteps = |name: &str| {
        let value = graph.iter().find(|node| node["kind"]["function"] == name).unwrap();
        (value["costs"]["supersteps"].as_f64().unwrap(), value["recursive"].as_bool().unwrap())
    };
    assert_eq!((supersteps("recursive"), supersteps("stops")), ((1.0, true), (5.0, false)));
    // A library that is not there any more leaves its address; the rest stays.
    std::fs::remove_file(place.path("libshared.so")).unwrap();
    let json = place.cll(&["profile", "show", log, "--json"]).expect(0).json();
    let through = paths(&json).swap_remove(2);
    assert!(through.contains("libshared.so+0x") && through.ends_with("> stops"), "{through}");
}
