//! The programs, and what is known of them by hand.

/// A program of Debian's archive.
pub struct Program {
    /// The name.
    pub name: &'static str,
    /// Where in the archive's pool the original source is.
    pub archive: &'static str,
    /// SHA-256 of that.
    pub sha256: &'static str,
    /// The folder in which it is compiled, in that source.
    pub folder: &'static str,
    /// The program's own build, a line of sh with the compiler in `$CC`.
    pub build: &'static str,
    /// The executable that this makes.
    pub program: &'static str,
    /// The C files for `cll model`.
    pub sources: &'static [&'static str],
    /// The compiler's options there.
    pub cflags: &'static str,
    /// Libraries there.
    pub libs: &'static str,
    /// The input that the program reads for a size.
    pub input: Input,
    /// The arguments, with `{N}`.
    pub arguments: &'static [&'static str],
    /// The sizes.
    pub sizes: &'static [u64],
    /// The sizes at which instructions are counted in a simulation.
    pub counted: &'static [u64],
    /// The file that it writes, with `{N}`; else standard output is compared.
    pub output: Option<&'static str>,
    /// The functions in which most of the time is by hand.
    pub functions: &'static [&'static str],
    /// The leading term by hand, as a search writes it, and why.
    pub growth: (&'static str, &'static str),
}

/// The input of a program.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// Nothing: the size is an argument.
    Nothing,
    /// `text.N`: words.
    Words,
    /// `old.N` and `new.N`: N bytes at random, and the same with some changed.
    TwoFiles,
    /// `sqrt.N`: lines for bc that compute N digits.
    Digits,
    /// `distances.N`: distances of N sequences, at random.
    Distances,
}

