//! The number of processors, the number of this one, and a barrier, for each parallel model.

use cll_diagnostic::Diagnostic;

use super::Emitted;
use crate::language::{Begin, Directive, Value};
use crate::translation::Model;

/// The communicator if the `parallel` line gives none.
const WORLD: &str = "MPI_COMM_WORLD";

impl<'a> Emitted<'a> {
    /// The machine object or communicator of the `parallel` line.
    pub(super) fn handle(&self) -> Option<&'a str> {
        let given = self.parallel.handle.as_deref();
        match self.parallel.model {
            Model::Mpi => Some(given.unwrap_or(WORLD)),
            Model::Pub => given,
            Model::Sequential | Model::OpenMp | Model::Bsp => None,
        }
    }

    /// Whether the compiler must be asked which names are in scope.
    pub(crate) fn asks(&self) -> bool {
        let begins = || self.numbers.places.keys().filter_map(|&mark| self.begin(mark));
        let names = |begin: &Begin| begin.values.iter().any(Value::may_be_of_model);
        begins().any(|begin| names(begin) || begin.asks_for_values())
            || (self.handle().is_some() && begins().any(needs_team))
    }

    /// Warns about a handle that is in scope at no place that needs it: it is probably misspelt. At
    /// a place of an MPI program without the handle the process counts as alone.
    pub(crate) fn advise_handle(&self, diagnostics: &mut Vec<Diagnostic>) {
        let Some(handle) = self.parallel.handle.as_deref().filter(|_| self.own.is_known) else {
            return;
        };
        let declaration = self.marked.marks.iter().find(|mark| {
            matches!(&mark.directive, Directive::Parallel { handle: Some(one), .. } if one == handle)
        });
        let needs = self.numbers.places.iter().filter_map(|(&mark, &place)| {
            self.begin(mark).filter(|begin| needs_team(begin)).map(|begin| (place, begin))
        });
        let (with, without): (Vec<_>, Vec<_>) =
            needs.partition(|(place, _)| self.own.handle.contains(place));
        let Some(((_, first), declaration)) = without.first().zip(declaration) else { return };
        if with.is_empty() {
            diagnostics.push(
                Diagnostic::error(
                    "T024",
                    declaration.span.clone(),
                    format!("`{handle}` is not in scope at any experiment that uses it"),
                )
                .label("this name is not declared there")
                .also(first.name_span.clone(), "for example here, by `P`, `pid` or `sync`")
                .help(
                    "name a variable that is visible at the experiments: a global, or a parameter",
                ),
            );
            return;
        }
        if self.parallel.model == Model::Mpi {
            for (_, begin) in without {
                diagnostics.push(
                    Diagnostic::warning(
                        "T024",
                        begin.name_span.clone(),
                        format!("`{handle}` is not in scope here"),
                    )
                    .label("so P is 1 here, and `sync` does not wait")
                    .also(declaration.span.clone(), "its communicator"),
                );
            }
        }
    }

    /// Whether the samples of a place with `sync` record how they were synchronised.
    pub(super) fn keeps_sync(&self, place: usize) -> bool {
        match self.parallel.model {
            Model::OpenMp => true,
            Model::Mpi => self.handle_at(place).is_some() || self.is_of_world(place),
            Model::Sequential | Model::Bsp | Model::Pub => false,
        }
    }

    /// Whether some place has a `sync` of MPI.
    pub(super) fn syncs_by_mpi(&self) -> bool {
        self.parallel.model == Model::Mpi
            && self.numbers.places.iter().any(|(&mark, &place)| {
                self.begin(mark).is_some_and(|begin| begin.sync) && self.keeps_sync(place)
            })
    }

    /// Whether a place counts all processes but MPI is not known there: the source does not include
    /// mpi.h, or includes it later. What the place needs is defined after the last line.
    fn is_of_world(&self, place: usize) -> bool {
        self.parallel.model == Model::Mpi
            && self.parallel.handle.is_none()
            && !self.own.handle.contains(&place)
    }

    /// Whether some place needs these definitions.
    pub(super) fn needs_world(&self) -> bool {
        self.numbers.places.iter().any(|(&mark, &place)| {
            self.begin(mark).is_some_and(needs_team) && self.is_of_world(place)
        })
    }

    /// The handle, if it is in scope at a place.
    fn handle_at(&self, place: usize) -> Option<&'a str> {
        self.handle().filter(|_| self.own.handle.contains(&place))
    }
}

/// Whether a place uses `P`, `pid` or `sync`.
pub(super) fn needs_team(begin: &Begin) -> bool {
    begin.sync || begin.values.iter().any(Value::may_be_of_model)
}

/// `P` at a place, as C text.
pub(super) fn size(emitted: &Emitted<'_>, place: usize) -> String {
    with_handle("CLL_TEAM_SIZE", emitted, place)
}

/// `pid` at a place, as C text.
pub(super) fn member(emitted: &Emitted<'_>, place: usize) -> String {
    with_handle("CLL_TEAM_MEMBER", emitted, place)
}

