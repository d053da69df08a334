//! Prints a formula as a C function of doubles.

use std::collections::HashSet;
use std::fmt::Write;

use super::Constants;
use crate::{Expression, Formula, Function};

/// Reserved words of C and C++, and macros predefined by compilers and `<math.h>`.
const RESERVED: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "typeof",
    "linux",
    "unix",
    "i386",
    "vax",
    "sun",
    "arm",
    "mips",
    "sparc",
    "NAN",
    "INFINITY",
    "NULL",
    "DOMAIN",
    "SING",
    "OVERFLOW",
    "UNDERFLOW",
    "PLOSS",
    "TLOSS",
    "HUGE",
    "MAXFLOAT",
    "fpclassify",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "signbit",
    "math_errhandling",
];

/// Functions called by the printed code.
const CALLED: &[&str] = &[
    "log", "log2", "log10", "exp", "sqrt", "cbrt", "fabs", "fmin", "fmax", "floor", "ceil", "pow",
    "fmod",
];

impl Formula {
    /// The formula as a C function `double NAME(…)`, with the headers it needs.
    ///
    /// The parameters are doubles: the constants first, if they are names, in the order of the terms, then the
    /// variables in the order of [`Formula::variables`], with legal and different names; a comment maps them. `name` is
    /// made a legal identifier.
    pub fn to_c(&self, name: &str, constants: Constants<'_>) -> String {
        function(self, name, constants)
    }
}

/// The function and, if needed, the function of the factorial.
fn function(formula: &Formula, name: &str, constants: Constants<'_>) -> String {
    let mut names = Names { taken: HashSet::new() };
    let name = names.add(name);
    let factorial = names.add(&format!("{name}_factorial"));
    let coefficients: Vec<String> = (0..formula.terms().len())
        .map(|place| match constants.value(place) {
            Some((value, _)) => number(value),
            None => {
                names.add(&format!("{}_{}", formula.experiment(), formula.terms()[place].constant))
            }
        })
        .collect();
    let variables: Vec<String> =
        formula.variables().iter().map(|variable| names.add(&variable.name)).collect();

    let mut parameters: Vec<(&str, &str)> = Vec::new();
    if constants == Constants::Names {
        parameters.extend(
            coefficients
                .iter()
                .zip(formula.terms())
                .map(|(c, term)| (c.as_str(), term.constant_name())),
        );
    }
    parameters.extend(
        variables
            .iter()
            .zip(formula.variables())
            .map(|(c, variable)| (c.as_str(), variable.name.as_str())),
    );

    let printer = Printer { variables: &variables, factorial: &factorial };
    let mut sum = String::new();
    let mut uses_factorial = false;
    for (place, (term, coefficient)) in formula.terms().iter().zip(&coefficients).enumerate() {
        sum.push_str(if place == 0 { "" } else { "\n         + " });
        sum.push_str(coefficient);
        if term.expression != Expression::Number(1.0) {
            sum.push('*');
            printer.write(&mut sum, &term.expression, Binding::Atom);
        }
        uses_factorial |= calls_factorial(&term.expression);
    }

    let mut out = String::from("#include <math.h>\n\n");
    if uses_factorial {
        let _ = write!(
            out,
            "static double {factorial}(double n)\n{{\n    double product = 1, i;\n\n    \
             if (!(n >= 0 && n == floor(n)))\n        return NAN;\n    \
             if (n > 170)\n        return INFINITY;\n    \
             for (i = 1; i <= n; i++)\n        product *= i;\n    return product;\n}}\n\n"
        );
    }
    let _ = writeln!(out, "/* {}: {}", comment(formula.experiment()), comment(formula.text()));
    for (parameter, meaning) in &parameters {
        if parameter != meaning {
            let _ = writeln!(out, "   {parameter}: {}", comment(meaning));
        }
    }
    out.push_str("*/\n");
    let list: Vec<String> =
        parameters.iter().map(|(parameter, _)| format!("double {parameter}")).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let _ = write!(out, "double {name}({list})\n{{\n    return {sum};\n}}\n");
    out
}

