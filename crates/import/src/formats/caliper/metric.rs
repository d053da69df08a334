//! Reads the name of a metric: `max#inclusive#sum#time.duration` is the largest over ranks of the sums of times with
//! inner regions.

use super::records::Attribute;

/// A metric by its attribute.
pub(super) struct Metric<'a> {
    attribute: &'a Attribute,
    /// The operations on the measured value, from the last to the first.
    done: Vec<&'a str>,
    /// The name of the measured value.
    base: &'a str,
}

/// How several values of one path are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Sum,
    Smallest,
    Largest,
    Last,
}

impl Operation {
    pub(super) fn combine(self, a: f64, b: f64) -> f64 {
        match self {
            Operation::Sum => a + b,
            Operation::Smallest => a.min(b),
            Operation::Largest => a.max(b),
            Operation::Last => b,
        }
    }
}

impl<'a> Metric<'a> {
    pub(super) fn new(attribute: &'a Attribute) -> Metric<'a> {
        let mut done: Vec<&str> = attribute.name.split('#').collect();
        let base = done.pop().unwrap_or_default();
        Metric { attribute, done, base }
    }

    fn is_time(&self) -> bool {
        matches!(self.base, "time.duration" | "time.duration.ns" | "time.inclusive.duration")
            || self.base == "time.inclusive.duration.ns"
    }

    fn is_inclusive(&self) -> bool {
        self.done.contains(&"inclusive") || self.base.contains(".inclusive.")
    }

    /// How records of one path are combined.
    pub(super) fn operation(&self) -> Operation {
        match self.done.first() {
            Some(&"min") => Operation::Smallest,
            Some(&"max") => Operation::Largest,
            Some(&("avg" | "percent_total" | "ratio")) => Operation::Last,
            _ => Operation::Sum,
        }
    }

    /// The unit: what the attribute says, or what Caliper's timer has.
    pub(super) fn unit(&self) -> Option<String> {
        let is_scaled = self.done.contains(&"scale");
        match (&self.attribute.unit, self.is_time()) {
            (Some(unit), _) if !unit.is_empty() => Some(unit.clone()),
            (_, true) if self.base.ends_with(".ns") && !is_scaled => Some("ns".to_owned()),
            (_, true) => Some("s".to_owned()),
            (_, false) => Some(self.attribute.name.clone()),
        }
    }

    /// How good it is as the time of a region, less is better; `None` if it is no time.
    pub(super) fn rank(&self) -> Option<u32> {
        let over_ranks = match self.done.first() {
            Some(&"max") => 0,
            Some(&"avg") => 1,
            Some(&"min") => 4,
            // A sum of sums is one over ranks.
            Some(&"sum") if self.done.iter().filter(|rank| **rank == "sum").count() > 1 => 3,
            _ => 2,
        };
        self.is_time().then_some(over_ranks + if self.is_inclusive() { 0 } else { 10 })
    }

    /// Returns the name that the time with inner regions would have, if it is the sum of these times.
    pub(super) fn inclusive_name(&self) -> Option<String> {
        let adds_up = self.done.iter().all(|text| matches!(*text, "sum" | "scale" | "avg"));
        let is_own = self.is_time() && !self.is_inclusive() && adds_up;
        is_own.then(|| format!("inclusive#{}", self.attribute.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(name: &str) -> Attribute {
        Attribute { name: name.to_owned(), ..Attribute::default() }
    }

    #[test]
    fn the_inclusive_time_of_the_slowest_rank_is_preferred() {
        let mut names = [
            "sum#time.duration",
            "max#inclusive#sum#time.duration",
            "count",
            "min#inclusive#sum#time.duration",
            "inclusive#sum#time.duration.ns",
            "avg#inclusive#sum#time.duration",
        ];
        names.sort_by_key(|name| Metric::new(&attribute(name)).rank().unwrap_or(99));
        assert_eq!(names[0], "max#inclusive#sum#time.duration");
        assert_eq!(names[4..], ["sum#time.duration", "count"]);
    }

    #[test]
    fn units_follow_the_timer() {
        let unit = |name: &str| Metric::new(&attribute(name)).unit().unwrap();
        assert_eq!(unit("sum#time.duration.ns"), "ns");
        assert_eq!(unit("sum#scale#sum#time.duration.ns"), "s");
        assert_eq!(unit("sum#sum#time.duration"), "s");
        assert_eq!(unit("count"), "count");
        let timer = Attribute { unit: Some("usec".into()), ..attribute("sum#time.duration") };
        assert_eq!(Metric::new(&timer).unit().unwrap(), "usec");
    }
}
