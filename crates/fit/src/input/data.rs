//! The data to fit: points (tuples of values of variables), each with all its repetitions.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The unit of the observable and of everything computed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Seconds, the default.
    #[default]
    Seconds,
    /// Anything else, by name: `bytes`, `misses`, `µs`.
    Other(String),
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unit::Seconds => f.write_str("s"),
            Unit::Other(name) => f.write_str(name),
        }
    }
}

/// One tuple of values of the variables, and what was observed there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// One value per variable, in the order of [`Data::variables`].
    pub values: Vec<f64>,
    /// All repetitions, in the observable's unit and in the order of recording.
    pub observations: Observations,
    /// The runs that the observations are of, as stretches; empty if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunStretch>,
}

/// Observations, which copies of a point share: they may fill the memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observations(Arc<Vec<f64>>);

impl Deref for Observations {
    type Target = Vec<f64>;

    fn deref(&self) -> &Vec<f64> {
        &self.0
    }
}

impl DerefMut for Observations {
    /// A copy of its own, if they are shared.
    fn deref_mut(&mut self) -> &mut Vec<f64> {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Vec<f64>> for Observations {
    fn from(values: Vec<f64>) -> Observations {
        Observations(Arc::new(values))
    }
}

impl FromIterator<f64> for Observations {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Observations {
        values.into_iter().collect::<Vec<f64>>().into()
    }
}

impl<'a> IntoIterator for &'a Observations {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Observations {
    type Item = &'a mut f64;
    type IntoIter = std::slice::IterMut<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl Serialize for Observations {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Observations {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Observations, D::Error> {
        Vec::deserialize(source).map(Observations::from)
    }
}

/// Consecutive observations of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStretch {
    /// The run's number, the same at all points.
    pub run: u32,
    /// How many observations.
    pub count: u32,
}

impl Point {
    /// A point of unknown runs.
    pub fn new(values: Vec<f64>, observations: Vec<f64>) -> Point {
        Point { values, observations: observations.into(), runs: Vec::new() }
    }

    /// Adds the observations of another point. If the runs of either are not known, those of both are not.
    pub(crate) fn append(&mut self, other: &Point) {
        if self.runs.is_empty() || other.runs.is_empty() {
            self.runs.clear();
        } else {
            self.runs.extend_from_slice(&other.runs);
        }
        self.observations.extend_from_slice(&other.observations);
    }
}

/// The samples of one experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// Every recorded variable, whether the formula uses it or not.
    pub variables: Vec<String>,
    /// Distinct tuples of values; rows with equal tuples are repetitions of one point.
    pub points: Vec<Point>,
    /// The unit of the observations.
    #[serde(default)]
    pub unit: Unit,
}

impl Data {
    /// Data in seconds, without points.
    pub fn new(variables: Vec<String>) -> Data {
        Data { variables, points: Vec::new(), unit: Unit::Seconds }
    }

    /// Data from rows `(values, observation)`. Rows with equal values become repetitions of one
    /// point; points are in the order of their first row.
    pub fn from_rows(
        variables: Vec<String>,
        rows: impl IntoIterator<Item = (Vec<f64>, f64)>,
    ) -> Data {
        let mut data = Data::new(variables);
        let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
        for (values, observation) in rows {
            let key = key(&values);
            let position = *index.entry(key).or_insert_with(|| {
                data.points.push(Point::new(values, Vec::new()));
                data.points.len() - 1
            });
            data.points[position].observations.push(observation);
        }
        data
    }

    /// The same data in another unit; the numbers are not converted.
    pub fn in_unit(mut self, unit: Unit) -> Data {
        self.unit = unit;
        self
    }

    /// Number of observations over all points.
    pub fn observations(&self) -> usize {
        self.points.iter().map(|p| p.observations.len()).sum()
    }

    /// Index of the variable of this name.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v == name)
    }
}

/// The bits of the values, with -0 as 0, so that equal tuples have equal keys.
fn key(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| (v + 0.0).to_bits()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_their_observations_until_one_changes() {
        let point = Point::new(vec![1.0], vec![2.0, 3.0]);
        let mut copy = point.clone();
        assert_eq!(point.observations.as_ptr(), copy.observations.as_ptr());
        copy.observations[0] = 5.0;
        assert_eq!((point.observations[0], copy.observations[0]), (2.0, 5.0));
        let text = serde_json::to_string(&copy).unwrap();
        assert_eq!(text, r#"{"values":[1.0],"observations":[5.0,3.0]}"#);
        assert_eq!(serde_json::from_str::<Point>(&text).unwrap(), copy);
    }
}