/// All of them.
pub const PROGRAMS: [Program; 5] = [
    Program {
        name: "bzip2",
        archive: "b/bzip2/bzip2_1.0.8.orig.tar.gz",
        sha256: "ab5a03176ee106d3f0fa90e381da478ddae405918153cca248e682cd0c4a2269",
        folder: "bzip2-1.0.8",
        build: "make -s bzip2 CC=\"$CC\"",
        program: "bzip2",
        sources: &[
            "bzip2.c",
            "blocksort.c",
            "huffman.c",
            "crctable.c",
            "randtable.c",
            "compress.c",
            "decompress.c",
            "bzlib.c",
        ],
        cflags: "-D_FILE_OFFSET_BITS=64",
        libs: "",
        input: Input::Words,
        arguments: &["-1", "-k", "-f", "text.{N}"],
        sizes: &[200_000, 300_000, 500_000, 700_000, 1_000_000, 1_500_000, 2_200_000, 3_200_000],
        counted: &[200_000, 400_000, 600_000, 900_000, 1_400_000, 2_000_000],
        output: Some("text.{N}.bz2"),
        functions: &["BZ2_blockSort", "mainSort", "mainQSort3", "mainSimpleSort", "mainGtU"],
        growth: ("N", "blocks of 100 kB are sorted, one after the other"),
    },
    Program {
        name: "bsdiff",
        archive: "b/bsdiff/bsdiff_4.3.orig.tar.gz",
        sha256: "18821588b2dc5bf159aa37d3bcb7b885d85ffd1e19f23a0c57a58723fea85f48",
        folder: "bsdiff-4.3",
        build: "$CC -O3 -w bsdiff.c -o bsdiff -lbz2",
        program: "bsdiff",
        sources: &["bsdiff.c"],
        cflags: "-O3",
        libs: "-lbz2",
        input: Input::TwoFiles,
        arguments: &["old.{N}", "new.{N}", "patch.{N}"],
        sizes: &[30_000, 60_000, 120_000, 250_000, 500_000, 1_000_000, 2_000_000],
        counted: &[15_000, 30_000, 60_000, 120_000, 250_000, 500_000],
        output: Some("patch.{N}"),
        functions: &["qsufsort", "split"],
        growth: ("N*log2(N)", "the suffixes of the old file are sorted"),
    },
    Program {
        name: "bc",
        archive: "b/bc/bc_1.07.1.orig.tar.gz",
        sha256: "62adfca89b0a1c0164c2cdca59ca210c1d44c3ffc46daf9931cf4942664cb02a",
        folder: "bc-1.07.1",
        build: "./configure -q CC=\"$CC\" CFLAGS='-O2 -w' > configure.log 2>&1 && \
                make -s -C lib > make.log 2>&1 && make -s -C bc >> make.log 2>&1",
        program: "bc/bc",
        sources: &[
            "bc/main.c",
            "bc/bc.c",
            "bc/scan.c",
            "bc/execute.c",
            "bc/load.c",
            "bc/storage.c",
            "bc/util.c",
            "bc/global.c",
            "bc/warranty.c",
            "lib/number.c",
            "lib/getopt.c",
            "lib/getopt1.c",
            "lib/vfprintf.c",
        ],
        cflags: "-DHAVE_CONFIG_H -I. -Ibc -Ih -w",
        libs: "",
        input: Input::Digits,
        arguments: &["-q", "sqrt.{N}"],
        sizes: &[500, 800, 1200, 1900, 3000, 4700, 7500],
        counted: &[500, 800, 1200, 1900, 3000, 4700],
        output: None,
        functions: &["bc_sqrt", "bc_divide", "_one_mult"],
        growth: ("N^2", "a division of N digits, and a few of fewer"),
    },
    Program {
        name: "quicktree",
        archive: "q/quicktree/quicktree_2.5.orig.tar.gz",
        sha256: "731aa845ce3f1f0645bd0df2b54df75f78fce065d6a3ddc47fedf4bdcb11c248",
        folder: "quicktree-2.5",
        // It reads the distances below the diagonal, and sums those on it, too, which it has never written: with what
        // malloc happens to find there it sometimes crashes, with markers and without.
        build: "sed -i 's/^    for (j=0; j < i; j++) {$/    mat->data[i][i] = 0.0;\\n&/' src/distancemat.c && \
                grep -q 'mat->data.i..i. = 0.0' src/distancemat.c && make -s CC=\"$CC\"",
        program: "quicktree",
        sources: &[
            "src/quicktree.c",
            "src/align.c",
            "src/buildtree.c",
            "src/cluster.c",
            "src/distancemat.c",
            "src/sequence.c",
            "src/tree.c",
            "src/util.c",
            "src/options.c",
        ],
        cflags: "-Iinclude -w",
        libs: "-lm",
        input: Input::Distances,
        arguments: &["-in", "m", "-out", "t", "distances.{N}"],
        sizes: &[64, 90, 128, 180, 256, 360, 512],
        counted: &[64, 90, 128, 180, 256, 360],
        output: None,
        functions: &["neighbour_joining_buildtree"],
        growth: ("N^3", "N times the smallest of N*N/2 sums is looked for"),
    },
    Program {
        name: "primes",
        archive: "b/bsdgames/bsdgames_2.17.orig.tar.gz",
        sha256: "066f924aef6c1c5ea946f588e36f303021f5dfc093944738f025d8edbc6fff60",
        folder: "bsd-games-2.17/primes",
        build: "$CC -O2 -w '-D__COPYRIGHT(x)=' '-D__RCSID(x)=' primes.c pattern.c pr_tbl.c -o primes -lm",
        program: "primes",
        sources: &["primes.c", "pattern.c", "pr_tbl.c"],
        cflags: "-w '-D__COPYRIGHT(x)=' '-D__RCSID(x)='",
        libs: "-lm",
        input: Input::Nothing,
        arguments: &["1", "{N}"],
        sizes: &[500_000, 900_000, 1_600_000, 2_800_000, 5_000_000, 9_000_000, 16_000_000],
        counted: &[500_000, 900_000, 1_600_000, 2_800_000, 5_000_000, 9_000_000],
        output: None,
        functions: &["primes"],
        growth: (
            "N",
            "of N/2 bytes multiples are marked, log(log(N)) times each; N/log(N) numbers of log(N) digits are printed",
        ),
    },
];
