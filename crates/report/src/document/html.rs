//! Documents as parts of a page.

use super::{Block, Document, Formulas, Medium, Notice, Section, Title, Verdict};
use crate::page::html::{Html, role};
use crate::style::Role;
use crate::svg::{SvgOptions, svg};

/// Writes all sections.
pub(crate) fn document(out: &mut Html, document: &Document) {
    document.sections.iter().for_each(|part| section(out, part));
}

fn section(out: &mut Html, section: &Section) {
    if let Title::Report { name, about } = &section.title {
        out.open("h1", &[]);
        out.element("bdi", &[], name);
        out.close();
        out.element("p", &[("class", "lede")], about);
    }
    let title = match (&section.on_page, &section.title) {
        (Some((text, remark)), _) => Some((*text, remark.as_str())),
        (None, Title::Part { text, remark }) => Some((text.as_str(), remark.as_str())),
        (None, Title::Plain(text)) => Some((text.as_str(), "")),
        (None, Title::Subject { name, place }) => Some((name.as_str(), place.as_str())),
        (None, Title::None | Title::Report { .. }) => None,
    };
    if let Some((text, remark)) = title {
        part(out, text, remark);
    }
    blocks(out, &section.blocks);
    if title.is_some() {
        out.close();
    }
}

/// Begins a part of a section.
fn part(out: &mut Html, title: &str, remark: &str) {
    out.open("div", &[("class", "part")]);
    out.open("h3", &[]);
    out.text(title);
    if !remark.is_empty() {
        out.element("span", &[("class", "remark")], remark);
    }
    out.close();
}

fn blocks(out: &mut Html, blocks: &[Block]) {
    blocks.iter().for_each(|child| block(out, child));
}

fn block(out: &mut Html, block: &Block) {
    match block {
        Block::Paragraph { text, role, .. } => paragraph(out, text, *role),
        Block::Line { text, .. } => paragraph(out, text, Role::Plain),
        Block::Named(rows) => named(out, rows),
        Block::Table { table, name, of: total, .. } => {
            out.table(table, name);
            if let Some(all) = total {
                let text = format!("The first {} of {all}.", table.rows.len());
                out.element("p", &[("class", "faint")], &text);
            }
        }
        Block::Tree { tree, .. } => out.table(&tree.table(), "Tree"),
        Block::Notices(all) => notices(out, all),
        Block::Verdict(judgement) => verdict(out, judgement),
        Block::Formulas(all) => formulas(out, all),
        Block::Plot { spec, height, id } => {
            let options =
                SvgOptions { width: 960, height: *height, id: id.clone(), ..SvgOptions::default() };
            out.open("div", &[("class", "picture")]);
            still(out, &svg(spec, &options));
            out.close();
        }
        Block::Live { island, experiment, blocks } => {
            live(out, island, *experiment, blocks);
        }
        Block::Only(Medium::Page, inner) => self::block(out, inner),
        Block::Only(Medium::Terminal, _) | Block::Space => {}
    }
}

fn paragraph(out: &mut Html, text: &str, style_role: Role) {
    match role(style_role).trim_start() {
        "" => out.element("p", &[], text),
        class => out.element("p", &[("class", class)], text),
    }
}

fn named(out: &mut Html, rows: &[(String, String, Role)]) {
    out.open("dl", &[("class", "named")]);
    for (name, text, style_role) in rows {
        out.element("dt", &[], name);
        out.open("dd", &[("class", role(*style_role).trim_start())]);
        out.element("bdi", &[], text);
        out.close();
    }
    out.close();
}

/// The picture that the viewer replaces.
fn still(out: &mut Html, picture: &str) {
    out.open("div", &[("class", "still")]);
    out.raw_text(picture);
    out.close();
}

/// Content that the viewer makes interactive; for a plot, the picture.
fn live(out: &mut Html, island: &str, experiment: usize, inside: &[Block]) {
    let number = experiment.to_string();
    let attributes = [("data-island", island), ("data-experiment", number.as_str())];
    match inside {
        [Block::Plot { spec, height, id }] => {
            let options =
                SvgOptions { width: 960, height: *height, id: id.clone(), ..SvgOptions::default() };
            out.open("div", &[&[("class", "picture")], &attributes[..]].concat());
            still(out, &svg(spec, &options));
        }
        inside => {
            out.open("div", &attributes);
            blocks(out, inside);
        }
    }
    out.close();
}

/// The formula with constants, for each interval.
fn formulas(out: &mut Html, all: &Formulas) {
    let doubt = if all.is_doubtful { "? " } else { "" };
    let left = format!("{doubt}{}", all.left);
    out.open("ul", &[("class", "formulas")]);
    for (right, place) in &all.lines {
        out.open("li", &[]);
        out.open("code", &[]);
        out.element("bdi", &[], &format!("{left} = {}", right.replace('*', "·")));
        out.close();
        if let Some(place) = place {
            out.open("span", &[("class", "place")]);
            out.text("for ");
            out.element("bdi", &[], place);
            out.close();
        }
        out.close();
    }
    for (name, sentence) in &all.levels {
        out.open("li", &[]);
        out.element("code", &[], &format!("{name} = "));
        out.element("bdi", &[], sentence);
        out.close();
    }
    out.close();
}

/// Warnings as a list. Nothing if there is none.
fn notices(out: &mut Html, all: &[Notice]) {
    if all.is_empty() {
        return;
    }
    out.open("ul", &[("class", "warnings")]);
    for Notice { code, text } in all {
        out.open("li", &[]);
        out.element("span", &[("class", "mark"), ("aria-hidden", "true")], "▲");
        out.open("p", &[]);
        out.text(text);
        if !code.is_empty() {
            out.text(" ");
            out.element("code", &[("class", "code")], code);
        }
        out.close();
        out.close();
    }
    out.close();
}

/// The shape for the colour of a role.
fn mark(role: Role) -> &'static str {
    match role {
        Role::Good => "✓",
        Role::Bad => "✕",
        _ => "▲",
    }
}

fn verdict(out: &mut Html, judgement: &Verdict) {
    out.open("div", &[("class", &format!("verdict{}", role(judgement.role)))]);
    out.open("p", &[]);
    out.element("span", &[("class", "mark"), ("aria-hidden", "true")], mark(judgement.role));
    out.element("b", &[], &judgement.name);
    if !judgement.reasons.is_empty() {
        out.element("span", &[("class", "said")], &format!(" {}. ", judgement.reasons.join("; ")));
    }
    if let Some((target, text)) = judgement.more {
        out.element("a", &[("href", target)], text);
    }
    out.close();
    if !judgement.advice.is_empty() {
        out.open("ul", &[]);
        judgement.advice.iter().for_each(|advice| out.element("li", &[], advice));
        out.close();
    }
    out.close();
}
