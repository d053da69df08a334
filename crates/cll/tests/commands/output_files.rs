//! Files that commands write where the user says: devices, FIFOs, links, folders, full disks.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::support::{Place, WALK, have, skip};

const TABLE: &str = "N,time\n1,4\n2,7\n3,10\n4,13\n5,16\n6,19\n";

/// A trace that some program has recorded.
pub const TRACE: &[u8] = include_bytes!("../../../trace/tests/fixtures/v1-small.dat");

/// With a model in `model.json`, a trace in `walk.cll.0.dat` and a table.
fn files() -> Place {
    let place = Place::new();
    place.write("t.csv", TABLE);
    place.cll(&["fit", "t.csv", "--formula", "f[0] + f[1]*N", "-o", "model.json"]).expect(0);
    place.write("walk.c", WALK);
    place.write("walk.cll.0.dat", TRACE);
    place
}

/// With the program, too.
pub fn place() -> Place {
    let place = files();
    place.build("walk");
    place
}

/// Every kind of command that writes one file, with the start of what it writes.
const WRITERS: [(&[&str], &str); 6] = [
    (&["export", "walk.cll.0.dat", "-o"], "experiment,"),
    (&["export", "walk.cll.0.dat", "--format", "json", "-o"], "{"),
    (&["fit", "t.csv", "--formula", "f[0] + f[1]*N", "-o"], "{"),
    (&["plot", "model.json", "--svg"], "<svg"),
    (&["page", "model.json", "-o"], "<!"),
    (&["predict", "model.json", "--at", "N=7", "--curves", "N=1:8:*2", "--svg"], "<svg"),
];

fn writes(place: &Place, command: &[&str], to: &str) -> crate::support::Done {
    place.cll(&[command, &[to]].concat())
}

#[test]
fn a_fifo_is_written_to_and_stays() {
    let place = files();
    if !have("mkfifo", "a_fifo_is_written_to_and_stays") {
        return;
    }
    let fifo = place.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for (command, begins) in WRITERS {
        let from = fifo.clone();
        // Open for both, so that no read ends before the command writes.
        let reader = std::thread::spawn(move || fs::read_to_string(from).unwrap());
        writes(&place, command, "fifo").expect(0);
        assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo(), "{command:?}");
        let read = reader.join().unwrap();
        assert!(read.starts_with(begins), "{command:?}: {read:.60}");
    }
}

#[test]
fn a_link_is_followed_and_stays() {
    let place = files();
    fs::create_dir(place.path("data")).unwrap();
    for (command, begins) in WRITERS {
        for (link, to) in [("link", "data/there"), ("dangling", "data/new")] {
            let _ = fs::remove_file(place.path(link));
            let _ = fs::remove_file(place.path("data/new"));
            place.write("data/there", "old");
            symlink(to, place.path(link)).unwrap();
            writes(&place, command, link).expect(0);
            assert!(place.path(link).is_symlink(), "{command:?}");
            assert!(place.read(to).starts_with(begins), "{command:?}");
        }
    }
}

#[test]
fn a_device_is_written_to_and_stays() {
    let place = files();
    // One of the test's own, which is not missed if it goes.
    let null = place.path("null");
    let output = Command::new("mknod").arg(&null).args(["c", "1", "3"]).output();
    let opens = || File::options().write(true).open(&null).is_ok();
    if !output.is_ok_and(|output| output.status.success()) || !opens() {
        return skip("a_device_is_written_to_and_stays", "no device can be made here");
    }
    let before = fs::metadata(&null).unwrap();
    for (command, _) in WRITERS {
        writes(&place, command, "null").expect(0);
        symlink("null", place.path("link")).unwrap();
        writes(&place, command, "link").expect(0);
        fs::remove_file(place.path("link")).unwrap();
        let now = fs::symlink_metadata(&null).unwrap();
        assert!(now.file_type().is_char_device(), "{command:?}");
        assert_eq!((now.ino(), now.mode()), (before.ino(), before.mode()), "{command:?}");
    }
    let full = place.path("full");
    if Command::new("mknod").arg(&full).args(["c", "1", "7"]).status().unwrap().success() {
        for (command, _) in WRITERS {
            writes(&place, command, "full").expect(7).says(&["cannot write full", "no space left"]);
        }
    }
}

