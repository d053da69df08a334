//! Conditional groups, and the selection of their branches.

use std::ops::Range;

use crate::directive::{Directive, Name};
use crate::lex::Token;

/// `#if` … `#endif`.
#[derive(Clone, Debug)]
struct ConditionalGroup {
    range: Range<usize>,
    branches: Vec<Branch>,
    has_else: bool,
    parent: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Branch {
    inside: Range<usize>,
    constant: Option<bool>,
}

impl ConditionalGroup {
    /// The branches that can be selected; without `#else` also the empty one.
    fn choices(&self) -> Vec<usize> {
        let mut choices = Vec::new();
        for (index, branch) in self.branches.iter().enumerate() {
            if branch.constant != Some(false) {
                choices.push(index);
            }
            if branch.constant == Some(true) {
                return choices;
            }
        }
        if !self.has_else {
            choices.push(self.branches.len());
        }
        choices
    }
}

/// All conditional groups of a file.
#[derive(Clone, Debug, Default)]
pub struct Conditionals {
    groups: Vec<ConditionalGroup>,
}

impl Conditionals {
    /// Reads the groups from the file's directives, in order. Unbalanced groups are repaired: a
    /// group without an end extends to `length`, the end of the file.
    pub fn read(source: &[u8], directives: &[Token]) -> Conditionals {
        let mut groups: Vec<ConditionalGroup> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for token in directives {
            let directive = Directive::read(source, token);
            match directive.name {
                Name::If => {
                    let parent = open.last().map(|&g| (g, groups[g].branches.len() - 1));
                    open.push(groups.len());
                    groups.push(ConditionalGroup {
                        range: token.start..source.len(),
                        branches: vec![Branch {
                            inside: token.end..source.len(),
                            constant: directive.constant(source),
                        }],
                        has_else: false,
                        parent,
                    });
                }
                Name::Elif | Name::Else => {
                    let Some(&group) = open.last() else { continue };
                    let group = &mut groups[group];
                    if let Some(branch) = group.branches.last_mut() {
                        branch.inside.end = token.start;
                    }
                    let constant = match directive.name {
                        Name::Elif => directive.constant(source),
                        _ => {
                            group.has_else = true;
                            None
                        }
                    };
                    group.branches.push(Branch { inside: token.end..source.len(), constant });
                }
                Name::Endif => {
                    let Some(group) = open.pop() else { continue };
                    let group = &mut groups[group];
                    group.range.end = token.end;
                    if let Some(branch) = group.branches.last_mut() {
                        branch.inside.end = token.start;
                    }
                }
                Name::Pragma | Name::Other => {}
            }
        }
        Conditionals { groups }
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The number of selections needed so that every branch of the groups that touch one of
    /// `places` (ascending, disjoint) is selected once.
    pub fn variants(&self, places: &[Range<usize>]) -> usize {
        self.costs(places).1
    }

    fn costs(&self, places: &[Range<usize>]) -> (Vec<Vec<usize>>, usize) {
        let mut inner: Vec<Vec<usize>> =
            self.groups.iter().map(|group| vec![1; group.branches.len() + 1]).collect();
        let mut all = 1;
        // Children come after their parents.
        for index in (0..self.groups.len()).rev() {
            let group = &self.groups[index];
            let own: usize = if touches(places, &group.range) {
                group
                    .choices()
                    .iter()
                    .fold(0usize, |sum, &choice| sum.saturating_add(inner[index][choice]))
            } else {
                1
            };
            match group.parent {
                Some((parent, branch)) => {
                    inner[parent][branch] = inner[parent][branch].max(own);
                }
                None => all = all.max(own),
            }
        }
        (inner, all)
    }

    /// The ranges of the file that selection `variant` (from 0) leaves out, in ascending order.
    /// Selection 0 takes every group's first branch that is not `#if 0`; groups that touch none of
    /// `places` always use that.
    pub fn left_out(&self, places: &[Range<usize>], variant: usize) -> Vec<Range<usize>> {
        let (inner, _) = self.costs(places);
        let mut given: Vec<Option<(usize, usize)>> = vec![None; self.groups.len()];
        let mut out = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let wish = match group.parent {
                None => variant,
                Some((parent, branch)) => match given[parent] {
                    Some((chosen, rest)) if chosen == branch => rest,
                    _ => continue,
                },
            };
            let choices = group.choices();
            let chosen = if touches(places, &group.range) {
                pick(&choices, &inner[index], wish)
            } else {
                choices.first().map(|&choice| (choice, 0))
            };
            given[index] = chosen;
            for (number, branch) in group.branches.iter().enumerate() {
                if chosen.is_none_or(|(choice, _)| choice != number) {
                    out.push(branch.inside.clone());
                }
            }
        }
        out.sort_by_key(|range| range.start);
        out
    }