/// The barrier before a place.
pub(super) fn sync(emitted: &Emitted<'_>, place: usize) -> String {
    let sync = with_handle("CLL_SYNC", emitted, place);
    match emitted.keeps_sync(place) {
        true if emitted.parallel.model == Model::OpenMp => {
            format!("{sync} cll_frame_{place}.sync = CLL_SYNCED; ")
        }
        true => format!("cll_frame_{place}.sync = {sync}; "),
        false => sync + " ",
    }
}

fn with_handle(word: &str, emitted: &Emitted<'_>, place: usize) -> String {
    match emitted.handle_at(place) {
        Some(handle) => format!("{word}_OF({handle})"),
        None if emitted.is_of_world(place) => format!("{word}_OF_WORLD"),
        None => word.to_owned(),
    }
}

/// The definitions of the macros used above.
pub(super) fn definitions(emitted: &Emitted<'_>) -> String {
    match emitted.parallel.model {
        Model::Sequential => ALONE.to_owned(),
        Model::OpenMp => OPENMP.to_owned(),
        Model::Bsp => PROCESSORS.to_owned(),
        Model::Pub => [PROCESSORS, OBJECTS].concat(),
        Model::Mpi => {
            let (syncs, world) = (emitted.syncs_by_mpi(), emitted.needs_world());
            let mut words = [ALONE, COMMUNICATORS].concat();
            words += if syncs { TOGETHER } else { "" };
            words += if world { OF_WORLD } else { "" };
            words + if syncs && world { WORLD_SYNCS } else { "" }
        }
    }
}

const ALONE: &str = "#define CLL_TEAM_SIZE 1.0\n\
    #define CLL_TEAM_MEMBER 0.0\n\
    #define CLL_SYNC\n";

const OPENMP: &str = "#define CLL_TEAM_SIZE cll_openmp_processors()\n\
    #define CLL_TEAM_MEMBER cll_openmp_processor()\n\
    #ifdef _OPENMP\n\
    #define CLL_SYNC ; _Pragma(\"omp barrier\")\n\
    #define CLL_SYNCED cll_openmp_synced()\n\
    #else\n\
    #define CLL_SYNC\n\
    #define CLL_SYNCED 0\n\
    #endif\n";

/// The processors of the whole program.
const PROCESSORS: &str = "#define CLL_TEAM_SIZE cll_processors()\n\
    #define CLL_TEAM_MEMBER cll_processor()\n\
    #define CLL_SYNC cll_barrier();\n";

/// A handle is a machine object or a pointer to one.
const OBJECTS: &str = "#ifdef __cplusplus\n\
    CLL_INLINE t_bsp *cll_machine(t_bsp &machine) { return &machine; }\n\
    CLL_INLINE t_bsp *cll_machine(t_bsp *machine) { return machine; }\n\
    #define CLL_MACHINE(h) cll_machine(h)\n\
    #else\n\
    #define CLL_MACHINE(h) __builtin_choose_expr( \\\n\
    \x20   __builtin_types_compatible_p(__typeof__(h), t_bsp), &(h), (h))\n\
    #endif\n\
    #define CLL_TEAM_SIZE_OF(h) (cll_value)cll_pub_nprocs(CLL_MACHINE(h), 0, 0)\n\
    #define CLL_TEAM_MEMBER_OF(h) (cll_value)cll_pub_pid(CLL_MACHINE(h), 0, 0)\n\
    #define CLL_SYNC_OF(h) cll_pub_barrier(CLL_MACHINE(h));\n";

/// Before MPI_Init and after MPI_Finalize there is one processor.
const COMMUNICATORS: &str = "#define CLL_IN_MPI __extension__ ({ int cll_on = 0, cll_over = 0; \\\n\
    \x20   MPI_Initialized(&cll_on); MPI_Finalized(&cll_over); cll_on && !cll_over; })\n\
    #define CLL_TEAM_SIZE_OF(h) __extension__ ({ int cll_size = 1; \\\n\
    \x20   if (CLL_IN_MPI) MPI_Comm_size(h, &cll_size); (cll_value)cll_size; })\n\
    #define CLL_TEAM_MEMBER_OF(h) __extension__ ({ int cll_rank = 0; \\\n\
    \x20   if (CLL_IN_MPI) MPI_Comm_rank(h, &cll_rank); (cll_value)cll_rank; })\n";

/// Defined in `cll_mpi_world.h`, after the last line.
const OF_WORLD: &str = "static double cll_mpi_world_size(void);\n\
    static double cll_mpi_world_rank(void);\n\
    #define CLL_TEAM_SIZE_OF_WORLD cll_mpi_world_size()\n\
    #define CLL_TEAM_MEMBER_OF_WORLD cll_mpi_world_rank()\n";

const WORLD_SYNCS: &str = "static unsigned cll_mpi_world_sync(void);\n\
    #define CLL_SYNC_OF_WORLD cll_mpi_world_sync()\n";

/// Defined in `cll_mpi_sync.h`, after the last line.
const TOGETHER: &str = "static unsigned cll_mpi_sync_at(const void *comm);\n\
    #define CLL_SYNC_OF(h) __extension__ ({ unsigned cll_sync = 0; \\\n\
    \x20   if (CLL_IN_MPI) { MPI_Comm cll_team = h; cll_sync = cll_mpi_sync_at(&cll_team); } \\\n\
    \x20   cll_sync; })\n";
