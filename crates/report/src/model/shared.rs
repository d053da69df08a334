//! Constants that several experiments share.

use cll_fit::{SharedConstant, Unit};
use cll_result::ModelFile;

use crate::document::{Block, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// A row for each, and the test of equal values; `None` if nothing is shared.
pub(crate) fn section(model: &ModelFile, style: &Style) -> Option<Section> {
    if model.shared.is_empty() {
        return None;
    }
    let notation = style.notation();
    let mut table = Table::new(vec![
        Column::left("constants").flexible(),
        Column::right("value"),
        Column::left("").joined(),
        Column::left("alone").flexible(),
        Column::right("F"),
        Column::right("p"),
        Column::left("").flexible(),
    ]);
    for constant in &model.shared {
        let unit = unit(model, constant);
        let names = names(constant).into_iter().map(|name| notation.text(&name));
        let names: Vec<String> = names.collect();
        let (value, half) =
            notation.plus_minus_parts(constant.value, 0.5 * (constant.high - constant.low), &unit);
        let alone: Vec<String> =
            constant.alone.iter().map(|value| notation.rounded(*value, 4, &unit)).collect();
        let (words, role) = if constant.rejected {
            ("rejected: the data have different values", Role::Caution)
        } else {
            ("not rejected", Role::Good)
        };
        let p = if constant.p_value < 1e-4 {
            "< 0.0001".to_owned()
        } else {
            notation.number((constant.p_value * 1e4).round() / 1e4)
        };
        table.row([
            Cell::new(names.join(", ")),
            Cell::new(value).role(Role::Value),
            Cell::new(half),
            Cell::new(alone.join(", ")),
            Cell::new(notation.number((constant.f * 100.0).round() / 100.0)),
            Cell::new(p),
            Cell::new(words).role(role),
        ]);
    }
    let remark = "one value in several experiments, and the F test of equal values";
    Some(Section::new("Shared constants", remark, vec![Block::table(table, "Shared constants")]))
}

/// The constants; where several have one name, with their experiments.
pub(crate) fn names(constant: &SharedConstant) -> Vec<String> {
    let alone =
        |name: &String| constant.constants.iter().filter(|other| *other == name).count() == 1;
    let named = |(index, name): (usize, &String)| match constant.experiments.get(index) {
        Some(experiment) if !alone(name) => format!("{name} of {experiment}"),
        _ => name.clone(),
    };
    constant.constants.iter().enumerate().map(named).collect()
}

fn unit(model: &ModelFile, shared: &SharedConstant) -> Unit {
    let fits = model.experiments.iter().filter_map(|experiment| experiment.fit.as_ref());
    let mut own =
        fits.filter(|fit| fit.constants.iter().any(|c| shared.constants.contains(&c.constant)));
    own.next().map(|fit| fit.unit.clone()).unwrap_or_default()
}
