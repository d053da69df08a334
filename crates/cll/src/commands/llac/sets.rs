//! `upsilon f`: the sets that `cll upsilon show` prints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cll_llac::value::Value;
use cll_llac::{Opened, Printed, Refusal, Regions};
use cll_report::upsilon_text;

use super::heard::Heard;
use crate::commands::upsilon::{UpsilonJson, load_sets};
use crate::failure::Failure;
use crate::files;

/// The sets of experiments, by source.
pub fn upsilon(asked: &Regions) -> Result<Opened, Refusal> {
    let heard = Heard::default();
    let values = values(asked, &heard).map_err(|failure| heard.refusal(failure))?;
    Ok(Opened { values, notices: heard.notices() })
}

fn values(asked: &Regions, heard: &Heard) -> Result<Vec<(String, Value)>, Failure> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for file in &asked.files {
        let path = place(file, &asked.beside)?;
        if !sources.contains(&path) {
            sources.push(path);
        }
    }
    let mut values = Vec::new();
    for source in sources {
        let mut shown = load_sets(&source, heard)?;
        shown.sets.experiments.retain(|experiment| asked.experiments.contains(&experiment.name));
        let models = asked.model.as_ref().map(|model| model.experiments.clone());
        let models = models.unwrap_or_default();
        let json = serde_json::to_value(UpsilonJson::new(&shown, &models)).unwrap_or_default();
        let text = move |style: &cll_report::Style| upsilon_text(&shown.sets, &models, style);
        let name = files::stem(&source);
        values.push((name, Value::Thing(Arc::new(Printed::styled(text, json)))));
    }
    Ok(values)
}

/// Where a source is: as it was named, or beside a trace.
fn place(file: &str, beside: &[String]) -> Result<PathBuf, Failure> {
    let named = PathBuf::from(file);
    if named.exists() {
        return Ok(named);
    }
    let near = beside.iter().map(|other| {
        let folder = files::folder(Path::new(other));
        [files::in_folder(folder, file), files::in_folder(folder, &files::base(&named))]
    });
    near.flatten().find(|path| path.exists()).ok_or_else(|| {
        Failure::input(format!("the source {file} is not there"))
            .help("start llac in the folder where the program was compiled")
    })
}
