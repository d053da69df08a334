//! `cll model --live`: the page while it is measured, for browsers of this computer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cll_analysis::{Location, now, predict_all};
use cll_files::serve::{Server, Site, token};
use cll_measure::{Evaluation, Request, View};
use cll_report::PageLive;
use cll_result::{Doubt, DoubtKind, ModelFile, ProgramModel};

use super::progress::Bar;
use crate::commands::page::{self, PageData};
use crate::failure::Failure;
use crate::launch::Outcome;
use crate::sampling::{Goal, Launching, Progress, SamplingProgress};
use crate::terminal::Terminal;

/// Browsers that have asked since then are looking, and get the finished page. The page asks every two seconds.
const LOOKING: Duration = Duration::from_secs(6);
/// The share of the time that fits for the page may take.
const MAX_SHARE: f64 = 0.2;
/// The version of the finished page.
const FINISHED: &str = "finished";

/// The page that is served now.
pub struct Live {
    token: String,
    shown: Mutex<Shown>,
    /// Tells that a browser has the finished page.
    sent: Condvar,
}

struct Shown {
    version: String,
    html: Arc<str>,
    /// When a browser has asked for the last time.
    asked: Option<Instant>,
    is_finished_sent: bool,
}

impl Live {
    /// Serves a page of nothing, until this process ends.
    ///
    /// # Errors
    /// If the port is not free.
    pub fn start(name: &str, port: u16, terminal: &Terminal) -> Result<Arc<Live>, Failure> {
        let server = Server::bind(port)?;
        let live = PageLive {
            version: "0",
            state: "The program is being compiled and run: no round has ended yet.",
        };
        let nothing = PageData { samples: Vec::new(), regions: Vec::new(), notes: Vec::new() };
        let html = page::of_measurement(&named(name), &[], &nothing, Path::new("."), live)?;
        let shown = Shown {
            version: live.version.to_owned(),
            html: html.into(),
            asked: None,
            is_finished_sent: false,
        };
        let live =
            Arc::new(Live { token: token()?, shown: Mutex::new(shown), sent: Condvar::new() });
        let address = server.address(&*live);
        terminal.note(&format!("the page is {address} until this command ends"));
        let site = Arc::clone(&live);
        std::thread::spawn(move || server.run(&*site));
        Ok(live)
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, version: String, html: String) {
        let mut shown = self.shown();
        shown.version = version;
        shown.html = html.into();
    }

    /// Shows the finished page. If a browser is looking, it is waited for until it has the page.
    pub fn finish(&self, html: String) {
        self.show(FINISHED.to_owned(), html);
        let shown = self.shown();
        let is_looking = shown.asked.is_some_and(|asked| asked.elapsed() < LOOKING);
        if is_looking {
            let wait = |shown: &mut Shown| !shown.is_finished_sent;
            drop(self.sent.wait_timeout_while(shown, LOOKING, wait));
        }
    }
}

impl Site for Live {
    fn page(&self) -> Arc<str> {
        Arc::clone(&self.shown().html)
    }

    fn token(&self) -> &str {
        &self.token
    }

    fn version(&self) -> String {
        let mut shown = self.shown();
        shown.asked = Some(Instant::now());
        shown.version.clone()
    }

    fn sent(&self, version: &str) {
        if version == FINISHED {
            self.shown().is_finished_sent = true;
            self.sent.notify_all();
        }
    }
}

/// A model of this program, without anything measured.
fn named(name: &str) -> ModelFile {
    let mut model = ModelFile::new(now());
    model.program = Some(ProgramModel { name: name.to_owned(), ..ProgramModel::default() });
    model
}

/// The progress, on the terminal and in the page.
pub struct Watched {
    bar: Bar,
    /// The page, if it is served.
    live: Option<Arc<Live>>,
    name: String,
    asked: Vec<Location>,
    folder: PathBuf,
    /// The rounds that are shown, and seconds that showing took.
    rounds: u32,
    spent: f64,
    began: Instant,
}

impl Watched {
    /// Before anything is measured.
    pub fn new(request: &Request<'_>, is_quiet: bool, live: Option<Arc<Live>>) -> Watched {
        Watched {
            bar: Bar::new(&request.variations, is_quiet),
            live,
            name: request.name.clone(),
            asked: Vec::new(),
            folder: PathBuf::new(),
            rounds: 0,
            spent: 0.0,
            began: Instant::now(),
        }
    }

    /// Ends the line on the terminal.
    pub fn finish(self) {
        self.bar.finish();
    }

    fn page(&self, rounds: u32, evaluation: &Evaluation) -> Result<String, Failure> {
        let mut model = named(&self.name);
        model.experiments.clone_from(&evaluation.experiments);
        model.warnings.clone_from(&evaluation.notices);
        let mut state = match rounds {
            1 => "1 round has ended; measuring goes on.".to_owned(),
            rounds => format!("{rounds} rounds have ended; measuring goes on."),
        };
        if !evaluation.is_measurable() {
            let reasons = evaluation.judgement.reasons.iter().map(|reason| reason.text.as_str());
            let text = reasons.collect::<Vec<&str>>().join("; ");
            let doubt = Doubt { kind: DoubtKind::NotMeasurable, text };
            model.experiments.iter_mut().for_each(|own| own.doubts.push(doubt.clone()));
            state += " Not measurable so far.";
        }
        let predicted = predict_all(&model, &self.asked)?;
        let measured = PageData::from_source(&model, &evaluation.source);
        let version = rounds.to_string();
        let live = PageLive { version: &version, state: &state };
        page::of_measurement(&model, &predicted, &measured, &self.folder, live)
    }
}

impl Progress for Watched {
    fn begins(&mut self, launching: &Launching) {
        self.bar.begins(launching);
    }

    fn ended(&mut self, outcome: &Outcome) {
        self.bar.ended(outcome);
    }
}

impl View for Watched {
    fn starts(&mut self, asked: &[Location], folder: &Path) {
        self.asked = asked.to_vec();
        folder.clone_into(&mut self.folder);
        self.began = Instant::now();
    }

    fn state(&mut self, goal: &Goal, progress: &SamplingProgress, evaluation: Option<&Evaluation>) {
        self.bar.state(goal, progress, evaluation);
    }

    fn follows(&self, progress: &SamplingProgress) -> bool {
        // The first round is always shown.
        let is_cheap = self.spent <= MAX_SHARE * self.began.elapsed().as_secs_f64();
        self.live.is_some() && progress.rounds > self.rounds && (self.rounds == 0 || is_cheap)
    }

    fn evaluated(&mut self, progress: &SamplingProgress, evaluation: &Evaluation) {
        let begin = Instant::now();
        self.rounds = progress.rounds;
        // Faults of predictions and sources are told at the end.
        if let Some(live) = &self.live
            && let Ok(html) = self.page(progress.rounds, evaluation)
        {
            live.show(progress.rounds.to_string(), html);
        }
        self.spent += begin.elapsed().as_secs_f64();
    }
}
