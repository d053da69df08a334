//! `cll run` where the system or another program is in its way: limits, full disks, files that are
//! deleted, a launcher that is killed together with what it runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::runs::{place, samples};
use crate::support::{CLL, Done, Place, from_output, run, skip, until};

/// A small file system of a test's own, unmounted with the value.
struct Small(PathBuf);

impl Small {
    /// `None` where nothing can be mounted.
    fn new(path: PathBuf, size: &str) -> Option<Small> {
        fs::create_dir(&path).unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(&path)
            .output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Small(path))
    }

    fn fill(&self) {
        let mut rest = File::create(self.0.join("rest")).unwrap();
        assert!(std::io::copy(&mut std::io::repeat(1), &mut rest).is_err());
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// The program waits for a signal when it has recorded; its trace has this number.
fn waiting(place: &Place) -> Child {
    let child = place
        .command(CLL)
        .args(["run", "./ends", "catch"])
        .stdout(Stdio::from(File::create(place.path("out")).unwrap()))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the program is ready", || place.read("out").contains("ready"));
    child
}

/// Lets it go on.
fn ended(child: Child) -> Done {
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    from_output(&child.wait_with_output().unwrap())
}

#[test]
fn a_limit_on_file_sizes_is_reported_and_what_is_written_is_kept() {
    let place = place();
    let done = place.sh("ulimit -f 1000; exec cll run ./ends many");
    let done = done.expect(7);
    done.says(&["ulimit -f", "the program continues", "could not be written", "are kept"]);
    assert!(samples(&place, "ends.cll.0.dat") > 1000);
    // Too little for the memory that is shared with the program.
    place
        .sh("ulimit -f 100; exec cll run ./ends many")
        .expect(7)
        .says(&["shared with the program", "ulimit -f"]);
    place
        .sh("ulimit -f 1; exec cll export ends.cll.0.dat -o all.csv")
        .expect(7)
        .says(&["ulimit -f"]);
}

#[test]
fn a_limit_on_file_sizes_ends_the_program_as_it_would_without_us() {
    let place = Place::new();
    place.write(
        "action.c",
        "#include <signal.h>\n#include <stdio.h>\nint main(void)\n{\n    struct sigaction now;\n    int N = 1, i, s = \
         0;\n#pragma cll part part[0]*N\n    for (i = 0; i < N; i++) s += i;\n#pragma cll end part\n    sigaction(SIGXFSZ, \
         0, &now);\n    puts(now.sa_handler == SIG_DFL ? \"ends\" : now.sa_handler == SIG_IGN ? \"ignored\" : \
         \"caught\");\n    return s;\n}\n",
    );
    place.build("action");
    place.cll(&["run", "./action"]).expect(0).prints(&["ends"]);
    place.sh("trap '' XFSZ; exec cll run ./action").expect(0).prints(&["ignored"]);
}

#[test]
fn a_small_stack_is_enough() {
    let place = place();
    place.sh("ulimit -s 64; exec cll run ./ends").expect(0).says(&["recorded in"]);
    place.sh("ulimit -s 64; exec cll fit ends.cll.0.dat").expect(0).prints(&["part  ends.c", "*N"]);
    place.sh("ulimit -s 64; exec cll export ends.cll.0.dat").expect(0);
    place.sh("ulimit -s 64; exec cll --help").expect(0);
}

#[test]
fn a_disk_that_is_full_from_the_start_is_no_experiment_that_was_not_reached() {
    const NAME: &str = "a_disk_that_is_full_from_the_start_is_no_experiment_that_was_not_reached";
    let place = place();
    let Some(small) = Small::new(place.path("small"), "64k") else {
        skip(NAME, "a file system of its own cannot be mounted");
        return;
    };
    small.fill();
    let done = place.cll(&["run", "-o", "small", "./ends"]).expect(7);
    drop(small);
    assert!(!done.err.contains("was reached") && !done.err.contains("recorded in"), "{}", done.err);
    done.says(&["no space left", "nothing is kept", "-o DIR"]);
}

#[test]
fn a_trace_that_is_deleted_meanwhile_is_written_again() {
    let place = place();
    let child = waiting(&place);
    fs::remove_file(place.path("ends.cll.0.dat")).unwrap();
    ended(child).expect(9).says(&["was deleted or replaced", "written again, to ends.cll.0.dat"]);
    assert_eq!(samples(&place, "ends.cll.0.dat"), 10);
    let child = waiting(&place);
    fs::rename(place.path("ends.cll.1.dat"), place.path("mine.dat")).unwrap();
    let done = ended(child).expect(9).says(&["ends.cll.1.dat was renamed"]);
    assert!(done.err.contains("recorded in") && !place.exists("ends.cll.1.dat"), "{}", done.err);
    assert_eq!(samples(&place, "mine.dat"), 10);
}

/// The processes that one has started.
fn children(pid: u32) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .collect::<String>();
    lists.split_whitespace().map(str::to_owned).collect()
}

