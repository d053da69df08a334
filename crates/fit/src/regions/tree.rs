//! A tree of divisions in two.

use super::field::Field;

/// A region, or a division of the points in two.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Region,
    Split(Box<Split>),
}

/// Points with a value of the axis below `from` are on the lower side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    /// Index among the axes.
    pub(crate) axis: usize,
    /// First value of the axis on the upper side.
    pub(crate) from: f64,
    pub(crate) below: Tree,
    pub(crate) above: Tree,
}

impl Tree {
    /// The division with two regions.
    pub(crate) fn two(axis: usize, from: f64) -> Tree {
        Tree::Split(Box::new(Split { axis, from, below: Tree::Region, above: Tree::Region }))
    }

    /// Divisions along one axis, at these first values of their upper sides, ascending.
    pub(crate) fn along(axis: usize, places: &[f64]) -> Tree {
        places.iter().rev().fold(Tree::Region, |above, &from| {
            Tree::Split(Box::new(Split { axis, from, below: Tree::Region, above }))
        })
    }

    /// Number of regions.
    pub(crate) fn regions(&self) -> usize {
        match self {
            Tree::Region => 1,
            Tree::Split(split) => split.below.regions() + split.above.regions(),
        }
    }

    /// Whether it divides along more than one axis.
    pub(crate) fn has_several_axes(&self) -> bool {
        let mut axes = Vec::new();
        self.axes(&mut axes);
        axes.len() > 1
    }

    /// Appends the axes that it divides along, each once.
    pub(crate) fn axes(&self, into: &mut Vec<usize>) {
        if let Tree::Split(split) = self {
            if !into.contains(&split.axis) {
                into.push(split.axis);
            }
            split.below.axes(into);
            split.above.axes(into);
        }
    }

    /// The points of each region, from the lower sides to the upper ones.
    pub(crate) fn divide(&self, field: &Field, members: &[usize]) -> Vec<Vec<usize>> {
        let mut regions = Vec::new();
        self.divide_into(field, members, &mut regions);
        regions
    }

    fn divide_into(&self, field: &Field, members: &[usize], into: &mut Vec<Vec<usize>>) {
        match self {
            Tree::Region => into.push(members.to_vec()),
            Tree::Split(split) => {
                let (below, above) = field.halves(members, split.axis, split.from);
                split.below.divide_into(field, &below, into);
                split.above.divide_into(field, &above, into);
            }
        }
    }

    /// The region of a point whose value on each axis is given.
    pub(crate) fn region(&self, value: &dyn Fn(usize) -> f64) -> usize {
        match self {
            Tree::Region => 0,
            Tree::Split(split) if value(split.axis) < split.from => split.below.region(value),
            Tree::Split(split) => split.below.regions() + split.above.region(value),
        }
    }

    /// Replaces the region with this index.
    pub(crate) fn replace(&mut self, region: usize, by: Tree) {
        match self {
            Tree::Region => *self = by,
            Tree::Split(split) => match region.checked_sub(split.below.regions()) {
                None => split.below.replace(region, by),
                Some(region) => split.above.replace(region, by),
            },
        }
    }

    /// Every tree that is left if divisions are taken back, this one included.
    pub(crate) fn prunings(&self) -> Vec<Tree> {
        let mut all = vec![Tree::Region];
        if let Tree::Split(split) = self {
            let above = split.above.prunings();
            for below in split.below.prunings() {
                all.extend(above.iter().map(|above| {
                    let (below, above) = (below.clone(), above.clone());
                    Tree::Split(Box::new(Split { below, above, ..**split }))
                }));
            }
        }
        all
    }

    /// The path to every division, upper ones first.
    pub(crate) fn splits(&self) -> Vec<Vec<bool>> {
        let mut paths = Vec::new();
        self.paths(&mut Vec::new(), &mut paths);
        paths
    }

    fn paths(&self, here: &mut Vec<bool>, into: &mut Vec<Vec<bool>>) {
        if let Tree::Split(split) = self {
            into.push(here.clone());
            for (side, tree) in [(false, &split.below), (true, &split.above)] {
                here.push(side);
                tree.paths(here, into);
                here.pop();
            }
        }
    }

    /// The division at the end of a path (`true`: the upper side).
    pub(crate) fn split_at(&self, path: &[bool]) -> Option<&Split> {
        let Tree::Split(split) = self else { return None };
        match path.split_first() {
            None => Some(split),
            Some((true, rest)) => split.above.split_at(rest),
            Some((false, rest)) => split.below.split_at(rest),
        }
    }

    /// The same, to change it.
    pub(crate) fn at_mut(&mut self, path: &[bool]) -> Option<&mut Split> {
        let Tree::Split(split) = self else { return None };
        match path.split_first() {
            None => Some(split),
            Some((true, rest)) => split.above.at_mut(rest),
            Some((false, rest)) => split.below.at_mut(rest),
        }
    }

    /// The points that reach the end of a path.
    pub(crate) fn members(&self, field: &Field, path: &[bool]) -> Vec<usize> {
        let mut members = field.all();
        let mut tree = self;
        for &side in path {
            let Tree::Split(split) = tree else { break };
            let (below, above) = field.halves(&members, split.axis, split.from);
            (members, tree) = if side { (above, &split.above) } else { (below, &split.below) };
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_counted_and_found_from_the_lower_sides_up() {
        let mut tree = Tree::two(0, 10.0);
        tree.replace(1, Tree::two(1, 4.0));
        assert_eq!(tree.regions(), 3);
        let region_of = |n: f64, p: f64| tree.region(&|axis| if axis == 0 { n } else { p });
        assert_eq!([region_of(9.0, 8.0), region_of(10.0, 3.0), region_of(10.0, 4.0)], [0, 1, 2]);
        assert!(tree.has_several_axes());
        assert_eq!(tree.splits(), [vec![], vec![true]]);
        assert_eq!(tree.split_at(&[true]).map(|split| split.from), Some(4.0));
    }

    #[test]
    fn prunings_are_all_smaller_trees() {
        let mut tree = Tree::two(0, 10.0);
        tree.replace(1, Tree::two(1, 4.0));
        tree.replace(0, Tree::two(1, 2.0));
        // Nothing, the root alone, with the lower, the upper, or both divisions.
        assert_eq!(tree.prunings().len(), 5);
        assert!(tree.prunings().contains(&tree));
    }
}
