//! The page of a profile: a static report of it, and the data that the viewer shows.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cll_profile::critical::first;
use cll_profile::diff::Difference;
use cll_profile::export::Figure;
use cll_profile::headline::{Loss, headline};
use cll_profile::{Metric, Profile, Source};
use cll_result::{
    PageProfile, difference_columns, profile_columns, statistics_columns, superstep_values,
};

use super::bundle;
use super::head::{Head, head};
use super::html::{Html, brief};
use super::policy;
use crate::document::html::document as render;
use crate::mpi::mpi_page;
use crate::profile::headline::{Target, parts};
use crate::profile::{DifferenceView, ProfileReport, ProfileView};
use crate::style::Style;

/// Nodes with a smaller share of everything are not in the static report of a large profile.
const HIDDEN_BELOW: f64 = 0.01;
/// A profile with more nodes is large.
const LARGE: usize = 400;

/// The contents of the page of a profile.
#[derive(Debug)]
pub struct ProfilePage<'a> {
    /// One profile, or two that are compared.
    pub profiles: &'a [PageProfile<'a>],
    /// Their difference, if there are two.
    pub difference: Option<&'a Difference>,
    /// Name of the machine whose communication is shown at first, one of the profiles' machines.
    pub as_on: Option<&'a str>,
    /// The program that writes it.
    pub tool: &'a str,
}

/// The page as an HTML document. The same values give the same bytes.
pub fn profile_page(page: &ProfilePage<'_>) -> String {
    let mut out = Html::default();
    let names: Vec<String> =
        page.profiles.iter().map(|profile| brief(profile.profile.name())).collect();
    let title = match &names[..] {
        [before, after] if before != after => format!("{before} and {after}"),
        [first, ..] => first.clone(),
        [] => String::new(),
    };
    profile_head(&mut out, &title, page.tool);
    out.open("body", &[("class", "viewer")]);
    out.element("a", &[("class", "skip"), ("href", "#main")], "Skip to the profile");
    out.open("header", &[("class", "top")]);
    out.open("h1", &[("class", "brand")]);
    out.element("bdi", &[], &title);
    out.close();
    out.element("div", &[("class", "bar"), ("id", "bar")], "");
    out.element("div", &[("class", "tools"), ("data-island", "theme")], "");
    out.close();
    out.open("main", &[("id", "main"), ("tabindex", "-1")]);
    headlines(&mut out, page.profiles);
    let as_on = page.as_on.unwrap_or_default();
    out.element("div", &[("id", "live"), ("data-as-on", as_on)], "");
    out.open("div", &[("class", "static"), ("id", "static")]);
    if let Some(difference) = page.difference {
        let h_unit = page.profiles.first().map_or(1, |profile| profile.profile.h_unit);
        let by_calls = page.profiles.iter().any(is_by_calls);
        let view = DifferenceView {
            found: difference,
            verdicts: &[],
            // The time is without waiting, which is what most calls differ in.
            figure: if by_calls { Figure::Maximum(Metric::Idle) } else { Figure::Time },
            h_unit,
            on_terminal: false,
            by_calls,
        };
        section(&mut out, "Comparison", |out| render(out, &view.document(&STYLE)));
    }
    for profile in page.profiles {
        section(&mut out, profile.file, |out| report(out, profile));
    }
    out.close();
    out.close();
    super::foot(&mut out, page.tool, &[bundle::NOTICE]);
    let mut later = Vec::new();
    for (index, profile) in page.profiles.iter().enumerate() {
        let columns = profile_columns(profile);
        data(&mut out, &format!("p{index}"), &columns.tree);
        later.push((format!("p{index}-each"), columns.each));
        later.push((format!("p{index}-graph"), columns.graph));
        if let Some(calls) = profile.calls {
            data(&mut out, &format!("p{index}-mpi"), &statistics_columns(calls.stats));
        }
    }
    if let Some(difference) = page.difference {
        data(&mut out, "diff", &difference_columns(difference));
    }
    // Behind it nothing is needed for the first view, which a browser shows while it reads the rest.
    out.raw("script", &[("type", "application/octet-stream"), ("id", "cll-first")], "");
    later.iter().for_each(|(name, bytes)| data(&mut out, name, bytes));
    drop(later);
    for (index, profile) in page.profiles.iter().enumerate() {
        if let Some(supersteps) = profile.supersteps {
            for metric in Metric::ALL {
                let name = format!("p{index}-values{}", metric.index());
                data(&mut out, &name, &superstep_values(supersteps, metric));
            }
        }
    }
    out.finish()
}

