//! Programs of MPI that are logged without being compiled again: both MPIs, C and Fortran.

use crate::built;
use crate::support::{Done, Place, have, with_enough_time};

/// A program in which the calls of every rank are known: messages, collectives, communicators, one-sided accesses.
pub const CALLS: &str = include_str!("../recorded/sources/calls.c");

/// The same in Fortran, by each of its [`BINDINGS`]: 5 rounds of a ring, a reduction, an exchange.
const FORTRAN: &str = "program f
  @USE@
  implicit none
  @INCLUDE@
  integer :: rank, size, ierr, next, before, i
  double precision :: a(100), b(100)
  @REQUESTS@
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  next = mod(rank+1, size)
  before = mod(rank+size-1, size)
  a = 1
  do i = 1, 5
    call MPI_Irecv(b, 100, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Isend(a, 50, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, r(2), ierr)
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
  end do
  call MPI_Allreduce(a, b, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
";

/// Bindings of Fortran: what is used, included, and how requests are declared.
const BINDINGS: [(&str, &str, &str, &str); 3] = [
    ("f08", "use mpi_f08", "", "type(MPI_Request) :: r(2)"),
    ("module", "use mpi", "", "integer :: r(2)"),
    ("header", "", "include 'mpif.h'", "integer :: r(2)"),
];

pub const MPIS: [&str; 2] = ["openmpi", "mpich"];

/// Both if everything runs, else the one that falls to the `nth` case by the seed: for what both must do alike. It does not
/// depend on what halves of the seeds draw ([`test_draw::is_drawn`]): a test that runs by one half has both.
pub fn drawn(nth: usize) -> Vec<&'static str> {
    if test_draw::is_full() {
        MPIS.to_vec()
    } else {
        vec![MPIS[(nth + test_draw::drawn_below(4) / 2) % 2]]
    }
}

pub fn ready(test: &str) -> bool {
    MPIS.iter()
        .all(|mpi| have(&format!("mpicc.{mpi}"), test) && have(&format!("mpirun.{mpi}"), test))
}

/// In a container the tests may be root's; and ranks that wait leave their core to other tests.
pub const OPEN_MPI: [(&str, &str); 3] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_mpi_yield_when_idle", "1"),
];

pub fn cll(place: &Place, arguments: &[&str]) -> Done {
    place.cll_with(&OPEN_MPI, arguments)
}

pub fn compile(place: &Place, compiler: &str, source: &str, program: &str) {
    built::by(place, compiler, &["-g", "-O1", "-pthread"], source, program);
}

/// Calls of a name, as `cll export` gives them.
fn calls(export: &serde_json::Value, name: &str) -> Vec<serde_json::Value> {
    let all = export["calls"].as_array().expect("a list");
    all.iter().filter(|call| call["call"] == format!("MPI_{name}")).cloned().collect()
}

fn sum(calls: &[serde_json::Value], field: &str) -> u64 {
    calls.iter().map(|call| call[field].as_u64().expect("a number")).sum()
}

fn export(place: &Place, folder: &str) -> serde_json::Value {
    let files: Vec<String> =
        place.list(folder).iter().map(|name| format!("{folder}/{name}")).collect();
    let mut arguments = vec!["export", "--format", "json"];
    arguments.extend(files.iter().map(String::as_str));
    place.cll(&arguments).expect(0).json()
}

#[test]
fn calls_of_a_program_in_c_are_as_it_made_them() {
    if !ready("calls_of_a_program_in_c") {
        return;
    }
    let place = Place::new();
    place.write("calls.c", CALLS);
    for mpi in drawn(0) {
        compile(&place, &format!("mpicc.{mpi}"), "calls.c", mpi);
        let folder = format!("out-{mpi}");
        let program = format!("./{mpi}");
        let done = cll(&place, &["run", "-n", "4", "--log", "-o", &folder, &program]).expect(0);
        done.says(&["calls of MPI on 4 of 4 ranks", "MPI_Waitall", "imbalance", "4 files"]);
        let export = export(&place, &folder);
        let calls_named = |name: &str| calls(&export, name);
        assert_eq!((calls_named("Init").len(), calls_named("Finalize").len()), (4, 4), "{mpi}");
        assert_eq!(
            (calls_named("Isend").len(), sum(&calls_named("Isend"), "bytes_sent")),
            (40, 40 * 800)
        );
        // 14 waits for all on each: those of the ring and those of persistent requests.
        let waits = calls_named("Waitall");
        assert_eq!((waits.len(), sum(&waits, "bytes_received")), (56, 40 * 800 + 16 * 48));
        let both = |call: &serde_json::Value| {
            call["completed"].as_str().is_some_and(|list| list.split(' ').count() == 2)
        };
        assert!(waits.iter().all(both), "{mpi}: {waits:?}");
        assert_eq!(sum(&calls_named("Send"), "bytes_sent"), (1 + 2 + 3) * 20);
        let received = calls_named("Recv");
        assert_eq!((received.len(), sum(&received, "bytes_received")), (3, 120));
        // From any source and with any tag: reported as they came.
        let reported =
            |call: &serde_json::Value| call["partner"] == "0" && call["tag"] == call["rank"];
        assert!(received.iter().all(reported), "{mpi}: {received:?}");
        let reduced = calls_named("Allreduce");
        assert_eq!((reduced.len(), sum(&reduced, "bytes_sent")), (12, 12 * 80));
        // Two halves, each the same on both of its processes, and not that of all.
        let mut halves: Vec<&str> =
            reduced.iter().map(|call| call["communicator"].as_str().expect("a key")).collect();
        halves.sort_unstable();
        halves.dedup();
        assert!(halves.len() == 2 && !halves.contains(&"0"), "{mpi}: {halves:?}");
        let (cast, all) = (calls_named("Bcast"), calls_named("Alltoall"));
        assert_eq!((sum(&cast, "bytes_sent"), sum(&cast, "bytes_received")), (64, 3 * 64));
        assert_eq!((sum(&all, "bytes_sent"), sum(&all, "bytes_received")), (4 * 96, 4 * 96));
        assert_eq!((calls_named("Put").len(), sum(&calls_named("Put"), "bytes_sent")), (4, 96));
        assert_eq!(calls_named("Win_fence").len(), 8);
        let places =
            calls_named("Isend").iter().map(|call| call["offset"].clone()).collect::<Vec<_>>();
        assert!(places.iter().all(|offset| *offset == places[0] && offset != ""), "{places:?}");
        let module = calls_named("Isend")[0]["module"].as_str().expect("a path").to_owned();
        assert!(module.ends_with(mpi), "{module}");
    }
}

