//! Measures how long the markers of one passage take here.

use cll_counters::Observing;
use cll_samples::pilot;
use cll_samples::{Policy, prepare};

use super::{Pilot, Silent};
use crate::Error;
use crate::build::Sources;
use crate::settings::observing_nothing;
use cll_analysis::read_together;
use cll_files as files;
use cll_launch::Launcher;
use cll_sampling::{Campaign, Launching, Template};

/// In each passage of `with` and of `without` a program passes over more memory than the markers use, this many
/// times: in a program the caches are in use, too.
const EACH: u32 = 64;
const NAMES: [&str; 2] = ["with", "without"];

const TEXT: &str = "static volatile char memory[16384];\n\
    static void pass_over(void)\n\
    {\n\
    unsigned i;\n\
    for (i = 0; i < sizeof memory; i += 64)\n\
    (void)memory[i];\n\
    }\n\
    int main(void)\n\
    {\n\
    int k, i;\n\
    for (k = 0; k < 400; k++) {\n\
    #pragma cll with with[0]\n\
    for (i = 0; i < 64; i++) {\n\
    pass_over();\n\
    #pragma cll marker marker[0] + marker[1]*i\n\
    #pragma cll end marker\n\
    }\n\
    #pragma cll end with\n\
    #pragma cll without without[0]\n\
    for (i = 0; i < 64; i++)\n\
    pass_over();\n\
    #pragma cll end without\n\
    }\n\
    return 0;\n\
    }\n";

/// The seconds that the markers of one passage take, and whether they were measured; else they are assumed. `sources`
/// are those of the user, for the compiler's options.
///
/// # Errors
/// If the folder or the log cannot be made.
pub fn measure(
    pilot: &Pilot<'_>,
    sources: &Sources,
    launcher: &mut dyn Launcher,
) -> Result<(f64, bool), Error> {
    let assumed = (pilot::MARKERS, false);
    let place = files::temporary_folder()?;
    let text = ("markers", TEXT);
    let built = pilot.toolchain.marked(pilot.args, pilot.compiler, sources, place.path(), text);
    let Ok(program) = built else { return Ok(assumed) };
    let observing = pilot.observing()?;
    let mut campaign = Campaign {
        name: "markers".to_owned(),
        place: crate::plan::place(pilot.args, sources, pilot.grid),
        observing,
        ..Campaign::new(
            program,
            Template::default(),
            place.path().to_path_buf(),
            pilot.folder.open_log()?,
            pilot.args.timeout,
        )
    };
    let launching =
        Launching { round: 0, values: Vec::new(), processors: None, group: 0, seed: 0, gate: true };
    let launched = campaign.carry_out(vec![launching], launcher, &mut Silent)?;
    let trace = launched.first().and_then(|launch| launch.outcome.trace.as_ref());
    let Some(trace) = trace else { return Ok(assumed) };
    let (trace, _) = prepare(read_together(std::slice::from_ref(trace))?, &Policy::default());
    let value = pilot::marker(&trace, NAMES, f64::from(EACH));
    Ok(value.map_or(assumed, |seconds| (seconds, true)))
}

impl Pilot<'_> {
    /// Returns the observables that the measured runs record besides the times, which makes markers longer. A
    /// simulation is not included: in it times mean nothing.
    pub(super) fn observing(&self) -> Result<Observing, cll_counters::Error> {
        let observing = self.args.observing()?;
        if observing.is_simulated() { observing_nothing() } else { Ok(observing) }
    }
}