/// Writes the headline of each profile, with links to where the viewer shows it.
fn headlines(out: &mut Html, profiles: &[PageProfile<'_>]) {
    for (log, profile) in profiles.iter().enumerate() {
        let Some(most) = headline(profile.profile) else { continue };
        let kind = match most.loss {
            Loss::Imbalance => "imbalance",
            Loss::Cost => "absolute",
        };
        let view = format!("log={log}&path={kind}:{}&node={}", most.metric.index(), most.node);
        out.open("p", &[("class", "headline")]);
        if profiles.len() > 1 {
            out.element("bdi", &[], profile.file);
            out.text(": ");
        }
        for part in parts(profile.profile, &most, STYLE.notation()) {
            let link = match part.target {
                None => {
                    out.text(&part.text);
                    continue;
                }
                Some(Target::Place) => format!("#tab=graph&{view}"),
                Some(Target::Value) => format!("#tab=table&{view}"),
                Some(Target::Processor) => {
                    let number = most.processor.map_or(0, |processor| processor.0);
                    format!("#tab=table&processors={number}-{number}&{view}")
                }
            };
            out.open("a", &[("href", &link)]);
            out.element("bdi", &[], &part.text);
            out.close();
        }
        out.text(".");
        out.close();
    }
}

/// The browser wraps text.
const STYLE: Style = Style { width: 10_000, color: false, unicode: true };

fn section(out: &mut Html, title: &str, content: impl FnOnce(&mut Html)) {
    out.open("section", &[]);
    out.open("h2", &[]);
    out.element("bdi", &[], title);
    out.close();
    content(out);
    out.close();
}

fn is_by_calls(page: &PageProfile<'_>) -> bool {
    matches!(page.profile.source, Source::Calls { .. })
}

/// Writes the report that is there without JavaScript.
fn report(out: &mut Html, page: &PageProfile<'_>) {
    match page.calls.filter(|_| is_by_calls(page)) {
        Some(calls) => render(out, &mpi_page(calls.stats, &STYLE)),
        None => supersteps(out, page.profile),
    }
    let notes = page.profile.notes.iter().map(ToString::to_string);
    for note in notes.chain(page.calls.iter().flat_map(|calls| calls.notes.iter().cloned())) {
        out.element("p", &[("class", "caution")], &format!("Note: {note}"));
    }
}

fn supersteps(out: &mut Html, profile: &Profile) {
    let (chosen, empty) = first(profile);
    let large = profile.nodes.len() > LARGE;
    let report = ProfileReport {
        waits: &[],
        profile,
        chosen: &chosen,
        empty: &empty,
        priced: None,
        hide_below: if large { HIDDEN_BELOW } else { 0.0 },
        style: STYLE,
        on_terminal: true,
    };
    render(out, &report.document(ProfileView::Tree));
}

/// Compressed bytes: base64 of a zlib stream, in an element that is never run.
fn data(out: &mut Html, name: &str, bytes: &[u8]) {
    /// The level of miniz: a good ratio for its time.
    const LEVEL: u8 = 4;
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL);
    let id = format!("cll-{name}");
    let size = bytes.len().to_string();
    let attributes =
        [("type", "application/octet-stream"), ("id", id.as_str()), ("data-bytes", &size)];
    out.raw("script", &attributes, &STANDARD.encode(packed));
}

/// The invisible part.
fn profile_head(out: &mut Html, title: &str, tool: &str) {
    let styles = [bundle::PROFILE_STYLE];
    let scripts = [bundle::PROFILE_SCRIPT];
    let policy = policy::policy(&scripts, &styles);
    let title = format!("{title} · profile");
    head(out, &Head { title: &title, tool, policy: &policy, styles: &styles, scripts: &scripts });
}
