//! Corrections by hand, beside proposals.

use crate::sets::{By, Sets, Statement};

/// Puts the corrections of an earlier file into a new proposal. Returns how many were kept.
pub fn keep_hand(proposed: &mut Sets, before: &Sets) -> usize {
    let mut kept = 0;
    for experiment in &mut proposed.experiments {
        let Some(earlier) = before.experiment(&experiment.name) else { continue };
        if earlier.formula != experiment.formula {
            continue;
        }
        for corrected in earlier.statements.iter().filter(|statement| statement.by == By::Hand) {
            let same =
                experiment.statements.iter().position(|statement| is_same(statement, corrected));
            match same {
                Some(index) => {
                    let place = &mut experiment.statements[index];
                    place.constants.clone_from(&corrected.constants);
                    place.note.clone_from(&corrected.note);
                    place.by = By::Hand;
                }
                // A statement that a person has added.
                None => experiment.statements.push(corrected.clone()),
            }
            kept += 1;
        }
        experiment.statements.sort_by_key(|statement| statement.line);
    }
    kept
}

/// Marks what a person has changed: statements with other constants than in `before`. Returns how many.
pub fn mark_hand(corrected: &mut Sets, before: &Sets) -> usize {
    let mut changed = 0;
    for experiment in &mut corrected.experiments {
        let earlier = before.experiment(&experiment.name);
        for statement in &mut experiment.statements {
            let known = earlier.and_then(|experiment| {
                experiment.statements.iter().find(|other| is_same(other, statement))
            });
            let is_changed = known.is_none_or(|known| known.constants != statement.constants);
            if is_changed && statement.by != By::Hand {
                statement.by = By::Hand;
            }
            if is_changed {
                changed += 1;
            }
        }
    }
    changed
}

fn is_same(a: &Statement, b: &Statement) -> bool {
    a.line == b.line && a.text == b.text
}