    /// A number that distinguishes the selections within `place`.
    pub fn fingerprint(left_out: &[Range<usize>], place: &Range<usize>) -> Vec<usize> {
        let from = left_out.partition_point(|range| range.end <= place.start);
        left_out[from..]
            .iter()
            .take_while(|range| range.start < place.end)
            .map(|range| range.start)
            .collect()
    }
}

/// The choice for the `wish`-th selection, and the number of the selection inside that choice.
fn pick(choices: &[usize], costs: &[usize], mut wish: usize) -> Option<(usize, usize)> {
    for (number, &choice) in choices.iter().enumerate() {
        if wish < costs[choice] {
            return Some((choice, wish));
        }
        if number + 1 < choices.len() {
            wish -= costs[choice];
        }
    }
    choices.last().map(|&choice| (choice, costs[choice] - 1))
}

fn touches(places: &[Range<usize>], range: &Range<usize>) -> bool {
    let from = places.partition_point(|place| place.end <= range.start);
    places.get(from).is_some_and(|place| place.start < range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::{TokenKind, lex};

    fn selections(source: &str) -> Vec<String> {
        let bytes = source.as_bytes();
        let directives: Vec<_> = lex(bytes).filter(|t| t.kind == TokenKind::Directive).collect();
        let groups = Conditionals::read(bytes, &directives);
        let everything = std::iter::once(0..bytes.len()).collect::<Vec<_>>();
        let everything = &everything[..];
        (0..groups.variants(everything))
            .map(|variant| {
                let out = groups.left_out(everything, variant);
                lex(bytes)
                    .filter(|t| t.kind == TokenKind::Identifier)
                    .filter(|t| !out.iter().any(|r| r.contains(&t.start)))
                    .map(|t| source[t.start..t.end].to_string())
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect()
    }

    #[test]
    fn every_branch_is_taken_once() {
        for (source, expected) in [
            ("a\n", vec!["a"]),
            ("#if X\na\n#else\nb\n#endif\nc\n", vec!["a c", "b c"]),
            ("#ifdef X\na\n#endif\nc\n", vec!["a c", "c"]),
            ("#if 0\na\n#endif\nc\n", vec!["c"]),
            ("#if 0\na\n#else\nb\n#endif\n", vec!["b"]),
            ("#if 1\na\n#else\nb\n#endif\n", vec!["a"]),
            ("#if X\na\n#if Y\nb\n#else\nc\n#endif\n#else\nd\n#endif\n", vec!["a b", "a c", "d"]),
            ("#if X\na\n#endif\n#if Y\nb\n#elif Z\nc\n#endif\n", vec!["a b", "c", ""]),
            ("#endif\n#else\na\n#if X\nb", vec!["a b", "a"]),
        ] {
            assert_eq!(selections(source), expected, "{source}");
        }
    }

    #[test]
    fn groups_elsewhere_stay_at_their_first_branch() {
        let source = b"#if X\na\n#else\nb\n#endif\n";
        let directives: Vec<_> = lex(source).filter(|t| t.kind == TokenKind::Directive).collect();
        let groups = Conditionals::read(source, &directives);
        assert_eq!(groups.variants(&[]), 1);
        assert_eq!(groups.left_out(&[], 0), vec![13..16]);
    }
}
