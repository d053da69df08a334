//! Documents as parts of a page.

use super::{Block, Document, Formulas, Medium, Section, Title};
use crate::page::html::{Html, role};
use crate::style::Role;
use crate::svg::{SvgOptions, svg};

/// Writes all sections.
pub(crate) fn document(out: &mut Html, document: &Document) {
    document.sections.iter().for_each(|one| section(out, one));
}

fn section(out: &mut Html, section: &Section) {
    let title = match (&section.on_page, &section.title) {
        (Some((text, remark)), _) => Some((*text, remark.as_str())),
        (None, Title::Part { text, remark }) => Some((text.as_str(), remark.as_str())),
        (None, Title::Plain(text)) => Some((text.as_str(), "")),
        (None, Title::Subject { name, place }) => Some((name.as_str(), place.as_str())),
        (None, Title::None) => None,
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
    blocks.iter().for_each(|one| block(out, one));
}

fn block(out: &mut Html, block: &Block) {
    match block {
        Block::Paragraph { text, role, .. } => paragraph(out, text, *role),
        Block::Line { text, .. } => paragraph(out, text, Role::Plain),
        Block::Named(rows) => named(out, rows),
        Block::Table { table, name, of } => {
            out.table(table, name);
            if let Some(all) = of {
                let text = format!("The first {} of {all}.", table.rows.len());
                out.element("p", &[("class", "faint")], &text);
            }
        }
        Block::Notices(all) => {
            notices(out, all.iter().map(|one| (one.code.as_str(), one.text.as_str())));
        }
        Block::Formulas(all) => formulas(out, all, usize::MAX),
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
        Block::Only(Medium::Page, one) => self::block(out, one),
        Block::Only(Medium::Terminal, _) | Block::Space => {}
    }
}

fn paragraph(out: &mut Html, text: &str, of: Role) {
    match role(of).trim_start() {
        "" => out.element("p", &[], text),
        class => out.element("p", &[("class", class)], text),
    }
}

fn named(out: &mut Html, rows: &[(String, String, Role)]) {
    out.open("dl", &[("class", "named")]);
    for (name, text, of) in rows {
        out.element("dt", &[], name);
        out.open("dd", &[("class", role(*of).trim_start())]);
        out.element("bdi", &[], text);
        out.close();
    }
    out.close();
}

/// What is seen until the viewer draws it anew.
fn still(out: &mut Html, picture: &str) {
    out.open("div", &[("class", "still")]);
    out.raw_text(picture);
    out.close();
}

/// What the viewer makes live: of a plot the picture itself.
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

/// The formula with constants, for so many intervals at most.
pub(crate) fn formulas(out: &mut Html, all: &Formulas, most: usize) {
    let doubt = if all.is_doubtful { "? " } else { "" };
    let left = format!("{doubt}{}", all.left);
    out.open("ul", &[("class", "formulas")]);
    for (right, place) in all.lines.iter().take(most) {
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
    out.close();
}

/// Warnings as a list. Nothing if there is none.
pub(crate) fn notices<'a>(out: &mut Html, all: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut all = all.peekable();
    if all.peek().is_none() {
        return;
    }
    out.open("ul", &[("class", "warnings")]);
    for (code, text) in all {
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
