//! Results as values, and the only schema of their JSON.
//!
//! - [`ModelFile`] is `model.json`: fitted experiments with the program, the machine, the runs, the
//!   [`Sampling`] and what was counted ([`CounterModel`], [`MissesModel`]).
//! - [`Predicted`] is a prediction of one of its experiments, [`Scaling`] is its speed-up with more processors, and
//!   [`ModelJson`] is the model with both, as `--json` writes it.
//! - [`NextPoints`] is what to measure next.
//! - [`obsp`] has predictions by BSP, OBSP and OBSP*, [`Curves`] are times along a variable,
//!   [`ProfileJson`] and [`DifferenceJson`] profiles as written.
//!
//! Nothing here is printed: the crate `report` makes text, pages and plots of these values.
#![forbid(unsafe_code)]

mod answer;
mod campaign;
mod campaign_status;
mod carried;
mod change_cause;
mod counters;
mod curves;
mod doubt;
mod error;
mod gains;
mod growth;
mod known_counters;
mod machine;
mod model;
mod model_comparison;
mod mpi;
mod next_level;
mod notice;
mod number;
pub mod obsp;
mod plan;
mod prediction;
mod profile;
mod profile_page;
mod ranking;
mod sampling;
mod scaling;
mod search;
mod suggestion;
mod together;
mod virtual_run;
mod what_if;
mod why;

pub use answer::{ModelJson, Predictions};
pub use campaign::{Compared, Comparison, Differing};
pub use campaign_status::{CampaignRun, CampaignStatus, PlannedCampaign, RunEnvironment};
pub use carried::{
    By, Carried, CarriedBoundary, CarriedPoint, Counts, OnMachine, beyond, carried, computation,
    of_another_machine,
};
pub use change_cause::ChangeCause;
pub use counters::{CounterModel, CounterPoint, MissesModel, MissesPoint};
pub use curves::{CurveCrossover, Curves, TimedCurve, TimedPoint};
pub use doubt::{Doubt, DoubtKind, Doubts};
pub use error::{CarryError, ChangeError, LevelError, ModelError};
pub use gains::{GainPoint, GainTable, GainTime, Gains};
pub use growth::Growth;
pub use known_counters::{KnownCounter, KnownCounters};
pub use machine::{Cache, Listed, Machine, MachineComparison, MachineJson, Machines};
pub use model::{
    ColumnModel, Compiled, ExperimentModel, HeldOutModel, ImbalanceModel, ModelFile,
    PredictedModel, ProgramModel, RunModel, SourceModel, SyncModel,
};
pub use model_comparison::{ExperimentComparison, ModelComparison, ModelDiffering};
pub use mpi::{
    GraphCall, GraphEdge, GraphFlow, GraphLoop, GraphSegment, GraphStep, GraphSymbol, GraphSync,
    GraphTask, MpiCall, MpiCritical, MpiDelay, MpiDetail, MpiDiff, MpiDiffCalls, MpiDiffDelay,
    MpiDiffPath, MpiDiffRun, MpiDiffSegment, MpiDiffTime, MpiEfficiency, MpiGraph, MpiInside,
    MpiLink, MpiModel, MpiModelErrors, MpiModelLoop, MpiModelPoint, MpiModelPrediction,
    MpiModelPrimitive, MpiModelRank, MpiModelSegment, MpiModelShare, MpiModelStart,
    MpiOpenRequests, MpiPath, MpiRank, MpiSegment, MpiShare, MpiSpread, MpiStats, MpiTraffic,
    MpiUnrecorded, MpiUnused, MpiWait, MpiWithoutCore, MpiWorld, UnusedKind, UnusedParallelism,
    roman, unrecorded_text,
};
pub use next_level::allow_for_next_level;
pub use notice::Notice;
pub use plan::{NextNoise, NextPoint, NextPoints, NextPrediction};
pub use prediction::{DISPUTED, Predicted, PredictionView};
pub use profile::{AsOn, DifferenceJson, ProfileJson};
pub use profile_page::{
    Columns, NodeWaits, PageCalls, PageMachine, PageProfile, ProfileColumns, ProfileSource,
    difference_columns, profile_columns, statistics_columns, superstep_values,
};
pub use ranking::{Estimate, HotSpot, MarkerCost, NotMeasured, Ranking, RegionSum, TotalTime};
pub use sampling::{
    AdaptiveRound, Against, Canary, CodeModel, DilationModel, Discarded, Measuring, RoundModel,
    Sampling, Stopped, Verdict,
};
pub use scaling::{Scaling, ScalingPoint, scalings};
pub use search::{AveragedPrediction, FormulaCandidate, FormulaTie, SearchModel, named};
pub use suggestion::{FormulaChange, SuggestedValue, SuggestionModel};
pub use virtual_run::{VirtualPrediction, VirtualRounds, VirtualRun};
pub use what_if::{
    Between, Change, Sensitivity, WhatIf, WhatIfPoint, of_experiments, of_supersteps,
};
pub use why::{
    Explained, Known, Named, NamedSent, Tlb, Why, WhyBoundary, WhyCause, WhyChange, WhyDistance,
    WhyExperiment, WhyLevel, WhyLimit, WhyMessages, WhyRun, WhyTlb, levels, translation_levels,
};
