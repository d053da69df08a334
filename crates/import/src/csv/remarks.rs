//! Remarks on a table: values that were read otherwise than they stand there, and columns that are no variables.

use crate::table::Remark;

use super::layout::Unused;
use super::rows::Rows;

impl Rows<'_> {
    /// Remarks on values that were read otherwise than they stand in the file, and on columns that are no variables.
    pub(super) fn remarks(&mut self) -> Vec<Remark> {
        let (columns, layout) = (self.columns, &self.layout);
        let header = |index: usize| columns[index].header.clone();
        let mut remarks: Vec<Remark> = self.notes.drain(..).map(Remark::Note).collect();
        let result = &columns[layout.results[0].index];
        let names_of = |kind: Unused| {
            let names = layout.unused.iter().filter(|(_, why)| *why == kind);
            names.map(|(index, _)| format!("`{}`", header(*index))).collect::<Vec<String>>()
        };
        if layout.is_guess {
            let text = format!(
                "the last column `{}` is the result (--column NAME chooses another)",
                result.header
            );
            remarks.push(Remark::Note(text));
        }
        let statistics = names_of(Unused::Statistic);
        if result.summary.is_some() && layout.results.len() == 1 {
            let text = format!("the result is `{}`, a statistic of repetitions", result.header);
            remarks.push(Remark::Note(text));
        }
        let are = |names: &[String], what: (&str, &str)| match names {
            [name] => format!("column {name} {}", what.0),
            names => format!("columns {} {}", names.join(", "), what.1),
        };
        if !statistics.is_empty() {
            let what =
                ("is a statistic: it is no variable", "are statistics: they are no variables");
            remarks.push(Remark::Note(are(&statistics, what)));
        }
        let times = names_of(Unused::Time);
        if !times.is_empty() {
            let what =
                ("is a time, too: it is no variable", "are times, too: they are no variables");
            remarks.push(Remark::Note(are(&times, what)));
        }
        let empty = names_of(Unused::Empty);
        if !empty.is_empty() {
            remarks.push(Remark::Note(are(&empty, ("is empty", "are empty"))));
        }
        for ((index, why), (first, several)) in layout.unused.iter().zip(self.texts.drain(..)) {
            let is_filled = several || first.is_some_and(|text| !text.is_empty());
            match why {
                // Rows that it leaves out are told.
                Unused::Text if self.has_states && header(*index).eq_ignore_ascii_case("state") => {
                }
                Unused::Text => {
                    remarks.push(Remark::TextColumn { header: header(*index), several });
                }
                Unused::Numbering => remarks.push(Remark::RepetitionColumn(header(*index))),
                Unused::Index if is_filled => {
                    let text = format!(
                        "column {} has no name: it is no variable (--columns NAME,… names all)",
                        index + 1
                    );
                    remarks.push(Remark::Note(text));
                }
                Unused::Index | Unused::Empty | Unused::Statistic | Unused::Time => {}
            }
        }
        for (index, place) in self.gaps.iter().enumerate() {
            let Some(place) = place else { continue };
            let name = header(layout.variables[index]);
            remarks.push(Remark::Note(format!(
                "column `{name}` is no variable: no formula uses it, and {place}"
            )));
        }
        let comma = self.signs.comma().map(str::to_owned);
        remarks.extend(comma.map(Remark::DecimalComma));
        remarks.extend(self.signs.thousands().map(|number| {
            Remark::Note(format!(
                "commas separate thousands: `{number}` (--decimal , for fractions)"
            ))
        }));
        remarks.extend(
            self.short_clock.take().map(|text| {
                Remark::Note(format!("times such as `{text}` are minutes and seconds"))
            }),
        );
        remarks
    }
}
