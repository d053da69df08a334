//! A compiler's command line, as far as the driver needs to parse it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::compiler::{CompilerKind, Language};

/// The output that is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A program or a library.
    Linked,
    /// Objects (`-c`).
    Object,
    /// Assembly (`-S`).
    Assembly,
    /// Preprocessed text (`-E`).
    Preprocessed,
    /// Dependencies only (`-M`, `-MM`).
    Dependencies,
    /// Messages only (`-fsyntax-only`).
    Messages,
    /// Information on the compiler (`--version`, `-###`, …).
    Information,
}

/// One argument, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An option, and its value if that is a separate argument.
    Option(Vec<OsString>),
    /// A file.
    Input(Input),
}

/// A file to compile or to link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The path as given; `-` is standard input.
    pub path: PathBuf,
    /// The language given by `-x`.
    pub language: Option<OsString>,
}

/// A parsed command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The arguments in order.
    pub items: Vec<Item>,
    /// The output that is requested.
    pub product: Product,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// `-MF`.
    pub dependencies: Option<PathBuf>,
    /// Whether `-MD` or `-MMD` is given.
    pub writes_dependencies: bool,
    /// Whether a shared object is linked.
    pub shared: bool,
    /// Whether a program without loader is linked (`-static`, `-static-pie`).
    pub fixed: bool,
    /// Whether the linker's output is an object (`-r`).
    pub relocatable: bool,
    /// Whether OpenMP is switched on.
    pub openmp: bool,
    /// Whether `-x` is given.
    pub languages: bool,
}

/// Options whose value may be the next argument.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-B",
    "-F",
    "-A",
    "-T",
    "-u",
    "-z",
    "-e",
    "-h",
    "-G",
    "-R",
    "-J",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-Xopenmp-target",
    "-mllvm",
    "-include",
    "-include-pch",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-cxx-isystem",
    "-aux-info",
    "--param",
    "-wrapper",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-auxbase",
    "-framework",
    "-arch",
    "-target",
    "--sysroot",
    "-gcc-toolchain",
    "--serialize-diagnostics",
];

/// Options with which the compiler prints information and compiles nothing.
const INFORMATION: &[&str] = &[
    "-###",
    "--version",
    "--help",
    "--target-help",
    "-dumpmachine",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpspecs",
    "--print-search-dirs",
];

impl Invocation {
    /// Parses a command line in which `@FILE` has been replaced already.
    pub fn parse(arguments: Vec<OsString>) -> Invocation {
        let mut invocation = Invocation {
            items: Vec::new(),
            product: Product::Linked,
            output: None,
            dependencies: None,
            writes_dependencies: false,
            shared: false,
            fixed: false,
            relocatable: false,
            openmp: false,
            languages: false,
        };
        let mut language = None;
        let mut arguments = arguments.into_iter().peekable();
        while let Some(argument) = arguments.next() {
            if argument == "-" || !argument.as_bytes().starts_with(b"-") {
                let path = PathBuf::from(argument);
                invocation.items.push(Item::Input(Input { path, language: language.clone() }));
                continue;
            }
            let mut words = vec![argument];
            if WITH_VALUE.iter().any(|option| words[0] == *option) {
                words.extend(arguments.next());
            }
            invocation.option(&words, &mut language);
            invocation.items.push(Item::Option(words));
        }
        if invocation.inputs().next().is_none() {
            invocation.product = Product::Information;
        }
        invocation
    }

    fn option(&mut self, words: &[OsString], language: &mut Option<OsString>) {
        let first = words[0].to_string_lossy();
        let value = |joined: &str| match words.get(1) {
            Some(word) if first == joined => Some(word.clone()),
            Some(_) => None,
            None => {
                let bytes = words[0].as_bytes().strip_prefix(joined.as_bytes())?;
                (!bytes.is_empty()).then(|| OsStr::from_bytes(bytes).to_owned())
            }
        };
        match first.as_ref() {
            "-c" => self.produce(Product::Object),
            "-S" => self.produce(Product::Assembly),
            "-E" => self.produce(Product::Preprocessed),
            "-M" | "-MM" => self.produce(Product::Dependencies),
            "-MD" | "-MMD" => self.writes_dependencies = true,
            "-fsyntax-only" => self.produce(Product::Messages),
            "-shared" | "--shared" => self.shared = true,
            "-static" | "--static" | "-static-pie" => self.fixed = true,
            "-r" => self.relocatable = true,
            "-fno-openmp" => self.openmp = false,
            name if name.starts_with("-fopenmp") && !name.starts_with("-fopenmp-simd") => {
                self.openmp = true;
            }
            "-qopenmp" | "-mp" | "-xopenmp" => self.openmp = true,
            name if INFORMATION.contains(&name) || name.starts_with("-print-") => {
                self.produce(Product::Information);
            }
            name if name.starts_with("-MF") => self.dependencies = value("-MF").map(PathBuf::from),
            name if name.starts_with("-x") => {
                self.languages = true;
                *language = value("-x").filter(|name| name != "none");
            }
            // `-openmp` and the like of other compilers do not name an output.
            name if name.starts_with("-o") && !name.starts_with("-openmp") => {
                self.output = value("-o").map(PathBuf::from);
            }
            _ => {}
        }
    }

    /// The earliest stage counts, as in GCC.
    fn produce(&mut self, product: Product) {
        let rank = |product| match product {
            Product::Linked => 0,
            Product::Object => 1,
            Product::Assembly => 2,
            Product::Messages => 3,
            Product::Preprocessed => 4,
            Product::Dependencies => 5,
            Product::Information => 6,
        };
        if rank(product) > rank(self.product) {
            self.product = product;
        }
    }

