//! The programs of other people, and how each is built.

/// One Debian source package and the shell commands that build its C sources.
pub struct Project {
    /// Name of the Debian source package.
    pub name: &'static str,
    /// The special features of the way its C is written.
    pub style: &'static str,
    /// Run in the unpacked folder, with `CC` in the environment.
    pub build: &'static str,
}

const fn project(name: &'static str, style: &'static str, build: &'static str) -> Project {
    Project { name, style, build }
}

/// The three that `--quick` takes: small, and unlike each other.
pub const QUICK: [&str; 3] = ["bzip2", "lua5.4", "tree"];

/// All of them.
pub const ALL: &[Project] = &[
    project("bzip2", "macros that hide jumps and switch labels", "make CC=\"$CC\" bzip2"),
    project(
        "lua5.4",
        "generated dispatch, computed goto, dense macros",
        "cd src && echo '#define DEB_HOST_MULTIARCH \"\"' > lua5.4-deb-multiarch.h && \
         for f in *.c; do $CC -O2 -DLUA_USE_POSIX -I. -c $f || exit 1; done",
    ),
    project("tree", "old style, many statements a line", "make CC=\"$CC\""),
    project("zlib", "K&R definitions, unrolled macros", "./configure && make CC=\"$CC\" libz.a"),
    project("lz4", "force-inlined templates in C", "make -C lib CC=\"$CC\" liblz4.a"),
    project("libzstd", "large headers, attribute macros", "make -C lib CC=\"$CC\" libzstd.a"),
    project("dash", "generated sources, setjmp everywhere", CONFIGURE),
    project("mawk", "a parser and an interpreter", CONFIGURE),
    project("gzip", "GNU style, gnulib", CONFIGURE),
    project("sed", "GNU style, gnulib", CONFIGURE),
    project("patch", "GNU style, older", CONFIGURE),
    project("diffutils", "GNU style, recursion", CONFIGURE),
    project("gawk", "interpreter, giant switches", CONFIGURE),
    project("xz-utils", "C99, declarations anywhere", CONFIGURE),
    project("figlet", "one-file program of the nineties", "make CC=\"$CC\" LD=\"$CC\""),
    project("less", "K&R throughout", CONFIGURE),
    project("libpng1.6", "prototypes by macro, conditions in statements", CONFIGURE),
    project("glpk", "numerical, very long functions", CONFIGURE),
    project("gsl", "numerical, templates by inclusion", CONFIGURE),
    project("fftw3", "HPC, generated straight-line kernels", CONFIGURE),
    project("bc", "an interpreter in C89", CONFIGURE),
    project(
        "qhull",
        "macros as loops (FORALLfacets)",
        "mkdir -p lib bin && make CC=\"$CC\" lib/libqhullstatic_r.a",
    ),
    project(
        "cliquer",
        "graph search, statement macros",
        "make CC=\"$CC\" LDFLAGS=-lm cliquer.o graph.o reorder.o",
    ),
    project(
        "sqlite3",
        "a quarter of a million lines",
        "./configure --disable-tcl && make sqlite3.c && $CC -O1 -c sqlite3.c",
    ),
];

/// Autotools; files that only maintainers make again are left as they came. A
/// manual that cannot be made here is no reason to leave the sources out.
const CONFIGURE: &str = "./configure --disable-shared && \
    { make -k AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=: MAKEINFO=: || true; }";
