//! Results to text tables, terminal plots, SVG and the HTML page.
//!
//! Input: values of [`cll_result`] and of the crates below it. Output: a `String`.
//!
//! - [`answer_report`]: the short report on a model; [`model_report`], [`parts_report`]
//!   and [`predictions_report`]: a whole model, parts of it, and its predictions; [`model_text`],
//!   [`summary_text`], [`points_text`], [`predictions_text`], [`misses_text`]: parts of it.
//! - [`Document`] is a report before it is text or HTML: sections of tables, notices,
//!   paragraphs and plots.
//! - [`obsp_text`], [`obsp_table`], [`curves_text`], [`ProfileReport`], [`DifferenceView`],
//!   [`machine_text`], [`machine_comparison_text`], [`mpi_text`], [`mpi_page_text`], [`mpi_diff_text`], [`mpi_graph_text`], [`mpi_model_text`], [`next_text`], [`upsilon_text`], [`aleph_text`],
//!   [`virtual_notes`]: the other results.
//! - [`plot`] makes a [`PlotSpec`], a plot as a value; [`terminal_plot`] and [`svg`] draw it.
//! - [`page`] makes one HTML file of everything that is known of a model, [`profile_page`] one of a profile, [`graph_page`] one of a graph of an MPI program.
//! - [`Notation`] writes numbers: with a unit and a prefix that fits, to the digits that their
//!   uncertainty allows. [`Table`] aligns them.
//!
//! Nothing is decided here: every number that is shown is in the input. Names are from other people's
//! programs; control characters in them are escaped.
#![forbid(unsafe_code)]

mod answer;
mod campaign;
mod chart;
mod counters;
mod curves;
mod document;
mod machine;
mod model;
mod mpi;
mod next;
mod notation;
mod obsp;
mod on_machine;
mod page;
mod plot;
mod profile;
mod style;
mod svg;
mod terminal;
mod text;
mod upsilon;
mod virtual_ranks;
mod virtual_run;
mod what_if;
mod why;

pub use answer::{AnswerOptions, MAX_LINES, MAX_LINES_EACH, answer_report};
pub use campaign::{campaign_counts_text, campaign_status_text, comparison_text, plan_text};
pub use chart::{Bars, Chart, ChartContent, Histogram, Spread, chart_svg, chart_text};
pub use counters::counters_text;
pub use curves::{curves_plot, curves_text, gains_text, measured_text};
pub use document::{Document, Section};
pub use machine::{machine_comparison_text, machine_text, machines_text};
pub use model::{
    Causes, ComparisonView, ModelView, ReportOptions, ReportPart, TouchedMemory, misses_text,
    model_comparison_text, model_html, model_report, model_text, parts_report, points_text,
    predictions_report, predictions_text, summary_text,
};
pub use mpi::{
    mpi_diff_text, mpi_graph_dot, mpi_graph_svg, mpi_graph_text, mpi_model_text, mpi_page_text,
    mpi_text,
};
pub use next::next_text;
pub use notation::Notation;
pub use obsp::{ObspHead, obsp_table, obsp_text};
pub use on_machine::on_machine_text;
pub use page::{
    GraphPage, Page, PageLive, PageRegion, PageSets, PageSource, ProfilePage, graph_page, page,
    profile_page,
};
pub use plot::{
    Axis, Curve, CurvePoint, Gap, Marker, PlotError, PlotOptions, PlotPoint, PlotSpec, Reference,
    Scale, Series, Whiskers, experiment_plot, plot,
};
pub use profile::{DifferenceView, ProfileReport, ProfileView, shortened};
pub use style::Style;
pub use svg::{SvgOptions, Theme, svg};
pub use terminal::terminal_plot;
pub use text::{Align, Cell, Column, Table, columns, escape, truncate, wrap};
pub use upsilon::{aleph_text, upsilon_text};
pub use virtual_ranks::{virtual_rank_notes, virtual_rank_table};
pub use virtual_run::{virtual_notes, virtual_table};
pub use what_if::what_if_text;
pub use why::why_text;