#[test]
fn standard_output_by_its_name_is_standard_output() {
    let place = files();
    for (command, begins) in WRITERS {
        let words: Vec<String> = command.iter().map(|word| format!("'{word}'")).collect();
        let line = format!("(echo head; cll {} /dev/stdout; echo tail) > file", words.join(" "));
        place.sh(&line).expect(0);
        let text = place.read("file");
        assert!(text.starts_with(&format!("head\n{begins}")), "{command:?}: {text:.60}");
        assert!(text.ends_with("tail\n"), "{command:?}");
    }
    let export = "cll export walk.cll.0.dat -o";
    place.sh(&format!("{export} /dev/stdout | head -1")).expect(0).prints(&["experiment,"]);
    place.sh(&format!("{export} /dev/fd/3 3>> t.csv; echo end >> t.csv")).expect(0);
    let text = place.read("t.csv");
    assert!(text.starts_with(&format!("{TABLE}experiment,")) && text.ends_with("end\n"));
    // Once for every open file of it: what was there is not begun again.
    place
        .sh(&format!("{{ echo head >&3; {export} /proc/self/fd/3; echo tail >&3; }} 3> file"))
        .expect(0);
    let text = place.read("file");
    assert!(text.starts_with("head\nexperiment,") && text.ends_with("tail\n"), "{text:.60}");
    assert!(Path::new("/dev/stdout").is_symlink());
}

#[test]
fn what_is_read_is_not_overwritten() {
    let place = files();
    let before = place.bytes("walk.cll.0.dat");
    symlink("walk.cll.0.dat", place.path("link")).unwrap();
    for to in ["walk.cll.0.dat", "./walk.cll.0.dat", "link"] {
        place.cll(&["export", "walk.cll.0.dat", "-o", to]).expect(2);
        let done = place.cll(&["export", "walk.cll.0.dat", "-o", to]);
        done.expect(2).says(&["is an input and would be replaced"]);
    }
    place.cll(&["fit", "t.csv", "--formula", "f[0]*N", "-o", "t.csv"]).expect(2);
    place.cll(&["plot", "model.json", "--svg", "model.json"]).expect(2);
    place.cll(&["page", "model.json", "-o", "model.json"]).expect(2);
    symlink("walk.c", place.path("walk.cll.c")).unwrap();
    place.cll(&["translate", "walk.c"]).expect(2);
    place
        .cll(&["translate", "walk.c"])
        .expect(2)
        .says(&["walk.c is an input and would be replaced"]);
    assert_eq!(place.bytes("walk.cll.0.dat"), before);
    assert_eq!((place.read("t.csv"), place.read("walk.c")), (TABLE.to_owned(), WALK.to_owned()));
}

#[test]
fn a_file_keeps_its_mode() {
    let place = files();
    for (command, begins) in WRITERS {
        place.write("out", "old");
        fs::set_permissions(place.path("out"), fs::Permissions::from_mode(0o640)).unwrap();
        writes(&place, command, "out").expect(0);
        assert_eq!(fs::metadata(place.path("out")).unwrap().mode() & 0o7777, 0o640, "{command:?}");
        assert!(place.read("out").starts_with(begins));
        place.sh(&format!("umask 027; rm out; cll {} out", "export walk.cll.0.dat -o")).expect(0);
        assert_eq!(fs::metadata(place.path("out")).unwrap().mode() & 0o7777, 0o640, "a new one");
    }
}

#[test]
fn at_the_limit_of_sizes_the_old_file_stays() {
    let place = files();
    let before = place.list(".");
    for old in [Some("old"), None] {
        if let Some(text) = old {
            place.write("out", text);
        }
        // In blocks of 512 or 1024 bytes; the page and the samples are larger.
        let page = place.sh("ulimit -f 4; cll page model.json -o out");
        page.expect(7).says(&["cannot write out: file too large"]);
        if let Some(text) = old {
            assert_eq!(place.read("out"), text);
            fs::remove_file(place.path("out")).unwrap();
        }
    }
    assert_eq!(place.list("."), before, "nothing half is left");
}

