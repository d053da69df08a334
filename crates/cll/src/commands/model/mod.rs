//! `cll model`: from annotated files to a model.

mod finish;
mod live;
mod outcome;
pub(super) mod progress;
mod request;

use cll_analysis::now;
use cll_files::Notices;
use cll_measure::{Compilers, Measured, World};

use super::environment::loaded;
use crate::cli::{Loaded, ModelArgs};
use crate::failure::{Failure, Status};
use crate::launch::{Launcher, Local};
use crate::model::Older;
use crate::terminal::Terminal;
use finish::{Finished, finish};
use live::{Live, Watched};
use request::{request, virtual_processors};

/// Translates, compiles, runs, fits, reports.
pub fn run(args: &ModelArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let loaded = loaded(args.loaded)?;
    let request = request(args, loaded)?;
    // Before the new model replaces it.
    let older = Older::read(&args.comparison, args.fit.confidence)?;
    let live = args.live.then(|| Live::start(&request.name, args.port, terminal)).transpose()?;
    let mut watched = Watched::new(&request, args.quiet, live.clone());
    let quiet = Warnings(terminal);
    let mut world = World {
        toolchain: &Compilers,
        launcher: &|| Ok(Box::new(Local::new(terminal)?) as Box<dyn Launcher + '_>),
        virtual_processors: &|model, most| virtual_processors(args, model, most, terminal),
        view: &mut watched,
        listener: &*terminal,
        progress: if args.quiet { &quiet } else { &*terminal },
        now: &now,
    };
    let measured = cll_measure::model(&request, &mut world);
    watched.finish();
    let measured = measured?;
    let status = outcome::assess(&measured, &request.variations, terminal)?;
    let Measured { folder, asked, seed, model, .. } = measured;
    let Some((model, source)) = model else {
        return Err(Failure::fit("nothing was recorded"));
    };
    let older = older.as_ref();
    let Finished { drawn, comparison, page } =
        finish(args, &model, &source, (&asked, older), &folder, loaded, terminal)?;
    if let Some(live) = live {
        live.finish(page);
    }
    if !args.quiet {
        let files = if drawn { "traces, model and plots" } else { "traces and model (no plots)" };
        terminal.note(&format!(
            "source, program, page, {files} are in {} (seed {seed})",
            folder.path().display()
        ));
    }
    let has_formula = model.has_fit() || model.has_ranked_formula();
    match (status, has_formula, model.is_not_measurable()) {
        (0, false, _) => Err(Failure::Reported(Status::Fit)),
        (0, true, true) if loaded == Loaded::Refuse => Ok(Status::NotMeasurable.code()),
        (code, ..) => Ok(match (older, &comparison) {
            (Some(older), Some(comparison)) => older.status(comparison, code),
            _ => code,
        }),
    }
}

/// Passes warnings on, and no notes.
struct Warnings<'a>(&'a Terminal);

impl Notices for Warnings<'_> {
    fn note(&self, _: &str) {}

    fn warn(&self, text: &str) {
        self.0.warn(text);
    }
}
