//! The fuzz target `lexer` on mutations of good inputs.

#[path = "../../../../fuzz/src/lexer.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

#[test]
fn any_bytes_are_read() {
    let seeds = [
        "int f(int a)\n{\n    if (a) return 1; else { a++; }\n    for (;;) break;\n    return a;\n}\n",
        "#include <stdio.h>\n#define X(a) do { a; } while (0)\n#if A\nint g() {\n#else\nint h() {\n#endif\n  X(1);\n}\n",
        "void k(void) { switch (x) { case 1: l: goto l; default: ; } do x--; while (x); }\n#pragma omp parallel for\n",
        "/* c */ // d \\\n e\nchar *s = \"a\\\"b\" L\"x\"; char c = '\\''; ??=define Y\n%:if 0\n%:endif\n",
        "static struct s { int a; } t = { .a = 1 };\nint (*p(void))(int) { return 0; }\nint old(a) int a; { return a; }\n",
    ];
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    let words = [
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
        "switch (x)",
        "case 1:",
        "default:",
        "goto l;",
        "l:",
        "return",
        "#if 1\n",
        "\n#else\n",
        "\n#elif 1\n",
        "\n#endif\n",
        "\n#pragma cll x\n",
        "\\\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "\n",
        "??/\n",
        "<%",
        "%>",
        "\0",
        "\u{feff}",
        "_Pragma(\"x\")",
        "int f() {",
        "struct s {",
    ];
    mutate::mutations(&seeds, &words, 0..20_000, entry::check);
}
