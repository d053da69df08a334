//! The viewer, built from `viewer/` by `npm run build`.

/// The script of the page.
pub(crate) const SCRIPT: &str = include_str!("bundle/page.js");
/// The style sheet of the page.
pub(crate) const STYLE: &str = include_str!("bundle/page.css");

/// The script that corrects the sets of constants, for pages that have some.
pub(crate) const UPSILON_SCRIPT: &str = include_str!("bundle/upsilon.js");

/// The program for predictions, WebAssembly made of `viewer/predict` by `viewer/predict/build` (decision 0128).
pub(crate) const PREDICT: &[u8] = include_bytes!("bundle/predict.wasm");

/// The script of a profile's page.
pub(crate) const PROFILE_SCRIPT: &str = include_str!("bundle/profile.js");
/// The style sheet of a profile's page.
pub(crate) const PROFILE_STYLE: &str = include_str!("bundle/profile.css");

/// The script of the page of a graph of an MPI program.
pub(crate) const GRAPH_SCRIPT: &str = include_str!("bundle/graph.js");
/// The style sheet of the page of a graph.
pub(crate) const GRAPH_STYLE: &str = include_str!("bundle/graph.css");

/// Licences of the libraries in it.
pub(crate) const NOTICE: &str = include_str!("bundle/NOTICE");

/// Licences of the crates in the program for predictions.
pub(crate) const PREDICT_NOTICE: &str = include_str!("bundle/PREDICT.NOTICE");

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use sha2::{Digest, Sha256};

    use super::*;

    fn viewer() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer")
    }

    fn files(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path, out) } else { out.push(path) }
        }
    }

    /// As `viewer/build.mjs` makes it: a line for each file, with its name and the hash of its content.
    fn sources() -> String {
        let viewer = viewer();
        let mut paths: Vec<PathBuf> =
            ["package-lock.json", "tsconfig.json", "build.mjs"].map(|n| viewer.join(n)).to_vec();
        files(&viewer.join("src"), &mut paths);
        hashed(&viewer, &paths)
    }

    fn hashed(folder: &Path, paths: &[PathBuf]) -> String {
        let mut lines: Vec<String> = paths
            .iter()
            .map(|path| {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                format!("{name} {}\n", hex(&fs::read(path).unwrap()))
            })
            .collect();
        lines.sort();
        hex(lines.concat().as_bytes())
    }

    #[test]
    fn the_program_for_predictions_is_that_of_its_sources_and_small() {
        let folder = viewer().join("predict");
        let mut paths: Vec<PathBuf> =
            ["Cargo.toml", "Cargo.lock", "build"].map(|name| folder.join(name)).to_vec();
        files(&folder.join("src"), &mut paths);
        assert_eq!(
            include_str!("bundle/PREDICT.sha256").trim(),
            hashed(&folder, &paths),
            "viewer/predict has changed since it was compiled: viewer/predict/build"
        );
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(PREDICT, 9).len();
        assert!(packed <= 300_000, "{packed} bytes compressed");
        // Names of sources in its messages are relative: none is of the machine that compiled it.
        let text = String::from_utf8_lossy(PREDICT);
        for (offset, _) in text.match_indices(".rs") {
            let before = &text[..offset];
            let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
            let begin = before.rfind(|c| !is_path(c)).map_or(0, |index| index + 1);
            let begin =
                (begin..=offset).find(|index| before.is_char_boundary(*index)).unwrap_or(offset);
            assert!(!before[begin..].starts_with('/'), "{}", &text[begin..offset]);
        }
    }

    fn hex(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_bundle_is_that_of_the_sources() {
        let recorded = include_str!("bundle/SOURCES.sha256").trim();
        assert_eq!(
            recorded,
            sources(),
            "viewer/ has changed since the bundle was made: cd viewer && npm ci && npm run build"
        );
    }

    #[test]
    fn the_bundle_is_small_and_can_stand_in_a_page() {
        for (script, style) in [(SCRIPT, STYLE), (PROFILE_SCRIPT, PROFILE_STYLE)] {
            let size = script.len() + style.len();
            assert!(size <= 150_000, "{size} bytes");
            assert!(!script.contains("</script") && !script.contains("<!--"));
            assert!(
                !style.contains("</style") && !style.contains("url(") && !style.contains("@import")
            );
        }
        let both = [PROFILE_SCRIPT, PROFILE_STYLE].concat();
        let packed = miniz_oxide::deflate::compress_to_vec(both.as_bytes(), 6).len();
        assert!(packed <= 100_000, "{packed} bytes compressed");
    }

    #[test]
    fn what_is_in_the_bundle_may_be_used() {
        let lock: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(viewer().join("package-lock.json")).unwrap())
                .unwrap();
        let bundled = lock["packages"][""]["dependencies"].as_object().unwrap();
        assert!(!bundled.is_empty());
        for (name, version) in bundled {
            let package = &lock["packages"][format!("node_modules/{name}")];
            assert_eq!(&package["version"], version, "{name} has one exact version");
            let licence = package["license"].as_str().unwrap();
            assert!(["MIT", "Apache-2.0", "BSD-3-Clause"].contains(&licence), "{name}: {licence}");
            assert!(package["dependencies"].is_null(), "{name} brings others with it");
            let title = format!("{name} {}", version.as_str().unwrap());
            assert!(NOTICE.contains(&title), "NOTICE does not name {title}");
        }
        assert_eq!(NOTICE.matches("Permission is hereby granted").count(), bundled.len());
    }

    #[test]
    fn the_crates_of_the_program_for_predictions_are_named() {
        let lock = fs::read_to_string(viewer().join("predict/Cargo.lock")).unwrap();
        let mut foreign = 0;
        for package in lock.split("[[package]]").filter(|text| text.contains("\nsource = ")) {
            let value =
                |key: &str| package.split(&format!("\n{key} = \"")).nth(1)?.split('"').next();
            let title = format!("{} {} (", value("name").unwrap(), value("version").unwrap());
            let after = PREDICT_NOTICE.split(&title).nth(1);
            let licence = after.and_then(|after| after.lines().next());
            let licence = licence.unwrap_or_else(|| panic!("PREDICT.NOTICE does not name {title}"));
            assert!(licence.contains("MIT") || licence.contains("Apache-2.0"), "{title}{licence}");
            foreign += 1;
        }
        assert!(foreign > 10, "{foreign}");
        assert!(PREDICT_NOTICE.contains("Permission is hereby granted"));
        assert!(PREDICT_NOTICE.contains("Apache License"));
    }
}
