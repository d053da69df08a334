//! Machines in the formats of other programs: read ([`import`]) and written ([`simgrid`], [`schedulers`]).

mod bsp_table;
mod import;
mod messages;
mod rows;
mod schedulers;
mod simgrid;

pub use import::{ImportDefaults, Imported, import};
pub use schedulers::{SchedulerEntry, Schedulers, arch, schedulers};
pub use simgrid::{NotExported, simgrid};