/// Text that cannot end the comment that contains it.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

fn calls_factorial(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) | Expression::Variable(_) => false,
        Expression::Negated(a) => calls_factorial(a),
        Expression::Sum(parts) | Expression::Product(parts) => {
            parts.iter().any(|(_, part)| calls_factorial(part))
        }
        Expression::Remainder(a, b) | Expression::Power(a, b) => {
            calls_factorial(a) || calls_factorial(b)
        }
        Expression::Call(function, arguments) => {
            *function == Function::Factorial || arguments.iter().any(calls_factorial)
        }
    }
}

/// A double's literal.
fn number(value: f64) -> String {
    if value.is_nan() {
        "NAN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "INFINITY" } else { "(-INFINITY)" }.to_owned()
    } else if value.is_sign_negative() {
        format!("({value:?})")
    } else {
        format!("{value:?}")
    }
}

/// Makes identifiers that differ from each other.
struct Names {
    taken: HashSet<String>,
}

impl Names {
    fn add(&mut self, wanted: &str) -> String {
        let mut name = String::new();
        for piece in wanted
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|piece| !piece.is_empty())
        {
            if !name.is_empty() {
                name.push('_');
            }
            name.push_str(piece);
        }
        // Leading underscores and digits, and names reserved by <math.h> and compilers.
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || name.starts_with("M_")
            || name.starts_with("FP_")
            || name.starts_with("HUGE_")
        {
            name.insert_str(0, "v_");
        }
        let refused = |name: &str| RESERVED.contains(&name) || CALLED.contains(&name);
        if refused(&name) {
            name.push('_');
        }
        let stem = name.clone();
        for count in 2.. {
            if self.taken.insert(name.clone()) {
                break;
            }
            name = format!("{stem}_{count}");
        }
        name
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Sign,
    Atom,
}

struct Printer<'a> {
    variables: &'a [String],
    factorial: &'a str,
}

impl Printer<'_> {
    fn write(&self, out: &mut String, expression: &Expression, least: Binding) {
        let binding = match expression {
            Expression::Negated(_) => Binding::Sign,
            Expression::Sum(_) => Binding::Sum,
            Expression::Product(_) => Binding::Product,
            _ => Binding::Atom,
        };
        let open = binding < least;
        if open {
            out.push('(');
        }
        match expression {
            Expression::Number(value) => out.push_str(&number(*value)),
            Expression::Variable(index) => out.push_str(&self.variables[*index]),
            Expression::Negated(inner) => {
                out.push('-');
                self.write(out, inner, Binding::Atom);
            }
            Expression::Sum(parts) => self.chain(out, parts, [" + ", " - "], Binding::Product),
            Expression::Product(parts) => self.chain(out, parts, ["*", "/"], Binding::Sign),
            Expression::Remainder(a, b) => self.call(out, "fmod", [&**a, b]),
            Expression::Power(a, b) => self.call(out, "pow", [&**a, b]),
            Expression::Call(function, arguments) => {
                let name = match function {
                    Function::Abs => "fabs",
                    Function::Min => "fmin",
                    Function::Max => "fmax",
                    Function::Factorial => self.factorial,
                    other => other.name(),
                };
                self.call(out, name, arguments);
            }
        }
        if open {
            out.push(')');
        }
    }

    fn chain(
        &self,
        out: &mut String,
        parts: &[(bool, Expression)],
        operators: [&str; 2],
        least: Binding,
    ) {
        for (place, (inverse, part)) in parts.iter().enumerate() {
            if place > 0 {
                out.push_str(operators[usize::from(*inverse)]);
            }
            self.write(out, part, least);
        }
    }

    fn call<'e>(
        &self,
        out: &mut String,
        name: &str,
        arguments: impl IntoIterator<Item = &'e Expression>,
    ) {
        out.push_str(name);
        out.push('(');
        for (place, argument) in arguments.into_iter().enumerate() {
            if place > 0 {
                out.push_str(", ");
            }
            self.write(out, argument, Binding::Sum);
        }
        out.push(')');
    }
}
