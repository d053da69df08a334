//! Every model, engine and launcher as a row: variables, command, cores.

use super::*;
use crate::{Mpirun, Srun};

/// A host with four cores whose user has set the clock.
fn host(mpi: Option<Mpi<'_>>) -> Host<'_> {
    Host {
        mpi,
        variables: vec!["CLL_CLOCK".into(), "HOME".into()],
        cores: 4,
        process: 77,
        executable: Some("/bin/cll".into()),
        job: "job".to_owned(),
    }
}

fn program(parallelism: Parallelism) -> Program<'static> {
    Program { path: Path::new("./p"), parallelism, has_threads: false }
}

/// The options of `cll run`.
fn run(processors: Option<u32>, engine: Option<Engine>) -> Options {
    let arguments = vec!["9".into()];
    Options { processors, engine, attached: true, arguments, ..Options::default() }
}

/// The options of `cll model` and campaigns.
fn measured(processors: u32) -> Options {
    Options {
        processors: Some(processors),
        bound: true,
        cpus: Some(vec![1, 2, 3]),
        ..run(None, None)
    }
    .not_attached()
}

impl Options {
    fn not_attached(self) -> Options {
        Options { attached: false, ..self }
    }
}

/// `VARIABLE=value … -removed … ! words @ cores`, the cores with `each` if processes bind themselves to one.
fn row(launch: &Launch) -> String {
    let set = launch.environment.iter().map(|(name, value)| format!("{name}={}", value.display()));
    let removed = launch.without.iter().map(|name| format!("-{name}"));
    let words = launch.command.words().map(|word| word.display().to_string());
    let Binding { cpus, binds } = &launch.binding;
    let cpus = cpus.as_ref().map_or("all".to_owned(), |cpus| {
        cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    });
    let each = if *binds { " each" } else { "" };
    let line = set.chain(removed).chain(["!".to_owned()]).chain(words).collect::<Vec<_>>();
    format!("{} @ {cpus}{each}", line.join(" "))
}

#[track_caller]
fn is(options: &Options, program: Program<'_>, host: &Host<'_>, expected: &str) {
    assert_eq!(row(&launch(options, &program, host)), expected);
}

fn open_mpi() -> Mpirun {
    Mpirun::named("mpirun", "mpirun (Open MPI) 5.0.2")
}

fn mpich() -> Mpirun {
    Mpirun::named("mpirun.mpich", "HYDRA build details")
}

#[test]
fn sequential_programs_and_threads() {
    let (none, threads) = (host(None), program(Parallelism::Threads));
    is(&run(None, None), threads, &none, "! ./p 9 @ all");
    is(&run(Some(3), None), threads, &none, "OMP_NUM_THREADS=3 ! ./p 9 @ all");
    let expected = "OMP_NUM_THREADS=2 OMP_PROC_BIND=true ! ./p 9 @ 2,3 each";
    is(&measured(2), threads, &none, expected);
    let user = Host { variables: vec!["OMP_PROC_BIND".into()], ..host(None) };
    is(&measured(2), threads, &user, "OMP_NUM_THREADS=2 ! ./p 9 @ 2,3 each");
}

#[test]
fn engines_of_bsp_programs() {
    let (none, bsp) = (host(None), program(Parallelism::Bsp));
    is(&run(None, None), bsp, &none, "CLL_LAUNCHER=77 ! ./p 9 @ all each");
    is(&run(Some(4), None), bsp, &none, "CLL_NPROCS=4 CLL_LAUNCHER=77 ! ./p 9 @ all each");
    for (engine, name) in [
        (Engine::Processes, "processes"),
        (Engine::Threads, "threads"),
        (Engine::Virtual, "virtual"),
    ] {
        let expected = format!("CLL_NPROCS=4 CLL_LAUNCHER=77 CLL_ENGINE={name} ! ./p 9 @ all each");
        is(&run(Some(4), Some(engine)), bsp, &none, &expected);
    }
    is(&measured(2), bsp, &none, "CLL_NPROCS=2 CLL_BIND=1 ! ./p 9 @ 2,3 each");
    let user = Host { variables: vec!["CLL_BIND".into()], ..host(None) };
    is(&measured(2), bsp, &user, "CLL_NPROCS=2 ! ./p 9 @ 2,3 each");
}