fn kill(signal: &str, pid: &str) {
    assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
}

/// Whether memory with a name can be had, or why a test is of no use here.
fn named_memory(test: &str) -> bool {
    let free = Command::new("df").args(["--output=avail", "-k", "/dev/shm"]).output().unwrap();
    let free =
        String::from_utf8_lossy(&free.stdout).lines().last().map(|line| line.trim().parse::<u64>());
    let is_enough = matches!(free, Some(Ok(free)) if free > (160 << 10));
    if !is_enough {
        skip(test, "/dev/shm has no room");
    }
    is_enough
}

/// Kills `cll run` and then its program, so that nobody takes away what that has recorded.
fn killed_together(place: &Place) {
    let mut child = waiting(place);
    let program = children(child.id());
    assert_eq!(program.len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    kill("-KILL", &program[0]);
    until("the program is gone", || !Path::new("/proc").join(&program[0]).exists());
}

#[test]
fn nothing_is_lost_where_the_launcher_is_killed_with_its_program() {
    if !named_memory("nothing_is_lost_where_the_launcher_is_killed_with_its_program") {
        return;
    }
    let place = place();
    killed_together(&place);
    let done = place.cll(&["export", "ends.cll.0.dat"]).expect(0);
    assert_eq!(done.out.lines().count() - 1, 10, "{}", done.err);
    done.says(&[
        "bytes that were still in memory have been added",
        "run 0 was killed together with cll run",
    ]);
    let again = place.cll(&["export", "ends.cll.0.dat"]).expect(0);
    assert!(!again.err.contains("still in memory"), "{}", again.err);
    assert_eq!(again.out.lines().count() - 1, 10);
}

#[test]
fn a_block_that_was_half_written_gives_way_to_what_is_recovered() {
    if !named_memory("a_block_that_was_half_written_gives_way_to_what_is_recovered") {
        return;
    }
    let place = place();
    place.cll(&["run", "./ends"]).expect(0);
    let half = place.bytes("ends.cll.0.dat")[..200].to_vec();
    fs::remove_file(place.path("ends.cll.0.dat")).unwrap();
    killed_together(&place);
    place.write("half", &half);
    // The same file, not another one of its name.
    place.sh("cat half >> ends.cll.0.dat").expect(0);
    let done = place.cll(&["fit", "ends.cll.0.dat"]).expect(0);
    done.says(&["still in memory"]).prints(&["10 sizes"]);
    let done = place.cll(&["export", "ends.cll.0.dat"]).expect(0);
    assert!(!done.err.contains("byte"), "{}", done.err);
    assert_eq!(done.out.lines().count() - 1, 10);
}

#[test]
fn what_a_program_records_when_its_launcher_is_killed_is_recovered() {
    if !named_memory("what_a_program_records_when_its_launcher_is_killed_is_recovered") {
        return;
    }
    let place = place();
    let mut child = waiting(&place);
    let program = children(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    // It still records: its samples are not yet anybody else's.
    let done = place.cll(&["export", "ends.cll.0.dat"]);
    assert!(!done.err.contains("still in memory"), "{}", done.err);
    kill("-TERM", &program[0]);
    until("the program is gone", || !Path::new("/proc").join(&program[0]).exists());
    let done = place.cll(&["export", "ends.cll.0.dat"]).expect(0).says(&["still in memory"]);
    assert_eq!(done.out.lines().count() - 1, 10);
    assert!(!done.err.contains("did not end normally"), "{}", done.err);
}

#[test]
fn files_without_content_are_named() {
    let place = Place::new();
    place.write("empty.dat", "");
    place.write("zeros.dat", vec![0; 65536]);
    for name in ["empty.dat", "zeros.dat"] {
        let empty = format!("{name}: the file is empty");
        for words in [
            &["export", name][..],
            &["fit", name],
            &["profile", "show", name],
            &["export", "--supersteps", name],
        ] {
            place.cll(words).expect(3).says(&[&empty, "the disk was full"]);
        }
    }
    place.cll(&["fit", "empty.dat", "zeros.dat"]).expect(3).says(&["all of these files are empty"]);
}

#[test]
fn samples_without_a_checksum_are_counted() {
    let place = place();
    // Without `cll run`, which seals what is left.
    assert_eq!(run(place.command(place.path("ends")).arg("kill")).signal, Some(9));
    let words = ["10 samples of process", "still open when it ended", "no checksum"];
    place.cll(&["export", "ends.cll.0.dat"]).expect(0).says(&words);
    assert!(run(&mut place.command(place.path("ends"))).code == 0);
    let done = place.cll(&["export", "ends.cll.1.dat"]).expect(0);
    assert!(!done.err.contains("checksum"), "{}", done.err);
}

#[test]
fn samples_for_which_there_is_no_memory_are_counted() {
    const SOURCE: &str = "#include <sys/resource.h>\nint main(void)\n{\n    struct rlimit limit = {1 << 20, 1 << 20};\n    \
                          volatile int sum = 0;\n    int N = 3, k;\n    setrlimit(RLIMIT_AS, &limit);\n    \
                          for (k = 0; k < 500; k++) {\n#pragma cll w w[0] + w[1]*N\n        sum += N;\n\
                          #pragma cll end w\n    }\n    return 0;\n}\n";
    let place = Place::new();
    place.write("small.c", SOURCE);
    place.build("small");
    place.cll(&["run", "./small"]).expect(0).says(&["500 of 500 samples are lost", "ulimit -v"]);
    place.write("small.c", SOURCE.replace("setrlimit(", "(void)(").replace("RLIMIT_AS, ", ""));
    place.build("small");
    assert!(!place.cll(&["run", "./small"]).expect(0).err.contains("lost"));
}

#[test]
fn a_region_whose_thread_ends_in_it_was_left() {
    const SOURCE: &str = "#include <pthread.h>\nstatic void end(void *argument) { pthread_exit(argument); }\n\
                          static void *work(void *argument)\n{\n    int N = 3;\n\
                          #pragma cll w w[0] + w[1]*N\n    pthread_exit(argument);\n#pragma cll end w\n    \
                          return argument;\n}\nint main(void)\n{\n    pthread_t thread;\n    int i;\n    \
                          for (i = 0; i < 3; i++) {\n        pthread_create(&thread, 0, work, &thread);\n        \
                          pthread_join(thread, 0);\n    }\n    return 0;\n}\n";
    let place = Place::new();
    let build = || place.cll(&["cc", "-pthread", "-O1", "ends.c", "-o", "ends"]).expect(0);
    place.write("ends.c", SOURCE);
    build();
    place.cll(&["run", "./ends"]).expect(0);
    // The statement is in the region: it is closed there.
    let exported = place.cll(&["export", "ends.cll.0.dat"]).expect(0);
    exported
        .says(&["3 of 3 samples of experiment w", "a jump, a return or the end of their thread"]);
    // It is in a function that the region calls: there is no sample, but it is counted.
    place.write("ends.c", SOURCE.replace("    pthread_exit(argument);", "    end(argument);"));
    build();
    place.cll(&["run", "./ends"]).expect(0);
    let fitted = place.cll(&["fit", "ends.cll.1.dat"]);
    fitted.prints(&["no sample was recorded at ends.c:6", "3 threads ended in it"]);
    let words = ["3 threads of process", "ended in regions", "w at ends.c:6 (3)"];
    place.cll(&["export", "ends.cll.1.dat"]).says(&words);
}
