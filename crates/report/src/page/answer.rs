//! The answer on an experiment, as `cll model` prints it, beside its plot. The viewer adds a slider for each variable.

use super::html::{Html, brief, role};
use super::picture::picture;
use super::{PageParts, STYLE};
use crate::answer::{AnswerFormula, AnswerParts, AnswerPrediction, beside_notes};
use crate::document::{Document, html};

/// The answer, and the plot beside it if one can be drawn. Without a title it stands in the part of the experiment.
pub(super) fn answer(out: &mut Html, parts: &PageParts<'_>, index: usize, has_title: bool) {
    let Some(answer) = parts.answers.get(index) else { return };
    out.open("div", &[("class", "answer")]);
    out.open("div", &[("class", "told")]);
    if has_title {
        title(out, parts, index, answer);
    }
    match &answer.failure {
        Some(why) => failed(out, answer, why),
        None => write_answer(out, answer, index),
    }
    if has_title {
        more(out, answer, index);
    }
    out.close();
    let picture = picture(parts, index);
    if !picture.blocks.is_empty() {
        out.open("div", &[("class", "drawn")]);
        html::document(out, &Document::new([picture]));
        out.close();
    }
    out.close();
}

fn title(out: &mut Html, parts: &PageParts<'_>, index: usize, answer: &AnswerParts) {
    out.open("h2", &[("id", "ask-title")]);
    out.open("a", &[("href", &format!("#e{index}"))]);
    out.element("bdi", &[], &brief(parts.called(index)));
    out.close();
    out.close();
    let about = [&answer.place, &answer.data].map(String::as_str);
    let about: Vec<&str> = about.into_iter().filter(|text| !text.is_empty()).collect();
    if !about.is_empty() {
        out.element("p", &[("class", "about")], &brief(&about.join(" · ")));
    }
}

fn failed(out: &mut Html, answer: &AnswerParts, why: &str) {
    out.element("p", &[("class", "caution")], &format!("▲ cannot be fitted: {why}"));
    remarks(out, &answer.remarks);
}

fn write_answer(out: &mut Html, answer: &AnswerParts, index: usize) {
    if let Some((text, advice)) = &answer.wrong {
        out.open("div", &[("class", "wrong")]);
        out.element("p", &[("class", "caution")], &format!("▲ {text}"));
        out.open("p", &[]);
        out.text("try: ");
        out.element("code", &[], advice);
        out.close();
        out.close();
    }
    formula(out, &answer.formula, answer.is_doubtful);
    labelled(out, "error", &answer.error);
    if let Some(text) = &answer.largest {
        out.element("p", &[], text);
    }
    for text in &answer.missing {
        out.element("p", &[("class", "caution")], &format!("▲ no prediction: {text}"));
    }
    // The viewer puts its sliders in place of the first prediction, where they begin.
    let number = index.to_string();
    let (first, others) = answer.predictions.split_at(answer.predictions.len().min(1));
    out.open("div", &[("data-island", "try"), ("data-experiment", &number)]);
    predictions(out, first, answer.is_doubtful);
    out.close();
    predictions(out, others, answer.is_doubtful);
    remarks(out, &answer.remarks);
}

/// The formula with its constants, and below it those that change.
fn formula(out: &mut Html, formula: &AnswerFormula, is_doubtful: bool) {
    let doubt = if is_doubtful { "? " } else { "" };
    out.open("ul", &[("class", "formulas")]);
    for (right, beside) in &formula.rows {
        out.open("li", &[]);
        out.open("code", &[]);
        let text = format!("{doubt}{} = {}", formula.left, right.replace('*', "·"));
        out.element("bdi", &[], &text);
        out.close();
        if !beside.is_empty() {
            out.element("span", &[("class", "place")], beside);
        }
        out.close();
    }
    if !formula.others.is_empty() {
        out.element("li", &[("class", "faint")], &formula.others);
    }
    for (letter, sentence) in &formula.levels {
        out.open("li", &[("class", "level")]);
        out.element("code", &[], &format!("{letter} = "));
        out.element("bdi", &[], sentence);
        out.close();
    }
    out.close();
}

fn labelled(out: &mut Html, name: &str, text: &str) {
    out.open("p", &[]);
    out.element("span", &[("class", "faint")], &format!("{name} "));
    out.text(text);
    out.close();
}

fn predictions(out: &mut Html, all: &[AnswerPrediction], is_doubtful: bool) {
    if all.is_empty() {
        return;
    }
    out.open("ul", &[("class", "predictions")]);
    for AnswerPrediction { at: place, result } in all {
        out.open("li", &[]);
        out.element("bdi", &[("class", "at")], place);
        match result {
            Ok(numbers) => {
                if is_doubtful {
                    let value = format!("? {}", numbers.value);
                    out.element("span", &[("class", "doubt")], &value);
                } else {
                    out.element("b", &[("class", "value")], &numbers.value);
                }
                out.element("span", &[("class", "range")], &numbers.range);
                let class = format!("where{}", role(numbers.role));
                out.element("span", &[("class", &class)], &numbers.words);
            }
            Err(why) => {
                out.element("span", &[("class", "caution")], &format!("no prediction: {why}"));
            }
        }
        out.close();
    }
    out.close();
}

fn remarks(out: &mut Html, all: &[String]) {
    if all.is_empty() {
        return;
    }
    out.open("ul", &[("class", "remarks")]);
    for text in all {
        out.open("li", &[]);
        out.element("span", &[("class", "caution"), ("aria-hidden", "true")], "▲ ");
        out.text(text);
        out.close();
    }
    out.close();
}

/// The link to everything else.
fn more(out: &mut Html, answer: &AnswerParts, index: usize) {
    let text = beside_notes(answer.more, STYLE.notation());
    out.open("p", &[("class", "more")]);
    out.element("a", &[("href", &format!("#e{index}"))], &text);
    out.close();
}
