//! The values that a place saves.

use super::{Emitted, Origin, origin, team};
use crate::language::Begin;
use crate::translation::PASSAGE;

/// The parameters of the macro that begins a place, and the values it saves, as C text.
pub(super) fn values(emitted: &Emitted<'_>, place: usize, begin: &Begin) -> (String, Vec<String>) {
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    for (index, value) in begin.values.iter().enumerate() {
        if value.name == PASSAGE {
            values.push("0".to_owned());
            continue;
        }
        values.push(match origin(value, place, emitted.own) {
            Origin::Program => {
                parameters.push(format!("v{index}"));
                format!("(cll_value)(v{index})")
            }
            Origin::Processors => team::size(emitted, place),
            Origin::Processor => team::member(emitted, place),
        });
    }
    let parameters =
        if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    (parameters, values)
}
