//! Holds what ARCHITECTURE.md says: who may use whom, what each crate must not
//! do, how long a function may be, under which licences the dependencies may be used, and that decisions are written down.

#![forbid(unsafe_code)]

mod circles;
mod documents;
mod edges;
mod errors;
mod lengths;
mod licences;
mod locks;
mod metadata;
mod names;
mod purity;
mod selection;
mod types;
