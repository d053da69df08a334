//! How each call that ended a superstep was reached, as a log tells it: return addresses, which become
//! functions by what the program's files say.

use std::collections::HashMap;
use std::fs;

use cll_supersteps::{Log, Processor};
use cll_symbols::{Frame, Object, ReturnAddress, resolve};

use crate::parts_of_time::checked;
use crate::support::{Place, have};

/// Compiles by a line of `sh`, runs on two processors, and reads the log.
fn logged(place: &Place, build: &str, arguments: &[&str]) -> Log {
    place.sh(build).expect(0);
    let mut line = vec!["run", "-n", "2", "--log"];
    line.extend(arguments);
    place.cll(&line).expect(0);
    let logs: Vec<String> =
        place.list(".").into_iter().filter(|name| name.ends_with(".log")).collect();
    let log = cll_supersteps::read(fs::File::open(place.path(logs.last().unwrap())).unwrap());
    let log = checked(log.unwrap());
    assert_eq!(log.damage, []);
    log
}

/// The path of each superstep of a processor, innermost first and up to `main`, as names; `(name)` was
/// inlined, `name*` left by a tail call.
pub fn paths(processor: &Processor) -> Vec<Vec<String>> {
    let objects: HashMap<u32, Object> = processor
        .modules
        .iter()
        .filter_map(|module| {
            let object = Object::parse(&fs::read(&module.path).ok()?).ok()?;
            let build: String =
                object.build_id().unwrap_or_default().iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(build, module.build, "{}", module.path);
            Some((module.id, object))
        })
        .collect();
    let name = |frame: &Frame| match frame {
        Frame { function, inlined: true, .. } => format!("({function})"),
        Frame { function, tail_called: true, .. } => format!("{function}*"),
        Frame { function, .. } => function.clone(),
    };
    let path = |superstep| {
        let path = &processor.point(superstep).expect("a point").path;
        let calls: Vec<ReturnAddress<'_>> = path
            .iter()
            .map(|&(module, address)| ReturnAddress { object: objects.get(&module), address })
            .collect();
        let frames = resolve(&calls, |symbol| symbol.starts_with("cll_")).concat();
        let mut names: Vec<String> = frames.iter().map(name).collect();
        if let Some(main) = names.iter().position(|name| name == "main") {
            names.truncate(main + 1);
        }
        names
    };
    processor.supersteps.iter().map(path).collect()
}

const LAST_CALLS: &str = r#"#include <bsp.h>

static volatile int count;

static void __attribute__((noinline)) step(void)
{
    count++;
    bsp_sync();
}

static void __attribute__((noinline)) told(void)
{
    static int all[64], one;
    count++;
    bsp_gather(0, &one, all, sizeof one);
}

static void __attribute__((noinline)) middle(void)
{
    count++;
    step();
}

static void __attribute__((noinline)) deep(int depth)
{
    if (depth > 0)
        deep(depth - 1);
    else
        step();
    count++;
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    step();
    told();
    middle();
    deep(0);
    deep(2);
    bsp_end();
    return 0;
}
"#;

#[test]
fn a_superstep_s_last_call_is_in_the_function_that_has_it() {
    let place = Place::new();
    place.write("last.c", LAST_CALLS);
    for flags in ["-O2 -g", "-O2", "-O2 -fomit-frame-pointer", "-O0", "-O3 -fno-plt -no-pie"] {
        let log = logged(&place, &format!("cll cc {flags} last.c -o last"), &["./last"]);
        for processor in &log.processors {
            let texts = paths(processor);
            assert_eq!(texts[0], ["step", "main"], "{flags}");
            assert_eq!(texts[1], ["told", "main"], "{flags}");
            // A function that ends in a call of the program's own is gone, and said to be.
            let middle = if flags.contains("-O0") { "middle" } else { "middle*" };
            let step: &[&str] = if flags.contains("-O0") { &["step"] } else { &[] };
            let expected = [step, &[middle, "main"]].concat();
            if flags.contains("-O0") {
                assert_eq!(texts[2], expected, "{flags}")
            } else {
                // What it called is known by the superstep's own function.
                assert_eq!(texts[2], ["step", "middle*", "main"], "{flags}")
            }
            assert_eq!(texts[3], ["step", "deep", "main"], "{flags}");
            assert_eq!(texts[4], ["step", "deep", "deep", "deep", "main"], "{flags}");
            assert_eq!(texts[5], ["main"], "{flags}");
        }
    }
}

