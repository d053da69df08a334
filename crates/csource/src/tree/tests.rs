use super::*;
use crate::file::File;
use crate::lex::TokenKind;
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// The tree with one line for each statement; `@` is a marker (`#pragma @…`).
fn shown(source: &str) -> String {
    let file = File::read(source.as_bytes(), |_, rest| source[rest].starts_with(" @"));
    let variant = file.variant(&[], 0);
    let mut out = String::new();
    for function in variant.functions() {
        let tree = Tree::parse(&variant, &function);
        for (id, node) in tree.nodes.iter().enumerate() {
            let depth = tree.ancestors(id).count();
            let first = variant.tokens[node.first].start;
            let end = variant.tokens[node.end - 1].end;
            let sub = if node.sub { "> " } else { "" };
            let text: Vec<_> = source[first..end].split_whitespace().collect();
            let mut text = text.join(" ");
            if text.len() > 46 {
                text = format!("{} ... {}", &text[..20], &text[text.len() - 20..]);
            }
            out += &format!("{}{sub}{:?}: {text}\n", "  ".repeat(depth), node.statement);
        }
        for slot in &tree.slots {
            let token = variant.tokens[slot.token];
            out += &format!("{}: {:?}\n", &source[token.start + 8..token.end], slot.spot);
        }
    }
    out
}

fn check(source: &str, expected: Expect) {
    expected.assert_eq(&shown(source));
}