#[test]
fn several_plots_go_to_files() {
    let place = Place::new();
    place.write("t.csv", TABLE);
    let second = WALK.replace("    return sum;\n}\n\nint main", "\n#pragma cll more more[0] + more[1]*N\n    for (i = 0; i < N; i++)\n        sum += a[i];\n#pragma cll end more\n    return sum;\n}\n\nint main");
    place.write("walk.c", second);
    place.build("walk");
    for n in ["100", "200", "300", "400", "500"] {
        place.cll(&["run", "./walk", n]).expect(0);
    }
    let files: Vec<String> = (0..5).map(|k| format!("walk.cll.{k}.dat")).collect();
    let mut command = vec!["fit"];
    command.extend(files.iter().map(String::as_str));
    command.extend(["-o", "model.json"]);
    place.cll(&command).expect(0);
    place.cll(&["plot", "model.json", "--svg", "a.svg"]).expect(0);
    assert!(place.exists("a-walk.svg") && place.exists("a-more.svg"));
    place.cll(&["plot", "model.json", "--svg", "/dev/stdout"]).expect(2).says(&["--experiment"]);
    let texts = ["plot", "model.json", "-e", "walk", "--svg", "/dev/stdout"];
    place.cll(&texts).expect(0).prints(&["<svg"]);
}

#[test]
fn preprocessed_text_goes_where_it_is_sent() {
    let place = Place::with_walk();
    let done = place.sh("cll cc -E walk.c -o /dev/stdout | cat").expect(0);
    assert!(done.out.contains("walk.c"));
    place.cll(&["cc", "-E", "walk.c", "-o", "walk.i"]).expect(0);
    assert_eq!(place.read("walk.i"), done.out);
    place.sh("cll cc -c -MD -MF /dev/stdout walk.c | cat").expect(0).prints(&["walk.o:"]);
}

/// A machine of no use but to be read.
const MACHINE: &str = "cll-machine = 1\nname = \"slow\"\n[origin]\nhow = \"by hand\"\nsource = \"a test\"\n\
                       [[classic]]\nprocessors = 2\ns = \"1 Mop/s\"\ng = \"1 us/B\"\nl = \"1 ms\"\n";

#[test]
fn no_output_destroys_what_is_read_recorded_or_written_by_hand() {
    let place = files();
    place.write("mine.toml", MACHINE);
    place.write("params.txt", "2 1 10 100\n");
    place.write("table.csv", TABLE);
    crate::recorded::log(&place, "processes", "swap", "swap.cll.0.log");
    let trace = "walk.cll.0.dat";
    let tries: &[(&str, &[&str])] = &[
        ("walk.c", &["cc", "walk.c", "-o", "walk.c"]),
        ("walk.c", &["cc", "-c", "walk.c", "-o", "./walk.c"]),
        ("walk.c", &["cc", "-E", "walk.c", "-o", "walk.c"]),
        ("walk.c", &["fit", "t.csv", "--formula", "f[0]+f[1]*N", "-o", "walk.c"]),
        ("params.txt", &["machine", "import", "params.txt", "--name", "x", "--out", "params.txt"]),
        ("mine.toml", &["machine", "export", "mine.toml", "--to", "bsp", "--out", "mine.toml"]),
        ("mine.toml", &["plot", "model.json", "--svg", "mine.toml"]),
        (trace, &["page", "model.json", "-o", trace]),
        ("swap.cll.0.log", &["export", trace, "-o", "swap.cll.0.log"]),
        (
            "swap.cll.0.log",
            &[
                "obsp",
                "swap.cll.0.log",
                "--machine",
                "mine.toml",
                "--curves",
                "P",
                "--svg",
                "swap.cll.0.log",
            ],
        ),
        (
            "mine.toml",
            &[
                "obsp",
                "swap.cll.0.log",
                "--machine",
                "mine.toml",
                "--curves",
                "P",
                "--svg",
                "mine.toml",
            ],
        ),
        (
            "table.csv",
            &["llac", "-e", "t = open \"table.csv\" as table\nprint t as json into \"table.csv\""],
        ),
        ("walk.c", &["llac", "-e", "print 1 as csv into \"walk.c\""]),
    ];
    for (file, command) in tries {
        let before = place.bytes(file);
        let done = place.cll(command);
        assert_eq!(place.bytes(file), before, "{command:?}");
        assert!(done.code != 0 && done.err.contains("replaced"), "{command:?}: {}", done.err);
    }
    // A page of a derived name does not replace what is no page.
    place.write("model.html", "<p>my notes</p>");
    place.cll(&["page", "model.json"]).expect(2).says(&["model.html is no page", "--force"]);
    place.cll(&["page", "model.json", "--force"]).expect(0);
    place.cll(&["page", "model.json"]).expect(0);
    place.write("swap.cll.0.html", "<p>my notes</p>");
    place.cll(&["profile", "view", "swap.cll.0.log"]).expect(2).says(&["--force"]);
    place.cll(&["profile", "view", "swap.cll.0.log", "--force"]).expect(0);
    place.cll(&["profile", "view", "swap.cll.0.log"]).expect(0);
}