#[test]
fn paths_on_every_engine_are_the_same() {
    let place = Place::new();
    place.write("last.c", LAST_CALLS);
    let build = "cll cc --engine threads -O2 -g last.c -o last";
    let expected = paths(&logged(&place, build, &["./last"]).processors[0]);
    assert_eq!(expected.len(), 6);
    for engine in ["threads", "virtual"] {
        let log = logged(&place, "true", &["--engine", engine, "./last"]);
        for processor in &log.processors {
            assert_eq!(paths(processor), expected, "{engine}: {:?}", processor.modules);
        }
    }
}

/// A frame whose size varies, so that the same place of the stack is reached by different paths.
#[test]
fn frames_of_varying_size_do_not_mix_paths_up() {
    let place = Place::new();
    place.write(
        "vary.c",
        r#"#include <bsp.h>
#include <alloca.h>
#include <stdint.h>

static volatile int count;

static void __attribute__((noinline)) step(uintptr_t target)
{
    /* As much stack as it takes to call from the same place of it. */
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    volatile char *room = alloca(here - target);
    (void)room;
    bsp_sync();
    count++;
}

static void __attribute__((noinline)) one(uintptr_t target) { step(target); count++; }
static void __attribute__((noinline)) two(uintptr_t target)
{
    volatile char room[64];
    room[0] = 0;
    step(target);
    count++;
}

int main(void)
{
    int i;
    bsp_begin(bsp_nprocs());
    for (i = 0; i < 6; i++) {
        uintptr_t target = ((uintptr_t)__builtin_frame_address(0) - 4096) & -(uintptr_t)256;
        if (i % 2 == 0) one(target); else two(target);
        if (i >= 3) step(target);
    }
    bsp_end();
    return 0;
}
"#,
    );
    let log = logged(&place, "cll cc -O2 -g vary.c -o vary", &["./vary"]);
    let found: Vec<String> = paths(&log.processors[0]).iter().map(|path| path.join(" ")).collect();
    let (first, two, main) = ("step one main", "step two main", "step main");
    assert_eq!(found, [first, two, first, two, main, first, main, two, main, "main"]);
}

#[test]
fn shared_objects_and_other_languages_lie_on_paths() {
    let test = "shared_objects_and_other_languages_lie_on_paths";
    if !have("g++", test) || !have("gfortran", test) {
        return;
    }
    let place = Place::new();
    place.write(
        "library.cpp",
        r#"#include <bsp.h>
static volatile int count;
namespace solver {
template <class T> struct Grid {
    __attribute__((noinline)) void step(T) { count = count + 1; bsp_sync(); }
};
}
extern "C" void (*stepper(void))(void)
{
    return [] { solver::Grid<double>().step(1); count = count + 1; };
}
"#,
    );
    place.write(
        "heat.f90",
        "module heat\ncontains\n  subroutine sweep(n)\n    integer, intent(in) :: n\n    integer, \
         volatile :: i\n    do i = 1, n\n      call back\n    end do\n  end subroutine\nend module\n\n\
         subroutine solve(n)\n  use heat\n  integer, intent(in) :: n\n  integer, volatile :: i\n  \
         call sweep(n)\n  i = n\nend subroutine\n",
    );
    place.write(
        "main.c",
        "#include <bsp.h>\nvoid (*stepper(void))(void);\nvoid solve_(int *);\nstatic volatile int count;\n\
         void back_(void)\n{\n    stepper()();\n    count++;\n}\n\
         int main(void)\n{\n    int n = 2;\n    bsp_begin(bsp_nprocs());\n    solve_(&n);\n    \
         bsp_end();\n    return 0;\n}\n",
    );
    let build = "set -e; CLL_CC=g++ cll cc -c -fPIC -O1 -g library.cpp -o library.o
        gcc -shared -Wl,--unresolved-symbols=ignore-all library.o -o liblibrary.so
        gfortran -c -O1 -g -fPIC heat.f90 -o heat.o
        cll cc -O1 -g -rdynamic main.c heat.o ./liblibrary.so -o program -lgfortran -lstdc++";
    let log = logged(&place, build, &["./program"]);
    let texts = paths(&log.processors[1]);
    let expected = [
        "solver::Grid<double>::step(double)",
        // What was inlined has no symbol, which alone would tell whose lambda it is.
        "(operator())",
        "stepper::{lambda()#1}::_FUN()",
        "back_",
        "heat::sweep",
        "solve",
        "main",
    ];
    assert_eq!(texts.len(), 3, "{texts:#?}");
    assert_eq!(texts[0], expected);
    assert_eq!(texts[1], expected);
}
