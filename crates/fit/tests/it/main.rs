//! Fits of known truth, of published data, and of bad input.

mod agreement;
mod anything;
mod bad_input;
mod between_runs;
mod combinations;
mod compare;
mod correction;
mod divided_less;
mod intervals;
mod kept;
mod kinks;
mod known_truth;
mod nist;
mod papers;
mod powers;
mod reading;
mod regions;
mod regions_bad_input;
mod robust;
mod share;
mod steps;
mod synthetic;
mod transitions;
mod unused_variables;
mod working_set;
mod wrong_formula;