#[test]
fn calls_from_fortran_stand_where_the_program_made_them() {
    if !ready("calls_from_fortran") {
        return;
    }
    let place = Place::new();
    for (nth, (name, using, including, requests)) in BINDINGS.into_iter().enumerate() {
        let source = FORTRAN
            .replace("@USE@", using)
            .replace("@INCLUDE@", including)
            .replace("@REQUESTS@", requests);
        place.write(&format!("{name}.f90"), source);
        for mpi in drawn(nth) {
            let compiler = format!("mpifort.{mpi}");
            if !have(&compiler, "calls_from_fortran") {
                return;
            }
            let program = format!("{name}-{mpi}");
            compile(&place, &compiler, &format!("{name}.f90"), &program);
            let folder = format!("out-{program}");
            let path = format!("./{program}");
            cll(&place, &["run", "-n", "2", "--log", "-o", &folder, &path]).expect(0);
            let export = export(&place, &folder);
            let sends = calls(&export, "Isend");
            assert_eq!((sends.len(), sum(&sends, "bytes_sent")), (10, 4000), "{program}");
            let reduced = calls(&export, "Allreduce");
            assert_eq!((reduced.len(), sum(&reduced, "bytes_sent")), (2, 160), "{program}");
            let own = |call: &serde_json::Value| {
                call["module"].as_str().is_some_and(|module| module.ends_with(&program))
            };
            assert!(sends.iter().all(own), "{program}: {:?}", sends[0]);
        }
    }
}

