//! One C source of a real program against the three statements.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use cll_translate::{Options, Source, translate};

use super::annotate::annotate;
use super::object::Code;
use super::recorder::Compilation;

/// Compiles with and without markers.
pub struct Checker {
    cll: PathBuf,
}

/// The result of one source.
#[derive(Default)]
pub struct Outcome {
    /// Regions that were put around its statements.
    pub regions: usize,
    /// Regions that the translator refused, with its reason.
    pub refused: usize,
    /// Which statement does not hold, and why.
    pub failure: Option<String>,
}

impl Checker {
    /// Uses the program named by `CLL`, else builds it.
    pub fn new(root: &Path) -> Result<Checker> {
        if let Some(cll) = std::env::var_os("CLL") {
            return Ok(Checker { cll: cll.into() });
        }
        let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--release", "-p", "cll"])
            .current_dir(root)
            .status()
            .context("cannot start cargo")?;
        if !status.success() {
            bail!("cll does not build");
        }
        Ok(Checker { cll: root.join("target/release/cll") })
    }

    /// Holds one source against the three statements; files go to `work`.
    pub fn check(&self, compilation: &Compilation, work: &Path) -> Result<Outcome> {
        let path = compilation.path();
        let text = std::fs::read(&path)?;
        let name = compilation.source.display().to_string();
        let source = Source { name: &name, text: &text };
        let untouched = translate(&source, &Options::default());
        if untouched.code.is_some() || !untouched.insertions.is_empty() {
            let failure = Some("has no directive, yet is changed".to_string());
            return Ok(Outcome { failure, ..Outcome::default() });
        }

        let annotated = annotate(&name, &text);
        let outcome = |failure: Option<String>| {
            Ok(Outcome { regions: annotated.regions, refused: annotated.refused, failure })
        };
        // Projects have files of one name in many folders, each compiled from its own.
        let mut hash = DefaultHasher::new();
        path.hash(&mut hash);
        let stem: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let stem = format!("{stem}_{:08x}", hash.finish() as u32);
        let file = |ending: &str| work.join(format!("{stem}.{ending}"));
        std::fs::write(file("c"), &annotated.text)?;

        let mut plain = Command::new("cc");
        plain.args(&compilation.flags).arg("-w").arg("-c").arg(&compilation.source);
        finish(plain, compilation, &file("plain.o")).context("the project's own file")?;
        // The annotated file lies elsewhere: headers beside the source are found
        // by another path, which `__FILE__` in them must not tell.
        let beside = path.parent().unwrap_or(Path::new("."));
        let folder = |path: &Path| match path.display().to_string() {
            empty if empty.is_empty() => empty,
            folder => format!("{folder}/"),
        };
        let named = folder(compilation.source.parent().unwrap_or(Path::new("")));
        let same_names = format!("-fmacro-prefix-map={}={named}", folder(beside));
        for (ending, off) in [("off.o", true), ("on.o", false)] {
            let mut command = Command::new(&self.cll);
            command.arg("cc").args(off.then_some("-DCLL_OFF")).arg("-iquote").arg(beside);
            command.arg(&same_names);
            if named.is_empty() {
                // By way of `-I.`, which GCC takes for the same folder.
                command.arg("-fmacro-prefix-map=./=");
            }
            command.args(&compilation.flags).args(["-w", "-c"]).arg(file("c"));
            // Thousands of regions a file keep the optimiser busy for minutes
            // and tell nothing more.
            command.args((!off).then_some("-O0"));
            if let Err(error) = finish(command, compilation, &file(ending)) {
                let markers = if off { "out" } else { "in" };
                return outcome(Some(format!("markers {markers}: {error:#}")));
            }
        }
        let (plain, off) = (Code::read(&file("plain.o"))?, Code::read(&file("off.o"))?);
        if let Some(difference) = plain.difference(&off) {
            return outcome(Some(format!("markers out: {difference} differs")));
        }
        for ending in ["c", "plain.o", "off.o", "on.o"] {
            std::fs::remove_file(file(ending)).ok();
        }
        outcome(None)
    }
}

/// Runs a compiler where the project's build ran it.
fn finish(mut command: Command, compilation: &Compilation, object: &Path) -> Result<()> {
    let output = command
        .arg("-o")
        .arg(object)
        .current_dir(&compilation.folder)
        .env("SOURCE_DATE_EPOCH", "0")
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("{}", message.lines().take(6).collect::<Vec<_>>().join("\n    "));
    }
    Ok(())
}
