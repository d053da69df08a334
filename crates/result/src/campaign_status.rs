//! How far a campaign is: `docs/formats/campaign.md`.

use std::collections::BTreeMap;

use cll_campaign::{Attempt, Counts, Plan, State};
use cll_units::Seconds;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A campaign with all its runs. Fields are in the order of their names, as in the JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignStatus {
    /// The campaigns that are in the database: several if databases were merged.
    pub campaigns: Vec<PlannedCampaign>,
    /// How many runs are in each state.
    #[serde(serialize_with = "by_state")]
    #[schemars(with = "ByState")]
    pub counts: Counts,
    /// Where they ran.
    pub environments: Vec<RunEnvironment>,
    format: &'static str,
    /// All runs, in the order of their numbers.
    pub runs: Vec<CampaignRun>,
    /// The time of all runs that have ended.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The expected time of the remaining runs, from runs with the same values; `None` if it is not known.
    #[serde(rename = "left_s")]
    pub time_left: Option<Seconds>,
    version: u32,
}

impl CampaignStatus {
    /// The status of these campaigns and runs.
    pub fn new(
        campaigns: Vec<PlannedCampaign>,
        environments: Vec<RunEnvironment>,
        runs: Vec<CampaignRun>,
        counts: Counts,
        time_left: Option<Seconds>,
    ) -> CampaignStatus {
        CampaignStatus {
            campaigns,
            counts,
            environments,
            format: "cll-campaign-status",
            runs,
            time: counts.time,
            time_left,
            version: 1,
        }
    }
}

/// A campaign as it was begun.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlannedCampaign {
    /// The number of the campaign in the database.
    pub campaign: i64,
    /// When it was begun, Unix time in seconds.
    pub created: f64,
    /// The identifier of the campaign, the same in every database.
    pub key: String,
    /// The plan of the campaign.
    pub plan: Plan,
    /// The seed of its orders.
    pub seed: u64,
}

/// Where runs were made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunEnvironment {
    /// Compilers with their options, each once.
    pub compilers: Vec<String>,
    /// The processor.
    pub cpu: String,
    /// The computer.
    pub host: String,
    /// All else that is known of it.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A run with its newest attempt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignRun {
    /// How often it was started.
    pub attempts: u32,
    /// Number of its campaign.
    pub campaign: i64,
    /// Attempts that failed before.
    pub earlier: Vec<Attempt>,
    /// The exit code of the run, if it ended normally.
    pub exit: Option<i32>,
    /// The computer that it ran on.
    pub host: Option<String>,
    /// The load of the computer before the run.
    pub load: Option<f64>,
    /// The message that says what went wrong.
    pub message: Option<String>,
    /// Whether it had more processors than there are cores.
    pub oversubscribed: bool,
    /// The parameters with their values, in the order of the plan; in the JSON they are sorted by name.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "BTreeMap<String, Value>")]
    pub parameters: Vec<(String, Value)>,
    /// How many processors; `None` if the plan has none.
    pub processors: Option<u32>,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// The number of the run in the database.
    pub run: i64,
    /// How long it took.
    #[serde(rename = "time_s")]
    pub time: Option<Seconds>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// When it began, Unix time in seconds.
    pub started: Option<f64>,
    /// The state of the run.
    pub state: State,
    /// The file of its trace in the folder of traces.
    pub trace: Option<String>,
}

fn by_name<S: serde::Serializer>(
    parameters: &[(String, Value)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let parameters: BTreeMap<&String, &Value> =
        parameters.iter().map(|(name, value)| (name, value)).collect();
    serializer.collect_map(parameters)
}

/// The number of runs in each state.
#[derive(Serialize, JsonSchema)]
struct ByState {
    done: u64,
    failed: u64,
    planned: u64,
    running: u64,
    skipped: u64,
    submitted: u64,
    timeout: u64,
}

fn by_state<S: serde::Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
    let &Counts { done, failed, planned, running, skipped, submitted, timeout, .. } = counts;
    ByState { done, failed, planned, running, skipped, submitted, timeout }.serialize(serializer)
}
