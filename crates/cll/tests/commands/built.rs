//! Programs that several tests compile in the same way: each test is a process of its own, and what one of them has
//! compiled serves all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{CLL, Done, Place, run};

/// The age from which on a program that was made before is of another version.
const AGE: Duration = Duration::from_secs(24 * 3600);

/// `program` in the place, as `build` makes it, or as it has made it before with the same `key`.
pub fn once(place: &Place, key: &[&str], program: &str, build: impl FnOnce()) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("built");
    fs::create_dir_all(&folder).unwrap();
    let kept = folder.join(format!("{:016x}", hash(&key.join("\0"))));
    let lock = File::create(kept.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let own = place.path(program);
    if kept.exists() {
        return copy(place, &kept, &own);
    }
    build();
    let new = kept.with_extension("new");
    copy(place, &own, &new);
    fs::rename(new, &kept).unwrap();
    for old in fs::read_dir(folder).unwrap().flatten() {
        let age =
            old.metadata().and_then(|data| data.modified()).map(|modified| modified.elapsed());
        if age.is_ok_and(|age| age.is_ok_and(|age| age > AGE)) {
            let _ = fs::remove_file(old.path());
        }
    }
}

/// Not by this process: a child that it starts meanwhile would have the file open for writing.
fn copy(place: &Place, from: &Path, to: &Path) {
    run(place.command("cp").arg(from).arg(to)).expect(0);
}

/// `cll cc` with these words in the place, whose files `sources` are compiled to `program`.
pub fn by_cll(
    place: &Place,
    variables: &[(&str, &str)],
    words: &[&str],
    sources: &[&str],
    program: &str,
) {
    let texts: Vec<String> = sources.iter().map(|name| place.read(name)).collect();
    let settings: Vec<String> =
        variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
    // The program has the library of `cll` in it.
    let compilers = [version(Path::new(CLL)), compiler("gcc")].concat();
    let mut key = vec![compilers.as_str()];
    key.extend(texts.iter().map(String::as_str).chain(settings.iter().map(String::as_str)));
    key.extend(words);
    // The place is gone when others have the program.
    let here = format!("-fdebug-prefix-map={}=.", place.path("x").parent().unwrap().display());
    once(place, &key, program, || {
        let done: Done = place.cll_with(variables, &[words, &[&here]].concat()).expect(0);
        assert_eq!(done.err, "");
    });
}

/// The same by another compiler.
pub fn by(place: &Place, name: &str, words: &[&str], source: &str, program: &str) {
    let (text, compilers) = (place.read(source), [compiler(name), compiler("gcc")].concat());
    // The program's name is not in it.
    let mut key = vec![compilers.as_str(), text.as_str(), name, source];
    key.extend(words);
    once(place, &key, program, || {
        run(place.command(name).args(words).args([source, "-o", program])).expect(0);
    });
}

/// The properties that differ between versions of a compiler in `PATH`.
fn compiler(name: &str) -> String {
    let path = std::env::var_os("PATH").unwrap();
    let all: Vec<PathBuf> = std::env::split_paths(&path).map(|folder| folder.join(name)).collect();
    all.iter().find(|path| path.exists()).map_or(String::new(), |path| version(path))
}

fn version(file: &Path) -> String {
    let path = fs::canonicalize(file).unwrap();
    let data = fs::metadata(&path).unwrap();
    format!("{} {} {:?}\n", path.display(), data.len(), data.modified().unwrap())
}

/// FNV-1a, 64 bits.
fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, mix)
}
