//! The container of samples: layout, reading, damage.

mod arbitrary;
mod damage;
mod fuzz;
mod layout;
mod observables;
mod reading;
mod sharing;
mod support;
mod versions;