#[test]
fn programs_that_end_badly_leave_what_they_did() {
    if !ready("programs_that_end_badly") {
        return;
    }
    let place = Place::new();
    place.write(
        "bad.c",
        r#"#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(argv[1], "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (!strcmp(argv[1], "killed") && rank == 1)
        raise(SIGKILL);
    if (!strcmp(argv[1], "exits"))
        exit(0);
    MPI_Recv(&n, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"#,
    );
    for (nth, how) in ["abort", "killed", "exits", "deadlock"].into_iter().enumerate() {
        for mpi in drawn(nth) {
            compile(&place, &format!("mpicc.{mpi}"), "bad.c", mpi);
            let folder = format!("{how}-{mpi}");
            let program = format!("./{mpi}");
            let ended = |limit: &str| {
                place.sh(&format!("rm -rf {folder}")).expect(0);
                let words = ["run", "-n", "2", "--log", "--timeout", limit, "-o", &folder];
                cll(&place, &[&words[..], &[&program, how]].concat())
            };
            let done = match how {
                "deadlock" => {
                    let got_there = |done: &Done| done.err.matches(" was in ").count() == 2;
                    // They wait at full speed.
                    let quick = ended("1s");
                    if got_there(&quick) { quick } else { with_enough_time(ended, got_there) }
                }
                _ => ended("600s"),
            };
            assert!(how == "exits" || done.code != 0, "{folder}: {}", done.err);
            let export = export(&place, &folder);
            assert_eq!(calls(&export, "Barrier").len(), 2, "{folder}");
            let open: Vec<String> = export["calls"]
                .as_array()
                .expect("a list")
                .iter()
                .filter(|call| call["time_s"].is_null())
                .map(|call| call["call"].as_str().unwrap_or("").to_owned())
                .collect();
            match how {
                "abort" => {
                    assert!(open.contains(&"MPI_Abort".to_owned()), "{folder}: {open:?}");
                }
                "killed" => assert!(open.len() <= 1, "{folder}: {open:?}"),
                // The launcher may end one while the other leaves.
                "exits" => {
                    assert!(open.iter().all(|call| call == "MPI_Barrier"), "{folder}: {open:?}");
                }
                _ => {
                    assert_eq!(open, ["MPI_Recv", "MPI_Recv"], "{folder}");
                    assert_eq!(done.code, 124);
                    // Who waits for what, and where.
                    done.says(&[
                        "rank 0 was in MPI_Recv from rank 1 with tag 5 at bad.c:17 when",
                        "rank 1 was in MPI_Recv from rank 0 with tag 5 at bad.c:17 when",
                    ]);
                }
            }
        }
    }
}

#[test]
fn another_mpi_is_named_and_what_is_none_is_refused() {
    if !ready("another_mpi") {
        return;
    }
    let place = Place::new();
    place.write(
        "none.c",
        "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Finalize(); return 0; }\n",
    );
    compile(&place, "mpicc.mpich", "none.c", "mpich");
    let with = |name: &str, value: &str| {
        place.cll_with(&[(name, value)], &["run", "-n", "2", "--log", "./mpich"]).expect(2)
    };
    with("CLL_MPIRUN", "mpirun.openmpi").says(&["is linked with MPICH", "Open MPI"]);
    with("CLL_MPICC", "mpicc.openmpi")
        .says(&["is linked with MPICH", "mpicc.openmpi is the compiler of Open MPI"]);
    with("CLL_MPICC", "no-mpicc").says(&["CLL_MPICC=no-mpicc: there is no such program"]);
    place.write("plain.c", "int main(void) { return 0; }\n");
    compile(&place, "gcc", "plain.c", "plain");
    place.cll(&["run", "--log", "./plain"]).expect(2).says(&["is not linked with MPI"]);
    // A program that never begins MPI has nothing to report. It is one of Open MPI: MPICH's mpirun is ended by SIGPIPE if a
    // rank is gone before it has sent what it sends to all.
    place.write(
        "idle.c",
        "#include <mpi.h>\nint main(int n, char **v) { if (n > 9) MPI_Init(&n, &v); return 0; }\n",
    );
    compile(&place, "mpicc.openmpi", "idle.c", "idle");
    cll(&place, &["run", "-n", "2", "--log", "./idle"])
        .expect(0)
        .says(&["no process has recorded"]);
    place
        .cll(&["run", "--log", "--engine", "mpi", "./mpich"])
        .expect(2)
        .says(&["not a BSP program"]);
}

pub fn with<'a>(words: &[&'a str], files: &'a [String]) -> Vec<&'a str> {
    words.iter().copied().chain(files.iter().map(String::as_str)).collect()
}

/// Every kind of access to a file, of known sizes.
const FILES: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size;
    char a[4096] = {0};
    MPI_File f;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_set_size(f, 0);
    MPI_File_write_at_all(f, 1000 * rank, a, 1000, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_File_read_at(f, 0, a, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(f, 8, a, 100, MPI_CHAR, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn input_and_output_are_logged_with_their_bytes() {
    if !ready("input_and_output_are_logged") {
        return;
    }
    let place = Place::new();
    place.write("files.c", FILES);
    for mpi in drawn(1) {
        compile(&place, &format!("mpicc.{mpi}"), "files.c", mpi);
        let folder = format!("out-{mpi}");
        cll(&place, &["run", "-n", "2", "--log", "-o", &folder, &format!("./{mpi}")]).expect(0);
        let files: Vec<String> =
            place.list(&folder).iter().map(|name| format!("{folder}/{name}")).collect();
        let export = place.cll(&with(&["export", "--format", "json"], &files)).expect(0).json();
        let calls_named = |name: &str| calls(&export, name);
        let written = calls_named("File_write_at_all");
        assert_eq!((written.len(), sum(&written, "bytes_sent")), (2, 2000), "{mpi}");
        assert!(written.iter().all(|call| call["communicator"] == "0"), "{mpi}: {written:?}");
        assert_eq!(sum(&calls_named("File_read_at"), "bytes_received"), 80, "{mpi}");
        let asked = calls_named("File_iread_at");
        assert_eq!(sum(&asked, "bytes_received"), 200, "{mpi}");
        let completed: Vec<_> =
            calls_named("Wait").iter().map(|call| call["completed"].clone()).collect();
        let requests = asked.iter().map(|call| call["request"].to_string());
        assert_eq!(completed, requests.collect::<Vec<_>>(), "{mpi}");
        assert_eq!(
            (calls_named("File_open").len(), calls_named("File_close").len()),
            (2, 2),
            "{mpi}"
        );
        // What an MPI does for them by its own calls is not reported, and all come to them together.
        assert_eq!(calls_named("Barrier").len(), 2, "{mpi}");
        let line = with(&["export", "--supersteps", "--format", "json"], &files);
        let supersteps = place.cll(&line).expect(0).json();
        // Open, size, write, sync, close, the barrier, the end.
        assert_eq!(supersteps["supersteps"].as_array().map(Vec::len), Some(14), "{mpi}");
    }
}
