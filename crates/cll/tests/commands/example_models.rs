//! The examples of parallel models, each with sizes that its fit has not seen.

use crate::support::Place;

/// Source, options, the experiment, how many points are held out.
const EXAMPLES: &[(&str, &[&str], &str, usize)] = &[
    ("bsp/sample_sort.c", &["--vary", "n=2000:64000:*2", "--hold-out", "n=64000"], "sort", 2),
    ("openmp_loops/openmp_loops.c", &["--hold-out", "N=1630,1833"], "sweep", 4),
    ("openmp_sort/openmp_sort.c", &["--hold-out", "N=419954,559938"], "sort", 4),
    ("mpi/heat.c", &["--libs=-lm", "--hold-out", "N=1048576"], "heat", 2),
    ("mpi/matrix_product.c", &["--cflags=-fopenmp", "--hold-out", "N=400"], "product", 2),
];

#[test]
fn each_reports_how_well_it_predicts_held_out_points() {
    let root = [("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")];
    for (source, options, experiment, held) in EXAMPLES {
        let place = Place::new();
        let path = format!("{}/../../examples/{source}", env!("CARGO_MANIFEST_DIR"));
        let before = ["model", &path, "-o", "out", "--launches", "1", "-n", "1,2", "--json", "-q"];
        let mut line = before.to_vec();
        // Whatever this computer has.
        line.push("--oversubscribe");
        line.extend(options.iter());
        if options.contains(&"--vary") {
            line.extend(["--", "{n}"]);
        }
        let answer = place.cll_with(&root, &line).expect(0).json();
        let model = &answer["experiments"][0];
        assert_eq!(model["name"], *experiment, "{source}: {}", model["failure"]);
        assert_eq!(model["held_out"].as_array().map(Vec::len), Some(*held), "{source}");
        let predicted = answer["predictions"].as_array().unwrap();
        assert_eq!(predicted.len(), *held, "{source}");
        // What the times of its single launch contradict, disturbed as they may be, is not predicted.
        let (known, refused): (Vec<_>, Vec<_>) =
            predicted.iter().partition(|point| point["error"].is_null());
        for point in refused {
            assert!(point["error"].is_string() && point["value"].is_null(), "{source}: {point}");
        }
        for point in &known {
            let (value, measured) = (point["value"].as_f64(), point["measured"].as_f64());
            let (value, measured) = (value.unwrap(), measured.unwrap());
            let error = point["relative_error"].as_f64().unwrap();
            assert!((error - (measured - value) / measured).abs() < 1e-12, "{source}: {point}");
            assert!(measured > 0.0, "{source}: {point}");
        }
        let page = std::fs::read_dir(place.path("out")).unwrap().flatten();
        let pages = page.filter(|file| file.path().extension().is_some_and(|end| end == "html"));
        let page = std::fs::read_to_string(pages.last().expect("a page").path()).unwrap();
        let is_shown = page.contains(">measured</th>") && page.contains(">error</th>");
        assert!(is_shown || known.is_empty(), "{source}");
    }
}

#[test]
fn what_is_held_out_is_kept_from_the_fit() {
    let place = Place::new();
    // Linear but for the last point, which is three times as long.
    place.write("t.csv", "N,time\n1,2\n2,3\n3,4\n4,5\n8,27\n");
    let line = ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--hold-out", "N=8"];
    let done = place.cll(&line).expect(0);
    done.prints(&["measured", "error", "27", "67 %"]);
    let answer = place.cll(&[&line[..], &["--json", "-o", "m.json"]].concat()).expect(0).json();
    let point = &answer["predictions"][0];
    assert!((point["value"].as_f64().unwrap() - 9.0).abs() < 1e-9, "{point}");
    assert_eq!((&point["measured"], &point["at"]["N"]), (&27.0.into(), &8.0.into()));
    // The page of the model that was kept has it, too.
    place.cll(&["page", "m.json", "-o", "m.html"]).expect(0);
    assert!(place.read("m.html").contains(">measured</th>"));
    let line = ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--hold-out", "N=9"];
    place.cll(&line).expect(2).says(&["--hold-out N=9", "nothing was measured there"]);
}

#[test]
fn a_fortran_program_of_mpi_is_logged_and_a_campaign_fits_its_runs() {
    let place = Place::new();
    let source = format!("{}/../../examples/mpi/heat.f90", env!("CARGO_MANIFEST_DIR"));
    let mut compile = place.command("mpifort.openmpi");
    compile.args(["-O1", "-o", "heat"]).arg(source);
    assert!(compile.status().unwrap().success());
    let root = [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("CLL_MPIRUN", "mpirun.openmpi"),
    ];
    let line = ["run", "-n", "2", "--log", "./heat", "20000"];
    place.cll_with(&root, &line).expect(0).prints(&["20000 points on 2 processes, 0 wrong"]);
    let line = [
        "campaign",
        "run",
        "--vary",
        "N=20000,40000,80000",
        "--rounds",
        "1",
        "-q",
        "--",
        "./heat",
        "{N}",
    ];
    place.cll_with(&root, &line).expect(0).prints(&["3 of 3 runs are done"]);
    let line = ["fit", "heat.campaign", "--formula", "run[0] + run[1]*N", "--hold-out", "N=80000"];
    place.cll(&line).prints(&["measured"]);
}
