//! Machines that say little of themselves: containers without rights, unknown processors, no huge pages; and files of machines
//! with wrong units and without their curves.

use crate::support::{Done, Place, have, skip};
use crate::why::WALKS;

/// As a container may be: nothing of devices, an unknown processor, no word on memory, no settings of the kernel.
const HIDDEN: &str = "mount -t tmpfs none /sys && mount --bind /dev/null /proc/cpuinfo && \
                      mount --bind /dev/null /proc/meminfo && mount -t tmpfs none /proc/sys";

fn inside(place: &Place, line: &str) -> Done {
    place.sh(&format!("unshare --user --map-root-user --mount sh -c '{HIDDEN} && {line}'"))
}

#[test]
fn a_container_without_rights() {
    let test = "a_container_without_rights";
    let place = Place::new();
    if !have("unshare", test) {
        return;
    }
    if inside(&place, "true").code != 0 {
        return skip(test, "no user namespaces here");
    }
    place.write("walks.c", WALKS);
    inside(&place, "cll why walks.c").expect(7).says(&[
        "the system does not name its caches",
        "cll machine probe --memory --out mine.toml",
    ]);
    // Where nothing is known the caches of a file are enough.
    place.write("two.toml", crate::why::LEVELS);
    inside(&place, "cll why walks.c --machine two.toml").expect(0).prints(&["leaves", "table[]"]);
    // Which events may be counted is said; what the processor counts is not among them.
    inside(&place, "cll counters").expect(0).prints(&["page-faults"]);

    // Huge pages are forbidden, too.
    place.write(
        "without.c",
        "#include <sys/prctl.h>\n#include <unistd.h>\nint main(int n, char **words)\n{\n    (void)n;\n    \
         prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);\n    execvp(words[1], words + 1);\n    return 127;\n}\n",
    );
    place.sh("cc without.c -o without").expect(0);
    let probe = "./without cll machine probe --memory --quick --budget 3 --loaded accept --out first.toml --quiet";
    inside(&place, probe).expect(0).prints(&[
        "how much memory is available: the system does not say it, so working sets are up to 64 MiB",
        "huge pages: the latency of large working sets has the time of address translation in it",
        "levels found by the latency",
    ]);
    let text = place.read("first.toml");
    assert!(!text.contains("cpu = ") && !text.contains("caches = "), "{text}");
    place.cll(&["machine", "check", "first.toml"]).expect(0);
}

#[test]
fn files_with_wrong_units_and_missing_curves() {
    let place = Place::new();
    place.write("walks.c", WALKS);
    let wrong = "\
cll-machine = 3
name = \"wrong\"
[origin]
by = \"hand\"
[[level]]
name = \"L1\"
size = \"32 ns\"
latency = \"1 KiB\"
[[translation]]
reach = \"96 pages\"
page = \"4 KiB\"
cost = \"6 KiB\"
[[latency]]
stride = \"64 B\"
pages = \"large\"
[[bandwidth]]
access = \"read\"
cores = 1
points = []
[[mpi]]
name = \"Open MPI\"
eager = \"4 us\"
[[message]]
mpi = \"Open MPI\"
call = \"total\"
";
    place.write("wrong.toml", wrong);
    place.cll(&["why", "walks.c", "--machine", "wrong.toml"]).expect(3).says(&[
        "ns is a unit of a time",
        "wrong.toml:7:12",
        "size is a number of bytes such as \"64 KiB\"",
        "KiB is a unit of a number of bytes",
        "there is no unit pages",
        "[[latency]] has no points",
        "a curve has at least one point",
        "us is a unit of a time",
        "[[message]] has no segments",
    ]);
    // Right, but without what is asked for.
    let head = wrong.split("[[level]]").next().unwrap();
    let reach = "[[translation]]\nreach = \"1 MiB\"\npage = \"4 KiB\"\ncost = \"6 ns\"\n";
    place.write("reach.toml", format!("{head}{reach}"));
    place
        .cll(&["why", "walks.c", "--machine", "reach.toml"])
        .expect(3)
        .says(&["wrong has no levels of memory", "in a file: [[level]]"]);
    place.write("curve.toml", format!(
        "{head}[[latency]]\nstride = \"64 B\"\npages = \"large\"\npoints = [\n  {{ size = \"8 KiB\", time = \"1 ns\" }},\n  \
         {{ size = \"4 KiB\", time = \"1 ns\" }},\n]\n"
    ));
    place
        .cll(&["why", "walks.c", "--machine", "curve.toml"])
        .expect(3)
        .says(&["the points do not ascend by size", "each is larger than the one before"]);
}
