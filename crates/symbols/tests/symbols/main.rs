//! Executables and shared objects that gcc, g++ and gfortran have made, whole and damaged.

mod damaged;
mod paths;
mod support;