#[test]
fn else_with_a_marker_as_in_figure_5() {
    check(
        "void f() {\n  if (a) { x; } else\n#pragma @g\n  y(1);\n#pragma @end\n}\n",
        expect![[r#"
            Block(Function): { if (a) { x; } else ... y(1); #pragma @end }
              If: if (a) { x; } else #pragma @g y(1);
                > Block(Plain): { x; }
                  Simple: x;
                Else: else #pragma @g y(1);
                  > Simple: y(1);
            @g: Sub { owner: 4, statement: Some(5) }
            @end: List { block: 0, after_call: None }
        "#]],
    );
}

#[test]
fn dangling_else_and_chains() {
    check(
        "void f() { if (a) if (b) x; else y; else if (c) z; }",
        expect![[r#"
            Block(Function): { if (a) if (b) x; else y; else if (c) z; }
              If: if (a) if (b) x; else y; else if (c) z;
                > If: if (b) x; else y;
                  > Simple: x;
                  Else: else y;
                    > Simple: y;
                Else: else if (c) z;
                  > If: if (c) z;
                    > Simple: z;
        "#]],
    );
}

#[test]
fn markers_between_the_parts_of_if_and_do() {
    check(
        "void f() {\nif (a)\n#pragma @1\nx;\n#pragma @2\nelse y;\ndo\n#pragma @3\nx;\n#pragma @4\nwhile (z);\n#pragma @5\n}",
        expect![[r#"
            Block(Function): { if (a) #pragma @1  ... le (z); #pragma @5 }
              If: if (a) #pragma @1 x; #pragma @2 else y;
                > Simple: x;
                Else: else y;
                  > Simple: y;
              Do: do #pragma @3 x; #pragma @4 while (z);
                > Simple: x;
            @1: Sub { owner: 1, statement: Some(2) }
            @2: BeforeElse
            @3: Sub { owner: 5, statement: Some(6) }
            @4: BeforeWhile
            @5: List { block: 0, after_call: None }
        "#]],
    );
}

#[test]
fn switch_labels_and_jumps() {
    check(
        "void f() { switch (a) { case 1: case b ? 2 : 3: x; break; default: l: goto l; } if (q) m: return; goto *p; }",
        expect![[r#"
            Block(Function): { switch (a) { case  ... : return; goto *p; }
              Switch: switch (a) { case 1: ... efault: l: goto l; }
                > Block(Plain): { case 1: case b ? 2 ... efault: l: goto l; }
                  Case: case 1:
                  Case: case b ? 2 : 3:
                  Simple: x;
                  Break: break;
                  Default: default:
                  Label: l:
                  Goto: goto l;
              If: if (q) m: return;
                > Label: m: return;
                  > Return: return;
              ComputedGoto: goto *p;
        "#]],
    );
}

#[test]
fn macros_without_semicolons() {
    check(
        "void f() {\nFOREACH(i, n) { x; }\nFOO(a)\n#pragma @1\ny = 1;\n#pragma @2\nfor_each(i)\n#pragma @3\nz;\nBAR(b)\nif (c) d;\nlist_for_each(p) if (c) break;\nFOREVER { e; }\nEND()\n}",
        expect![[r#"
            Block(Function): { FOREACH(i, n) { x; ... REVER { e; } END() }
              Macro(true): FOREACH(i, n) { x; }
                > Block(Plain): { x; }
                  Simple: x;
              Simple: FOO(a)
              Simple: y = 1;
              Macro(true): for_each(i) #pragma @3 z;
                > Simple: z;
              Simple: BAR(b)
              If: if (c) d;
                > Simple: d;
              Macro(true): list_for_each(p) if (c) break;
                > If: if (c) break;
                  > Break: break;
              Macro(true): FOREVER { e; }
                > Block(Plain): { e; }
                  Simple: e;
              Simple: END()
            @1: List { block: 0, after_call: Some(4) }
            @2: List { block: 0, after_call: None }
            @3: Sub { owner: 6, statement: Some(7) }
        "#]],
    );
}

#[test]
fn data_types_and_nested_functions() {
    check(
        "void f() { int a[] = { 1, 2 }; struct s { int b; } c = { 1 }; (struct s){ 1 }.b; g((t){ 2 }, [1]); int h(int x) { return x; } y = ({ int q = 1; if (q) return; q; }); }",
        expect![[r#"
            Block(Function): { int a[] = { 1, 2 } ... (q) return; q; }); }
              Simple: int a[] = { 1, 2 };
              Simple: struct s { int b; } c = { 1 };
              Simple: (struct s){ 1 }.b;
              Simple: g((t){ 2 }, [1]);
              Simple: int h(int x) { return x; }
                > Block(Nested): { return x; }
                  Return: return x;
              Simple: y = ({ int q = 1; if (q) return; q; });
                Block(Expression): { int q = 1; if (q) return; q; }
                  Simple: int q = 1;
                  If: if (q) return;
                    > Return: return;
                  Simple: q;
        "#]],
    );
}

#[test]
fn pragmas_that_take_statements() {
    check(
        "void f() {\n#pragma omp parallel\n#pragma @1\n{ x; }\n#pragma @2\n#pragma omp barrier\n#pragma omp for\nfor (;;) x;\n}",
        expect![[r#"
            Block(Function): { #pragma omp parall ... mp for for (;;) x; }
              Pragma(Statement): #pragma omp parallel #pragma @1 { x; }
                > Block(Plain): { x; }
                  Simple: x;
              Pragma(Loop { nest: 1 }): #pragma omp for for (;;) x;
                > For: for (;;) x;
                  > Simple: x;
            @1: Sub { owner: 1, statement: Some(2) }
            @2: List { block: 0, after_call: None }
        "#]],
    );
}

#[test]
fn markers_within_statements() {
    check(
        "void f() {\nx = a +\n#pragma @1\nb;\ng(1,\n#pragma @2\n2);\nint q[] = {\n#pragma @3\n1 };\n({\n#pragma @4\nx; });\n}",
        expect![[r#"
            Block(Function): { x = a + #pragma @1 ...  #pragma @4 x; }); }
              Simple: x = a + #pragma @1 b;
              Simple: g(1, #pragma @2 2);
              Simple: int q[] = { #pragma @3 1 };
              Simple: ({ #pragma @4 x; });
                Block(Expression): { #pragma @4 x; }
                  Simple: x;
            @1: Inside { call: None }
            @2: Inside { call: Some(12) }
            @3: Inside { call: None }
            @4: List { block: 5, after_call: None }
        "#]],
    );
}

#[test]
fn asm_goto_and_addresses_of_labels() {
    check(
        "void f() { asm goto (\"\" :::: l); p = &&l; static void *t[] = { &&m, && n }; if (a && b) l: ; }",
        expect![[r#"
            Block(Function): { asm goto ("" ::::  ... ; if (a && b) l: ; }
              Simple: asm goto ("" :::: l);
              Simple: p = &&l;
              Simple: static void *t[] = { &&m, && n };
              If: if (a && b) l: ;
                > Label: l: ;
                  > Simple: ;
        "#]],
    );
}

#[test]
fn unbalanced_text_ends_somewhere() {
    check(
        "void f() { g((a; } else { if ( ",
        expect![[r#"
        Block(Function): { g((a; }
          Simple: g((a;
        Block(Function): { if (
          If: if (
    "#]],
    );
    check(
        "void f() { if (x) } ",
        expect![[r#"
        Block(Function): { if (x) }
          If: if (x)
    "#]],
    );
}

#[test]
fn deep_nesting_is_given_up() {
    let source = format!("void f() {{ {} }}", "if (x) ".repeat(10 * DEPTH));
    let file = File::read(source.as_bytes(), |_, _| false);
    let variant = file.variant(&[], 0);
    let tree = Tree::parse(&variant, &variant.functions()[0]);
    assert!(tree.too_deep);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_tokens_give_a_tree_of_nested_ranges(parts in prop::collection::vec(
        prop::sample::select(vec![
            "if ", "else ", "for ", "while ", "do ", "switch ", "case 1", "default", ":", ";",
            "{", "}", "(", ")", "[", "]", "x ", "=", "?", "\n#pragma @m\n", "\n#pragma omp parallel\n",
            "return ", "break", "goto ", "struct s ", "({", "&&", "asm ", "\n", ",",
            "\n#if A\n", "\n#else\n", "\n#endif\n",
        ]), 0..80))
    {
        let source = format!("int f() {{ {}", parts.concat());
        let file = File::read(source.as_bytes(), |_, rest| source[rest].starts_with(" @"));
        let everything: Vec<_> = std::iter::once(0..source.len()).collect();
        for number in 0..file.conditionals().variants(&everything).min(4) {
            let variant = file.variant(&everything, number);
            let mut markers = 0;
            for function in variant.functions() {
                let tree = Tree::parse(&variant, &function);
                markers += tree.slots.len();
                for (id, node) in tree.nodes.iter().enumerate() {
                    prop_assert!(node.first < node.end && node.end <= variant.tokens.len());
                    if let Some(parent) = node.parent {
                        prop_assert!(parent < id);
                        let over = &tree.nodes[parent];
                        let labelled = matches!(
                            over.statement, Statement::Label | Statement::Case | Statement::Default);
                        prop_assert!(over.first <= node.first);
                        prop_assert!(labelled || node.end <= over.end);
                    }
                }
                for pair in tree.slots.windows(2) {
                    prop_assert!(pair[0].token < pair[1].token);
                }
                let within = variant.tokens[function.open..(function.close + 1).min(variant.tokens.len())]
                    .iter().filter(|token| token.kind == TokenKind::Marker).count();
                prop_assert_eq!(within, tree.slots.len());
            }
            prop_assert!(markers <= source.matches("@m").count());
        }
    }
}
