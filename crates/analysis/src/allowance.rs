//! The processors that runs were allowed to use, for the readers of a model: quotas that stopped them, and more processors than there
//! were.

use cll_result::Notice;
use cll_trace::Trace;
use cll_trace::meta::Allowed;

/// Notices on the processors of a trace's runs.
pub fn allowance(trace: &Trace) -> Vec<Notice> {
    let mut runs = trace.runs.iter().filter_map(|run| run.table.allowed.as_ref());
    let Some(mut allowed) = runs.next().cloned() else { return Vec::new() };
    runs.for_each(|more| allowed.add(more));
    let stopped = allowed.stopped_in_words().map(|text| Notice::new("quota", text));
    stopped.into_iter().chain(shortage(trace, &allowed)).collect()
}

/// More processors of the program than it might use. Virtual ones take turns in any case; processes on other hosts have
/// other processors.
fn shortage(trace: &Trace, allowed: &Allowed) -> Option<Notice> {
    let is_virtual = trace.runs.iter().any(|run| run.table.engine == "virtual");
    let mut hosts = trace.processes.iter().map(|process| &process.table.host);
    let first = hosts.next();
    if is_virtual || hosts.any(|host| Some(host) != first) {
        return None;
    }
    let most = trace.experiments.iter().filter_map(|experiment| {
        let is_parallel =
            experiment.places.iter().any(|place| !["", "sequential"].contains(&&*place.model));
        let index = experiment.variables.iter().position(|name| name == "P" && is_parallel)?;
        experiment.cells.iter().filter_map(|cell| cell.values.get(index).copied()).reduce(f64::max)
    });
    let text = allowed.short_of(most.reduce(f64::max)?, "processors")?;
    Some(Notice::new("oversubscribed", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_trace::{Cell, Experiment, Place, Run, meta};

    fn trace(allowed: &[Allowed], engine: &str, model: &str, most: f64) -> Trace {
        let run = |allowed: &Allowed| Run {
            trace: 0,
            table: meta::Run {
                engine: engine.to_owned(),
                allowed: Some(allowed.clone()),
                ..meta::Run::default()
            },
        };
        let mut cell = Cell::default();
        cell.values = vec![100.0, most];
        let experiment = Experiment {
            variables: vec!["N".to_owned(), "P".to_owned()],
            places: vec![Place { model: model.to_owned(), ..Place::default() }],
            cells: vec![cell],
            ..Experiment::default()
        };
        Trace {
            runs: allowed.iter().map(run).collect(),
            experiments: vec![experiment],
            ..Trace::default()
        }
    }

    #[test]
    fn stops_of_all_runs_are_told_once_with_the_group() {
        let group = "/q".to_owned();
        let (quota, stopped_ns) = (Some(0.2), 6_000_000_000);
        let allowed = Allowed { online: 2, mask: 2, quota, group, stops: 120, stopped_ns };
        let notices = allowance(&trace(&[allowed.clone(), allowed], "", "sequential", 1.0));
        let [notice] = &notices[..] else { panic!("{notices:?}") };
        assert_eq!(notice.code, "quota");
        assert_eq!(
            notice.text,
            "the program may use 0.2 processors (control group /q): it was stopped 240 times, for 12 s in all"
        );
        assert_eq!(allowance(&trace(&[], "", "OpenMP", 8.0)), []);
    }

    #[test]
    fn more_threads_than_processors_are_told() {
        let allowed = Allowed { online: 2, mask: 1, ..Allowed::default() };
        let texts = |engine: &str, model: &str, most: f64| -> Vec<String> {
            let notices = allowance(&trace(std::slice::from_ref(&allowed), engine, model, most));
            notices.into_iter().map(|notice| notice.text).collect()
        };
        assert_eq!(
            texts("", "OpenMP", 2.0),
            [
                "2 processors ran where the program may use 1 of 2 processors (affinity mask): they took turns, so the \
              times are not those of 2 processors"
            ]
        );
        assert_eq!(texts("", "OpenMP", 1.0).len(), 0);
        assert_eq!(texts("virtual", "BSP", 8.0).len(), 0);
        // There P is a variable like others.
        assert_eq!(texts("", "sequential", 8.0).len(), 0);
    }
}
