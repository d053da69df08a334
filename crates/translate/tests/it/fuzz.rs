//! The fuzz target `translator` on mutations of good inputs.

#[path = "../../../../fuzz/src/translator.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

#[test]
fn any_source_is_translated_or_refused() {
    let mut seeds = Vec::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for folder in std::fs::read_dir(root).expect(root).flatten() {
        let Ok(files) = std::fs::read_dir(folder.path()) else { continue };
        for file in files.flatten() {
            if file.path().extension().is_some_and(|extension| extension == "c") {
                seeds.push(std::fs::read(file.path()).unwrap());
            }
        }
    }
    assert!(seeds.len() >= 5);
    let words = [
        "\n#pragma cll f f[0] + f[1]*N\n",
        "\n#pragma cll end f\n",
        "\n#pragma cll for (N = 1; N < 9; N++)\n",
        "\n#pragma cll end for\n",
        "\n#pragma cll report all\n",
        "\n#pragma cll parallel OpenMP\n",
        "\n#pragma ll end f\n",
        "\n#pragma cll sync f every(3) uses(a, b) f[0]*P\n",
        "\n#pragma parallel PUB gbsp\n",
        "\n#pragma omp parallel\n",
        "{",
        "}",
        "(",
        ")",
        ";",
        "if (x)",
        "else",
        "for (;;)",
        "while (x)",
        "do",
        "switch (x) {",
        "case 1:",
        "default:",
        "goto l;",
        "l:",
        "return 1;",
        "break;",
        "continue;",
        "\n#if 1\n",
        "\n#else\n",
        "\n#endif\n",
        "\\\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "\n",
        "\u{feff}",
        "\0",
        "every(0)",
        "counters(X)",
        "auto",
    ];
    mutate::mutations(&seeds, &words, 0..3000, entry::check);
}
