use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use super::*;

fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Output::at(path)?.write(bytes)
}

fn words(error: Error) -> String {
    error.to_string()
}

#[test]
fn a_file_is_replaced_as_a_whole() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a");
    replace(&path, b"one").unwrap();
    let reader = File::open(&path).unwrap();
    replace(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(
        io::read_to_string(reader).unwrap(),
        "one",
        "a reader of the old file gets all of it"
    );
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn a_failure_leaves_what_was_there() {
    let place = tempfile::tempdir().unwrap();
    let (old, new) = (place.path().join("old"), place.path().join("new"));
    fs::write(&old, "kept").unwrap();
    for path in [&old, &new] {
        let failed = Output::at(path).unwrap().write_with(|out| {
            out.write_all(b"half")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert!(failed.is_err());
    }
    assert_eq!(fs::read(&old).unwrap(), b"kept");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn nothing_is_seen_before_it_is_whole() {
    let place = tempfile::tempdir().unwrap();
    let flags = OFlags::TMPFILE | OFlags::RDWR;
    if rustix::fs::openat(CWD, place.path(), flags, Mode::from_raw_mode(0o600)).is_err() {
        return eprintln!("skipped: the file system has no files without names");
    }
    let path = place.path().join("new");
    let written = Output::at(&path).unwrap().write_with(|out| {
        out.write_all(b"half")?;
        out.flush()?;
        assert_eq!(fs::read_dir(place.path())?.count(), 0);
        out.write_all(b", and the rest")
    });
    written.unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"half, and the rest");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn mode_and_owner_stay() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a");
    fs::write(&path, "one").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o4640)).unwrap();
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        std::os::unix::fs::chown(&path, Some(1234), Some(1235)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    }
    let before = fs::metadata(&path).unwrap();
    replace(&path, b"two").unwrap();
    let now = fs::metadata(&path).unwrap();
    assert_eq!(now.mode() & 0o7777, 0o640, "and no right to run as its owner");
    assert_eq!((now.uid(), now.gid()), (before.uid(), before.gid()));
}

#[test]
fn links_are_followed_and_stay() {
    let place = tempfile::tempdir().unwrap();
    let path_of = |name: &str| place.path().join(name);
    fs::create_dir(path_of("data")).unwrap();
    fs::write(path_of("data/file"), "old").unwrap();
    symlink("data/file", path_of("first")).unwrap();
    symlink(path_of("first"), path_of("second")).unwrap();
    symlink("data/new", path_of("dangling")).unwrap();
    symlink("none/new", path_of("astray")).unwrap();
    symlink("loop", path_of("loop")).unwrap();
    replace(&path_of("second"), b"through two").unwrap();
    assert_eq!(fs::read(path_of("data/file")).unwrap(), b"through two");
    replace(&path_of("dangling"), b"made").unwrap();
    assert_eq!(fs::read(path_of("data/new")).unwrap(), b"made");
    for link in ["first", "second", "dangling"] {
        assert!(path_of(link).is_symlink(), "{link}");
    }
    let astray = words(replace(&path_of("astray"), b"").unwrap_err());
    assert!(astray.contains("(a link to ") && astray.contains("there is no folder"), "{astray}");
    assert!(words(replace(&path_of("loop"), b"").unwrap_err()).contains("symbolic links"));
}

#[test]
fn a_fifo_and_a_socket_are_written_to() {
    let place = tempfile::tempdir().unwrap();
    let fifo = place.path().join("fifo");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::from_raw_mode(0o600));
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
    let from = fifo.clone();
    let reader = std::thread::spawn(move || fs::read(from).unwrap());
    replace(&fifo, b"text").unwrap();
    assert_eq!(reader.join().unwrap(), b"text");
    assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());

    let socket = place.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let reader = std::thread::spawn(move || io::read_to_string(listener.accept().unwrap().0));
    replace(&socket, b"text").unwrap();
    assert_eq!(reader.join().unwrap().unwrap(), "text");
    assert!(fs::symlink_metadata(&socket).unwrap().file_type().is_socket());
}

#[test]
fn folders_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let path_of = |name: &str| place.path().join(name);
    symlink(place.path(), path_of("link")).unwrap();
    fs::write(path_of("file"), "").unwrap();
    for (name, why) in [
        ("", "it is a folder"),
        ("link", "it is a folder"),
        ("none/", "there is no such folder"),
        ("none/file", "there is no folder"),
        ("file/inside", "not a directory"),
    ] {
        let message = words(Output::at(&path_of(name)).unwrap_err());
        assert!(message.contains(why), "{name}: {message}");
    }
    assert!(words(Output::at(Path::new("")).unwrap_err()).contains("empty"));
}

#[test]
fn what_is_read_is_not_replaced() {
    let place = tempfile::tempdir().unwrap();
    let (file, link) = (place.path().join("a"), place.path().join("b"));
    fs::write(&file, "").unwrap();
    symlink("a", &link).unwrap();
    let inputs = [place.path().join("other"), file];
    assert!(words(Output::apart_from(&link, &inputs).unwrap_err()).contains("would be replaced"));
    assert!(Output::apart_from(&link, &inputs[..1]).is_ok());
    let null = PathBuf::from("/dev/null");
    assert!(Output::apart_from(&null, std::slice::from_ref(&null)).is_ok());
}

#[test]
fn what_was_made_by_hand_or_recorded_is_replaced_by_its_kind_only() {
    let place = tempfile::tempdir().unwrap();
    let kept = [
        ("x.c", "int main(void) { return 0; }\n", Kept::Source),
        ("x.log", "CLL1\u{1}", Kept::Recording),
        ("mine.toml", "# of my host\ncll-machine = 3\n", Kept::Machine),
    ];
    for (name, text, kind) in kept {
        let path = place.path().join(name);
        fs::write(&path, text).unwrap();
        let message = words(Output::at(&path).unwrap_err());
        assert!(message.contains(name) && message.contains("would be replaced"), "{message}");
        Output::of_kind(&path, kind).unwrap();
        let other = if kind == Kept::Source { Kept::Machine } else { Kept::Source };
        assert!(Output::of_kind(&path, other).is_err());
        // One that is empty was made for the output.
        fs::write(&path, "").unwrap();
        Output::at(&path).unwrap();
    }
    let table = place.path().join("t.csv");
    fs::write(&table, "N,time\n").unwrap();
    Output::at(&table).unwrap();
}

#[test]
fn a_derived_name_replaces_pages_of_this_program_only() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.html");
    Output::derived_page(&path, false).unwrap();
    fs::write(&path, "<!doctype html><title>notes</title>").unwrap();
    assert!(words(Output::derived_page(&path, false).unwrap_err()).contains("a.html is no page"));
    Output::derived_page(&path, true).unwrap();
    fs::write(&path, "<!doctype html><meta name=\"generator\" content=\"cll 0.1.0\">").unwrap();
    Output::derived_page(&path, false).unwrap();
}