    /// The files, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(input) => Some(input),
            Item::Option(_) => None,
        })
    }

    /// The options for compiling any file: without outputs, stages, dependencies and the linker's options.
    pub fn flags(&self) -> Vec<OsString> {
        let kept = |words: &&Vec<OsString>| {
            let first = words[0].to_string_lossy();
            let stage =
                ["-c", "-S", "-E", "-P", "-fsyntax-only", "-shared", "--shared", "-r", "-v"];
            let starts = ["-o", "-M", "-l", "-L", "-Wl,", "-Xlinker", "-x", "-save-temps", "-dump"];
            !stage.contains(&first.as_ref()) && !starts.iter().any(|s| first.starts_with(s))
        };
        let options = self.items.iter().filter_map(|item| match item {
            Item::Option(words) => Some(words),
            Item::Input(_) => None,
        });
        options.filter(kept).flatten().cloned().collect()
    }
}

impl Input {
    /// The language, if this file may be translated. A C++ compiler compiles `.c` as C++.
    pub fn translated(&self, kind: CompilerKind) -> Option<Language> {
        match &self.language {
            Some(language) => Language::named(language),
            None => Language::from_path(&self.path)
                .map(|language| if kind.is_cxx() { Language::Cxx } else { language }),
        }
    }

    /// Whether this is Objective-C, in which `#pragma cll` has no effect.
    pub fn is_objective_c(&self) -> bool {
        match &self.language {
            Some(language) => language.as_bytes().starts_with(b"objective-c"),
            None => {
                let extension = self.path.extension().and_then(OsStr::to_str);
                extension.is_some_and(|extension| ["m", "mm", "M"].contains(&extension))
            }
        }
    }

    /// Whether the compiler compiles this file, and does not only link it.
    pub fn is_source(&self) -> bool {
        let objects = ["o", "a", "so", "lo", "la", "obj", "dylib"];
        match &self.language {
            Some(_) => true,
            None => {
                let name = self.path.file_name().map(|name| name.to_string_lossy());
                let shared = name.is_some_and(|name| name.contains(".so."));
                let extension = self.path.extension().and_then(OsStr::to_str);
                !shared && extension.is_some_and(|extension| !objects.contains(&extension))
            }
        }
    }

    /// Whether this is standard input.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Invocation {
        Invocation::parse(line.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn the_earliest_stage_wins() {
        for (line, product) in [
            ("a.c -o a", Product::Linked),
            ("-c a.c", Product::Object),
            ("-c -S a.c", Product::Assembly),
            ("-E -c a.c", Product::Preprocessed),
            ("-MM a.c", Product::Dependencies),
            ("-c -MD a.c", Product::Object),
            ("-fsyntax-only a.c", Product::Messages),
            ("--version", Product::Information),
            ("-v", Product::Information),
            ("-v a.c", Product::Linked),
            ("-### -c a.c", Product::Information),
            ("-print-prog-name=ld", Product::Information),
        ] {
            assert_eq!(parse(line).product, product, "{line}");
        }
    }

    #[test]
    fn values_are_no_inputs() {
        let invocation = parse("-I c -o x.c -include y.c -MF d -xc z -x none b.o -lm -L l.c a.c");
        let inputs: Vec<_> =
            invocation.inputs().map(|input| input.path.to_str().unwrap()).collect();
        assert_eq!(inputs, ["z", "b.o", "a.c"]);
        assert_eq!(invocation.output.as_deref(), Some(Path::new("x.c")));
        assert_eq!(invocation.dependencies.as_deref(), Some(Path::new("d")));
        let c: Vec<_> =
            invocation.inputs().map(|input| input.translated(CompilerKind::C)).collect();
        assert_eq!(c, [Some(Language::C), None, Some(Language::C)]);
        assert_eq!(parse("-ofoo a.c").output.as_deref(), Some(Path::new("foo")));
    }

    #[test]
    fn the_flags_are_those_of_every_stage() {
        let invocation =
            parse("-O2 -c -I inc -DX=1 a.c -o a.o -MMD -MF a.d -lm -Wl,-z -L. -x c -std=c99");
        assert_eq!(invocation.flags(), ["-O2", "-I", "inc", "-DX=1", "-std=c99"]);
    }

    #[test]
    fn kinds_of_files() {
        let kind = |name: &str| {
            let input = Input { path: name.into(), language: None };
            (input.translated(CompilerKind::C), input.is_objective_c(), input.is_source())
        };
        assert_eq!(kind("a.c"), (Some(Language::C), false, true));
        assert_eq!(kind("a.cpp"), (Some(Language::Cxx), false, true));
        assert_eq!(kind("a.mm"), (None, true, true));
        assert_eq!(kind("a.S"), (None, false, true));
        assert_eq!(kind("a.o"), (None, false, false));
        assert_eq!(kind("libz.so.1"), (None, false, false));
        assert_eq!(kind("x"), (None, false, false));
        let input = Input { path: "a.c".into(), language: None };
        assert_eq!(input.translated(CompilerKind::MpiCxx), Some(Language::Cxx));
    }

    #[test]
    fn openmp_is_seen() {
        assert!(parse("-fopenmp a.c").openmp);
        assert!(parse("-fopenmp=libomp a.c").openmp);
        assert!(!parse("-fopenmp-simd a.c").openmp);
        assert!(!parse("a.c").openmp);
    }
}
