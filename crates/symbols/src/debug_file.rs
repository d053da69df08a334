//! Debug information in a separate file.

use std::path::{Path, PathBuf};

/// An object's reference to the file with its debug information.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugLink {
    /// The file's name, without a folder.
    pub name: String,
    /// CRC-32 of all its bytes.
    pub crc: u32,
}

/// Paths of the debug file of the object at `path`, in the order in which debuggers search: by build id, then by
/// name beside it, in `.debug`, and in the system's folder.
pub fn candidates(path: &Path, build: Option<&[u8]>, link: Option<&DebugLink>) -> Vec<PathBuf> {
    let system = Path::new("/usr/lib/debug");
    let mut paths = Vec::new();
    if let Some([first, rest @ ..]) = build
        && !rest.is_empty()
    {
        let name = format!("{first:02x}/{}.debug", hexadecimal(rest));
        paths.push(system.join(".build-id").join(name));
    }
    // A name with folders in it could lead anywhere.
    if let Some(link) = link
        && Path::new(&link.name).file_name() == Some(link.name.as_ref())
        && let Some(folder) = path.parent()
    {
        paths.push(folder.join(&link.name));
        paths.push(folder.join(".debug").join(&link.name));
        if let Ok(inside) = folder.strip_prefix("/") {
            paths.push(system.join(inside).join(&link.name));
        }
    }
    paths
}

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_files_lie_where_debuggers_look() {
        let link = DebugLink { name: "a.debug".into(), crc: 0 };
        let paths = candidates(Path::new("/opt/bin/a"), Some(&[0xab, 0xcd, 1]), Some(&link));
        let paths: Vec<_> = paths.iter().map(|path| path.to_str().unwrap()).collect();
        let expected = [
            "/usr/lib/debug/.build-id/ab/cd01.debug",
            "/opt/bin/a.debug",
            "/opt/bin/.debug/a.debug",
            "/usr/lib/debug/opt/bin/a.debug",
        ];
        assert_eq!(paths, expected);
        let link = DebugLink { name: "../../etc/passwd".into(), crc: 0 };
        assert_eq!(candidates(Path::new("/opt/a"), None, Some(&link)), [] as [PathBuf; 0]);
    }
}
