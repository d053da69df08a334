//! The regimes of values in a machine's file.

use super::fields::{Fields, Messages, Quantities, is_empty_list};
use super::memory::{each, positive};
use crate::machine::Machine;
use crate::quantity::QuantityKind;
use crate::regimes::{KINDS, Regime, Regimes};

/// Reads all of them.
pub(super) fn regimes(fields: &mut Fields<'_, '_>, machine: &mut Machine, messages: &mut Messages) {
    each(fields, "regime", "[[regime]]", messages, |table, messages| {
        table.need("value", messages);
        let what = table.text("value", messages);
        let list = table.need("seen", messages)?;
        let place = list.span();
        let mut seen: Vec<Regime> = Vec::new();
        let mut unit = None;
        let mut kinds = KINDS.map(|(kind, _)| kind).to_vec();
        for mut fields in table.tables("seen", "a regime", messages) {
            let value = fields.quantity("at", &kinds, messages);
            let share = positive(&mut fields, "share", QuantityKind::Factor, messages);
            fields.end(messages);
            let ((kind, value), share) = (value?, share?);
            if seen.last().is_some_and(|last| last.at >= value.value) {
                messages.error("M011", place.clone(), "the regimes do not ascend by at");
                return None;
            }
            // All are of one kind.
            kinds = vec![kind];
            unit = KINDS.into_iter().find(|(known, _)| *known == kind).map(|(_, unit)| unit);
            seen.push(Regime { at: value.value, share: share.value });
        }
        let Some(unit) = unit else {
            if is_empty_list(list) {
                messages.error("M005", place, "a value has at least one regime");
            }
            return None;
        };
        machine.regimes.push(Regimes { what: what?, unit, seen });
        Some(())
    });
}
