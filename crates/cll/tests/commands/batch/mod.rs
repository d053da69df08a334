//! Batch systems: Slurm itself, PBS and LSF as stand-ins that know the vendors' rules.

mod run;
mod scenes;
mod slurm;
mod standins;