#[test]
fn bsp_programs_on_mpi() {
    let (open_mpi, mpich) = (open_mpi(), mpich());
    let (bsp, mpi) = (program(Parallelism::Bsp), Some(Engine::Mpi));
    is(
        &run(Some(4), mpi),
        bsp,
        &host(Some(Mpi::Mpirun(&open_mpi))),
        "CLL_NPROCS=4 CLL_LAUNCHER=77 CLL_ENGINE=mpi ! /bin/cll --cll-ends-with 77 15 mpirun -n 4 \
         --oversubscribe -x CLL_CLOCK -x CLL_ENGINE -x CLL_LAUNCHER -x CLL_NPROCS -x CLL_OUT -x CLL_RUN ./p 9 \
         @ all each",
    );
    is(
        &run(Some(4), mpi),
        bsp,
        &host(Some(Mpi::Mpirun(&mpich))),
        "CLL_NPROCS=4 CLL_LAUNCHER=77 CLL_ENGINE=mpi ! /bin/cll --cll-ends-with 77 9 mpirun.mpich -genv \
         CLL_JOB job -n 4 ./p 9 @ all each",
    );
    // Others have started this process.
    let joined = run(None, mpi).not_attached();
    is(&joined, bsp, &host(None), "CLL_ENGINE=mpi ! ./p 9 @ all each");
}

#[test]
fn machine_objects_begin_with_main() {
    let (none, objects) = (host(None), program(Parallelism::Objects));
    is(&run(None, None), objects, &none, "CLL_LAUNCHER=77 CLL_START=exec ! ./p 9 @ all each");
    let user = Host { variables: vec!["CLL_START".into()], ..host(None) };
    is(&run(None, None), objects, &user, "CLL_LAUNCHER=77 ! ./p 9 @ all each");
    let expected = "CLL_NPROCS=2 CLL_BIND=1 CLL_START=exec ! ./p 9 @ 2,3 each";
    is(&measured(2), objects, &none, expected);
}

#[test]
fn programs_of_mpi() {
    let (open_mpi, mpich) = (open_mpi(), mpich());
    let (by_open_mpi, by_mpich) =
        (host(Some(Mpi::Mpirun(&open_mpi))), host(Some(Mpi::Mpirun(&mpich))));
    let ranks = program(Parallelism::Ranks);
    is(
        &run(Some(2), None),
        ranks,
        &by_open_mpi,
        "! /bin/cll --cll-ends-with 77 15 mpirun -n 2 --oversubscribe -x CLL_CLOCK -x CLL_OUT -x CLL_RUN ./p 9 \
         @ all each",
    );
    is(
        &run(None, None),
        ranks,
        &by_mpich,
        "! /bin/cll --cll-ends-with 77 9 mpirun.mpich -genv CLL_JOB job ./p 9 @ all each",
    );
    is(
        &measured(2),
        ranks,
        &by_open_mpi,
        "! mpirun -n 2 --oversubscribe -x CLL_CLOCK -x CLL_OUT -x CLL_RUN --cpu-list 2,3 --bind-to \
         cpu-list:ordered ./p 9 @ 2,3 each",
    );
    is(
        &measured(2),
        ranks,
        &by_mpich,
        "! mpirun.mpich -genv CLL_JOB job -n 2 -bind-to user:2,3 ./p 9 @ 2,3 each",
    );
    let threads = Program { has_threads: true, ..ranks };
    is(
        &measured(2),
        threads,
        &by_mpich,
        "OMP_NUM_THREADS=2 ! mpirun.mpich -genv CLL_JOB job -n 2 -bind-to none ./p 9 @ 1,2,3 each",
    );
    let slurm = |is_mpich| host(Some(Mpi::Srun(Srun::for_mpi(is_mpich))));
    is(&measured(2), ranks, &slurm(false), "! srun --mpi=pmix -n 2 ./p 9 @ 2,3 each");
    is(&measured(2), ranks, &slurm(true), "! srun --mpi=pmi2 -n 2 ./p 9 @ 2,3 each");
    // Without our executable nothing can be put before mpirun.
    let unknown = Host { executable: None, ..by_mpich };
    let expected = "! mpirun.mpich -genv CLL_JOB job -n 2 ./p 9 @ all each";
    is(&run(Some(2), None), ranks, &unknown, expected);
}

#[test]
fn what_is_recorded_and_what_others_set() {
    let options = Options {
        logged: true,
        settings: vec![cll_contract::CORES.set(3)],
        variables: vec![("CLL_LOG".to_owned(), "off".into()), ("A".to_owned(), "b c".into())],
        before: vec!["valgrind".into(), "-q".into()],
        ..run(None, None)
    };
    let launch = launch(&options, &program(Parallelism::Threads), &host(None));
    let with = |recording| row(&launch.clone().recording(recording));
    let (set, words) = ("CLL_CORES=3 CLL_LOG=1 CLL_LOG=off A=b c", "! valgrind -q ./p 9 @ all");
    assert_eq!(row(&launch), format!("{set} {words}"));
    let folder = Path::new("/t");
    assert_eq!(with(Recording::Memory(5)), format!("CLL_SHM_FD=5 {set} {words}"));
    assert_eq!(
        with(Recording::Files(folder, 8)),
        format!("CLL_OUT=/t CLL_RUN=8 {set} -CLL_SHM_FD {words}")
    );
    assert_eq!(
        with(Recording::LaunchMember(folder)),
        format!("CLL_OUT=/t {set} -CLL_SHM_FD -CLL_RUN {words}")
    );
}
