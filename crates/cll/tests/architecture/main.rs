//! Holds what ARCHITECTURE.md says: who may use whom, what each crate must not
//! do, and under which licences the dependencies may be used.

#![forbid(unsafe_code)]

mod circles;
mod edges;
mod licences;
mod metadata;
mod purity;
