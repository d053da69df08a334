//! The warnings about a prediction.

use crate::{Domain, Fit, Warning};

impl Fit {
    /// The warnings about a point with this position relative to the data; `follows` if its value follows the data.
    pub(crate) fn warnings_of(&self, domain: &Domain, follows: bool) -> Vec<Warning> {
        let mut warnings = Vec::new();
        match domain {
            Domain::Beyond { .. } => warnings.extend(domain.warning()),
            Domain::Between { last_left, first_right, split, .. } if !follows => {
                let regions = split.as_ref().map(|split| split.axis.clone());
                warnings.push(Warning::Between {
                    axis: regions.or_else(|| self.axis.clone()).unwrap_or_default(),
                    last_left: *last_left,
                    first_right: *first_right,
                })
            }
            Domain::Apart { variables, values, nearest } => warnings.push(Warning::Apart {
                variables: variables.clone(),
                values: values.clone(),
                nearest: nearest.clone(),
            }),
            Domain::Between { .. } | Domain::Inside { .. } => {}
        }
        warnings
    }
}

impl Domain {
    /// Returns the warning about a prediction outside a measured range.
    pub(crate) fn warning(&self) -> Option<Warning> {
        match self {
            Domain::Beyond { variable, value, nearest, .. } => Some(Warning::Beyond {
                variable: variable.clone(),
                value: *value,
                nearest: *nearest,
            }),
            _ => None,
        }
    }
}
