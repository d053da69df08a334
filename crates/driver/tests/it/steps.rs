//! The commands carried out: by a compiler that writes what it was told.

use std::path::Path;

use cll_driver::Driver;

use crate::support::{Heard, PART, Place, WALK};

/// Adds its arguments to `log`. It fails for a file `bad.c`; else it writes what `-o` and `-MF` name, dependencies with
/// the names of its sources, and to standard output their text if that is wanted.
const COMPILER: &str = r##"own=$(dirname "$0")
echo "$*" >> "$own/log"
out= deps= product=link code=0 sources=
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2; shift ;;
    -MF) deps=$2; shift ;;
    -MT | -x | -isystem | -iquote) shift ;;
    -E) product=text ;;
    -*) ;;
    *bad.c) echo bad >&2; code=1 ;;
    *.c) sources="$sources $1" ;;
    esac
    shift
done
[ $code = 0 ] || exit $code
case $product in
text) for source in $sources; do echo "# 1 \"$source\""; done | if [ "$out" ]; then cat > "$out"; else cat; fi ;;
*) [ -z "$out" ] || echo "$sources" > "$out" ;;
esac
[ -z "$deps" ] || for source in $sources; do echo "x.o: $source $(dirname "$source")/walk.cll.h"; done > "$deps"
exit 0
"##;

fn place() -> Place {
    let place = Place::new();
    place.script("compiler", COMPILER);
    place.write("bad.c", WALK);
    place.write("other/bad.c", WALK);
    place
}

fn call(place: &Place, line: &str) -> (u8, Heard) {
    let (result, heard) = place.call(&format!("--launch DIR/compiler {line}"), Driver::default());
    (result.unwrap(), heard)
}

/// The work folders of compilations that are not here any more.
fn is_gone(log: &str) -> bool {
    let words =
        log.split_whitespace().filter(|word| word.contains("cll-cc-") && !word.contains('='));
    let all: Vec<&str> = words.collect();
    assert!(!all.is_empty(), "{log}");
    all.iter().all(|word| !Path::new(word).exists())
}

#[test]
fn the_folder_is_removed_when_all_is_done() {
    let place = place();
    assert_eq!(call(&place, "-c DIR/walk.c -o DIR/walk.o").0, 0);
    assert!(place.read("walk.o").contains("walk.c"));
    assert!(is_gone(&place.read("log")));
    assert_eq!(call(&place, "-c DIR/bad.c").0, 1);
    assert!(is_gone(&place.read("log")));
}

#[test]
fn the_other_files_are_compiled_all_the_same_and_nothing_is_linked() {
    let place = place();
    assert_eq!(call(&place, "DIR/other/bad.c DIR/walk.c -o DIR/w").0, 1);
    let log = place.named(&place.read("log"));
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].contains("WORK/0/bad.c") && lines[1].contains("WORK/1/walk.c"), "{log}");
    assert!(lines[2..].iter().all(|line| line.contains("-E -P -x c -")), "only a question: {log}");
    assert!(!place.path().join("w").exists());
    // With all of them right the objects are linked.
    place.write("log", "");
    assert_eq!(call(&place, "DIR/sub/walk.c DIR/walk.c -o DIR/w").0, 0);
    let log = place.named(&place.read("log"));
    let last = log.lines().last().unwrap();
    assert!(last.contains("WORK/0/walk.c.o WORK/1/walk.c.o -o DIR/w"), "{log}");
}

#[test]
fn dependencies_are_those_of_the_users_files() {
    let place = place();
    call(&place, "-MMD -MF DIR/deps -c DIR/walk.c -o DIR/walk.o");
    let deps = place.named(&place.read("deps"));
    assert!(
        deps.starts_with("x.o: DIR/walk.c") && !deps.contains("WORK") && !deps.contains("cll.h"),
        "{deps}"
    );
}

#[test]
fn preprocessed_text_names_the_users_file() {
    let place = place();
    let (code, heard) = call(&place, "-E DIR/walk.c");
    assert_eq!((code, place.named(&heard.printed).as_str()), (0, "# 1 \"DIR/walk.c\"\n"));
    assert_eq!(call(&place, "-E DIR/walk.c -o DIR/walk.i").0, 0);
    assert_eq!(place.named(&place.read("walk.i")), "# 1 \"DIR/walk.c\"\n");
    let (_, heard) = call(&place, "-E DIR/walk.c DIR/sub/walk.c");
    assert_eq!(place.named(&heard.printed), "# 1 \"DIR/walk.c\"\n# 1 \"DIR/sub/walk.c\"\n");
}

#[test]
fn words_may_come_from_files() {
    let place = place();
    let folder = place.path().display().to_string();
    place.write("args", &format!("-O1 '{folder}/part.c'\n -o \"{folder}/my prog\""));
    assert_eq!(call(&place, "@DIR/args").0, 0);
    let log = place.named(&place.read("log"));
    assert!(log.starts_with("-O1 DIR/part.c -o DIR/my prog -isystem LIB"), "{log}");
    assert!(place.read("my prog").contains("part.c"));
}

/// The compiler itself reports the files that it cannot find.
#[test]
fn a_source_that_does_not_exist_is_left_to_the_compiler() {
    let place = place();
    call(&place, "-c DIR/none.c");
    let log = place.named(&place.read("log"));
    assert_eq!(log, "-c DIR/none.c -isystem LIB\n");
    place.write("log", "");
    place.write("part.c", &PART.replace('3', "4"));
    call(&place, "-c DIR/part.c");
    assert_eq!(place.named(&place.read("log")), "-c DIR/part.c -isystem LIB\n");
}
