//! The program's arguments with placeholders that differ between launches: `{NAME}` for the value of a variable,
//! `{P}` for the number of processors, `{P:3d}` for a grid of them.

use std::fmt;

use cll_diagnostic::suggestion;

use crate::factors::balanced;
use crate::names::is_name;
use crate::range::argument;

/// The placeholder of the number of processors.
const PROCESSORS: &str = "P";
/// The names of the directions of a grid.
const DIRECTIONS: [char; 4] = ['i', 'j', 'k', 'l'];

/// Arguments with placeholders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    arguments: Vec<Argument>,
    /// The first placeholder that needs the number of processors.
    processors: Option<TemplateError>,
}

/// Why arguments cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Index of the argument, and of the character in it, from 0.
    pub place: Option<(usize, usize)>,
    /// The error.
    pub text: String,
    /// The advice for the user.
    pub help: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Argument {
    /// The parts, which are concatenated.
    One(Vec<ArgumentPiece>),
    /// All factors of the number of processors, each as a separate argument.
    Grid(usize),
}

#[derive(Clone, Debug, PartialEq)]
enum ArgumentPiece {
    Text(String),
    /// Index among the variables.
    Value(usize),
    Processors,
    /// One factor of the number of processors.
    Factor {
        dimensions: usize,
        direction: usize,
    },
}

impl Template {
    /// Parses arguments: `{NAME}` is a variable's value, `{P}` the number of processors, `{P:2d}` to `{P:4d}` its
    /// factors as separate arguments, `{P:3d:i}` one of them; `{{` is `{`. Other braces are ordinary characters.
    ///
    /// # Errors
    /// If a variable is not used, or a placeholder is unknown.
    pub fn parse(arguments: &[String], variables: &[&str]) -> Result<Template, TemplateError> {
        let mut template = Template { arguments: Vec::new(), processors: None };
        for (index, argument) in arguments.iter().enumerate() {
            let mut reader =
                ArgumentReader { argument, index, position: 0, variables, template: &mut template };
            let read = reader.read()?;
            template.arguments.push(read);
        }
        let parts = |argument: &Argument| match argument {
            Argument::One(parts) => parts.clone(),
            Argument::Grid(_) => Vec::new(),
        };
        let used: Vec<ArgumentPiece> = template.arguments.iter().flat_map(parts).collect();
        match variables
            .iter()
            .enumerate()
            .find(|(index, _)| !used.contains(&ArgumentPiece::Value(*index)))
        {
            Some((_, name)) => Err(TemplateError {
                place: None,
                text: format!(
                    "{name} has values, but {{{name}}} is not in the program's arguments"
                ),
                help: None,
            }),
            None => Ok(template),
        }
    }

    /// Checks that the number of processors is known if an argument needs it, and that P has one meaning.
    ///
    /// # Errors
    /// If not.
    pub fn check_processors(
        &self,
        variables: &[&str],
        is_known: bool,
    ) -> Result<(), TemplateError> {
        if is_known && variables.contains(&PROCESSORS) {
            return Err(TemplateError {
                place: None,
                text: "P is the number of processors and cannot be a variable, too".to_owned(),
                help: Some(
                    "numbers of processors are given by -n (in a plan: processors), and {P} stands \
                     for them; a variable that is none of these needs another name"
                        .to_owned(),
                ),
            });
        }
        match &self.processors {
            Some(needed) if !is_known => Err(needed.clone()),
            _ => Ok(()),
        }
    }

    /// The arguments for these values of the variables and this number of processors.
    pub fn fill(&self, values: &[f64], processors: Option<u32>) -> Vec<String> {
        let count = processors.unwrap_or(1).max(1);
        let text = |part: &ArgumentPiece| match part {
            ArgumentPiece::Text(text) => text.clone(),
            ArgumentPiece::Value(index) => argument(values[*index]),
            ArgumentPiece::Processors => count.to_string(),
            ArgumentPiece::Factor { dimensions, direction } => {
                balanced(count, *dimensions)[*direction].to_string()
            }
        };
        let words = |template_argument: &Argument| match template_argument {
            Argument::One(parts) => vec![parts.iter().map(text).collect::<String>()],
            Argument::Grid(dimensions) => {
                balanced(count, *dimensions).iter().map(u32::to_string).collect()
            }
        };
        self.arguments.iter().flat_map(words).collect()
    }
}

/// The names in `{NAME}` of arguments, each once in their order, but for that of the number of processors.
pub fn placeholders(arguments: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for argument in arguments {
        let mut rest = argument.as_str();
        while let Some(open) = rest.find('{') {
            let after = &rest[open + 1..];
            // Two braces stand for one.
            if let Some(behind) = after.strip_prefix('{') {
                rest = behind;
                continue;
            }
            rest = after;
            let Some((name, _)) = after.split_once('}') else { break };
            if is_name(name) && name != PROCESSORS && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

impl Template {
    /// The values of so many variables with which the template gives these arguments; `None`: with none.
    pub fn values(
        &self,
        arguments: &[String],
        processors: u32,
        variables: usize,
    ) -> Option<Vec<f64>> {
        let mut values = vec![None; variables];
        let mut rest = arguments;
        for argument in &self.arguments {
            match argument {
                Argument::One(parts) => {
                    let (first, behind) = rest.split_first()?;
                    values = matched(parts, first, processors, &values)?;
                    rest = behind;
                }
                Argument::Grid(dimensions) => {
                    let factors = balanced(processors, *dimensions);
                    let (words, behind) = rest.split_at_checked(factors.len())?;
                    if !words.iter().zip(&factors).all(|(word, factor)| *word == factor.to_string())
                    {
                        return None;
                    }
                    rest = behind;
                }
            }
        }
        if rest.is_empty() { values.into_iter().collect() } else { None }
    }
}

/// The values with which the parts are a text, if those in `known` are as they are.
fn matched(
    parts: &[ArgumentPiece],
    text: &str,
    processors: u32,
    known: &[Option<f64>],
) -> Option<Vec<Option<f64>>> {
    let Some((part, behind)) = parts.split_first() else {
        return text.is_empty().then(|| known.to_vec());
    };
    let literal = |own: &str| {
        let rest = text.strip_prefix(own)?;
        matched(behind, rest, processors, known)
    };
    match part {
        ArgumentPiece::Text(own) => literal(own),
        ArgumentPiece::Processors => literal(&processors.to_string()),
        ArgumentPiece::Factor { dimensions, direction } => {
            literal(&balanced(processors, *dimensions)[*direction].to_string())
        }
        ArgumentPiece::Value(index) => {
            // The longest number first: `{n}x` of `10x` is no 1.
            let ends = text.char_indices().map(|(position, c)| position + c.len_utf8()).rev();
            let mut numbers = ends.filter_map(|end| {
                let value = text[..end].parse::<f64>().ok().filter(|value| value.is_finite())?;
                Some((end, value))
            });
            numbers.find_map(|(end, value)| {
                if known[*index].is_some_and(|other| other != value) {
                    return None;
                }
                let mut with = known.to_vec();
                with[*index] = Some(value);
                matched(behind, &text[end..], processors, &with)
            })
        }
    }
}

/// Reads one argument.
struct ArgumentReader<'a> {
    argument: &'a str,
    /// The index of the argument.
    index: usize,
    /// Byte position of the parser.
    position: usize,
    variables: &'a [&'a str],
    template: &'a mut Template,
}

impl ArgumentReader<'_> {
    fn read(&mut self) -> Result<Argument, TemplateError> {
        let mut parts = Vec::new();
        let mut text = String::new();
        while let Some(open) = self.argument[self.position..].find('{') {
            text.push_str(&self.argument[self.position..self.position + open]);
            self.position += open;
            let after = &self.argument[self.position + 1..];
            if after.starts_with('{') {
                text.push('{');
                self.position += 2;
                continue;
            }
            let (inside, length) = match after.split_once('}') {
                Some((inside, _)) => (inside, inside.len() + 2),
                // Other braces without a closing one are ordinary characters.
                None if after.starts_with("P:") && !self.variables.contains(&PROCESSORS) => {
                    return Err(self.wrong(format!("`{{{after}` has no `}}`"), grids()));
                }
                None => ("", 0),
            };
            let (name, grid) = match inside.split_once(':') {
                Some((name, grid)) => (name, Some(grid)),
                None => (inside, None),
            };
            let part = match grid {
                _ if !is_name(name) => None,
                None => Some(self.value(name)?),
                Some(grid) if name == PROCESSORS || self.variables.contains(&name) => {
                    let is_alone = self.position == 0 && length == self.argument.len();
                    match self.grid(name, grid, is_alone)? {
                        Argument::One(mut parts) => parts.pop(),
                        all @ Argument::Grid(_) => return Ok(all),
                    }
                }
                Some(_) => None,
            };
            match part {
                None => {
                    text.push('{');
                    self.position += 1;
                }
                Some(part) => {
                    if !text.is_empty() {
                        parts.push(ArgumentPiece::Text(std::mem::take(&mut text)));
                    }
                    parts.push(part);
                    self.position += length;
                }
            }
        }
        text.push_str(&self.argument[self.position..]);
        if !text.is_empty() || parts.is_empty() {
            parts.push(ArgumentPiece::Text(text));
        }
        Ok(Argument::One(parts))
    }

    /// `{NAME}`.
    fn value(&mut self, name: &str) -> Result<ArgumentPiece, TemplateError> {
        if let Some(index) = self.variables.iter().position(|known| *known == name) {
            return Ok(ArgumentPiece::Value(index));
        }
        if name == PROCESSORS {
            self.needs_processors("{P}");
            return Ok(ArgumentPiece::Processors);
        }
        Err(self.wrong(
            format!(
                "{{{name}}} is not a variable with values: {}",
                suggestion(name, self.variables)
            ),
            "{P} is the number of processors; {{ is a brace".to_owned(),
        ))
    }

    /// `{P:3d}`, `{P:3d:i}`; `is_alone`: there is nothing else in the argument.
    fn grid(&mut self, name: &str, text: &str, is_alone: bool) -> Result<Argument, TemplateError> {
        let shown = format!("{{{name}:{text}}}");
        if self.variables.contains(&name) {
            return Err(self.wrong(
                format!(
                    "`{shown}`: {name} is a variable, and only numbers of processors make grids"
                ),
                grids(),
            ));
        }
        let (size, direction) = match text.split_once(':') {
            Some((size, direction)) => (size, Some(direction)),
            None => (text, None),
        };
        let dimensions = size.strip_suffix('d').and_then(|digits| digits.parse::<usize>().ok());
        let Some(dimensions) = dimensions.filter(|count| (2..=DIRECTIONS.len()).contains(count))
        else {
            return Err(self.wrong(format!("`{shown}`: `{size}` is not a grid"), grids()));
        };
        let known = &DIRECTIONS[..dimensions];
        match direction {
            Some(direction) => {
                let number = known.iter().position(|letter| direction == letter.to_string());
                let Some(direction) = number else {
                    let letters: Vec<String> = known.iter().map(char::to_string).collect();
                    return Err(self.wrong(
                        format!("`{shown}`: a grid of {dimensions} has no `{direction}`"),
                        format!("its directions are {}", letters.join(", ")),
                    ));
                };
                self.needs_processors(&shown);
                Ok(Argument::One(vec![ArgumentPiece::Factor { dimensions, direction }]))
            }
            None if is_alone => {
                self.needs_processors(&shown);
                Ok(Argument::Grid(dimensions))
            }
            None => {
                let each: Vec<String> =
                    known.iter().map(|letter| format!("{{P:{dimensions}d:{letter}}}")).collect();
                Err(self.wrong(
                    format!(
                        "`{shown}` makes {dimensions} arguments, so there must be nothing else in its \
                         own"
                    ),
                    format!("separately they are {}", each.join(", ")),
                ))
            }
        }
    }

    fn needs_processors(&mut self, shown: &str) {
        if self.template.processors.is_none() {
            let text = format!("`{shown}` needs a number of processors, and there is none");
            let help =
                "-n 1,2,4 (in a plan: processors) gives numbers of processors; {{ is a brace"
                    .to_owned();
            self.template.processors = Some(self.wrong(text, help));
        }
    }

    fn wrong(&self, text: String, help: String) -> TemplateError {
        let character = self.argument[..self.position].chars().count();
        TemplateError { place: Some((self.index, character)), text, help: Some(help) }
    }
}

/// The placeholders of grids, for messages.
fn grids() -> String {
    "{P:2d}, {P:3d} and {P:4d} are the factors of P as separate arguments, {P:3d:i} is one of \
     them; {{ stands for a brace"
        .to_owned()
}

impl fmt::Display for TemplateError {
    /// With the place, counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((argument, character)) = self.place {
            write!(f, "argument {}, character {}: ", argument + 1, character + 1)?;
        }
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(arguments: &[&str], variables: &[&str]) -> Result<Template, TemplateError> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        Template::parse(&arguments, variables)
    }

    fn filled(arguments: &[&str], variables: &[&str], values: &[f64]) -> Result<String, String> {
        let template = template(arguments, variables).map_err(|error| error.to_string())?;
        Ok(template.fill(values, None).join("|"))
    }

    #[test]
    fn values_take_their_places() {
        assert_eq!(filled(&["-n", "{N}x{M}", ""], &["N", "M"], &[5.0, 2.5]).unwrap(), "-n|5x2.5|");
        assert_eq!(filled(&["{{N}", "{}", "{1}", "{N}"], &["N"], &[1.0]).unwrap(), "{N}|{}|{1}|1");
    }

    #[test]
    fn the_values_of_given_arguments_are_found() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let values_of = |pattern: &str, given: &str| {
            let names = placeholders(&words(pattern));
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let template = Template::parse(&words(pattern), &names).unwrap();
            template.values(&words(given), 12, names.len())
        };
        assert_eq!(placeholders(&words("{n}x{m} {P} {{k} {} {n}")), ["n", "m"]);
        for (pattern, given, values) in [
            ("{n} 50", "200 50", Some(vec![200.0])),
            ("{n} 50", "200 51", None),
            ("{n}", "200 50", None),
            ("{n} x", "200", None),
            ("--size={n}x{m}.dat", "--size=10x2.5e3.dat", Some(vec![10.0, 2500.0])),
            ("{n} {n}", "7 7.0", Some(vec![7.0])),
            ("{n} {n}", "7 8", None),
            ("{n}-{P} {P:2d}", "-5-12 4 3", Some(vec![-5.0])),
            ("{n}-{P}", "5-13", None),
            ("a{{{n}", "a{6", Some(vec![6.0])),
            ("é{n}é", "é6é", Some(vec![6.0])),
            ("{n}", "inf", None),
        ] {
            assert_eq!(values_of(pattern, given), values, "{pattern} {given}");
        }
    }

    #[test]
    fn what_is_unknown_or_unused_is_reported() {
        assert!(filled(&["{M}"], &["N"], &[1.0]).unwrap_err().contains("did you mean N"));
        assert!(filled(&["5"], &["N"], &[1.0]).unwrap_err().contains("is not in"));
        assert!(filled(&["{N}"], &[], &[]).unwrap_err().contains("there is none"));
    }

    #[test]
    fn processors_and_their_factors_take_their_places() {
        for (arguments, wanted) in [
            (&["-p", "{P}"][..], "-p|16"),
            (&["-d", "{P:3d}", "x"], "-d|4|2|2|x"),
            (&["-i{P:3d:i}", "-j{P:3d:j}", "-k{P:3d:k}"], "-i4|-j2|-k2"),
            (&["{P:2d:i}x{P:2d:j}"], "4x4"),
            (&["{P:4d}"], "2|2|2|2"),
            (&["{{P:3d}", "{{P}", "{x:3d}", "{P", "{}"], "{P:3d}|{P}|{x:3d}|{P|{}"),
        ] {
            let template = template(arguments, &[]).unwrap();
            assert_eq!(template.fill(&[], Some(16)).join("|"), wanted);
            assert_eq!(template.check_processors(&[], true), Ok(()));
        }
    }

    #[test]
    fn what_is_wrong_with_a_grid_is_reported_with_its_place() {
        for (argument, variables, part) in [
            ("-d{P:3}", &[][..], "argument 2, character 3: `{P:3}`: `3` is not a grid"),
            ("{P:9d}", &[], "character 1: `{P:9d}`: `9d` is not a grid"),
            ("{P:1d}", &[], "is not a grid"),
            ("{P:}", &[], "is not a grid"),
            ("é{P:2d:k}", &[], "argument 2, character 2: `{P:2d:k}`: a grid of 2 has no `k`"),
            ("{P:3d:}", &[], "has no ``"),
            ("-d={P:3d}", &[], "makes 3 arguments"),
            ("{P:3d}{P:3d}", &[], "makes 3 arguments"),
            ("{P:3d", &[], "has no `}`"),
            ("{N:3d}", &["N"], "N is a variable"),
            ("{P:3d}", &["P"], "P is a variable"),
        ] {
            let error = template(&["x", argument], variables).unwrap_err().to_string();
            assert!(error.contains(part), "{argument}: {error}");
        }
    }

    #[test]
    fn the_number_of_processors_must_be_known_and_mean_one_thing() {
        let needs = template(&["x", "a{P}"], &[]).unwrap();
        let error = needs.check_processors(&[], false).unwrap_err();
        assert_eq!(error.place, Some((1, 1)));
        // A variable of that name belongs to the program.
        let own = template(&["{P}"], &["P"]).unwrap();
        assert_eq!(own.check_processors(&["P"], false), Ok(()));
        assert_eq!(own.fill(&[3.0], None), ["3"]);
        assert!(own.check_processors(&["P"], true).unwrap_err().text.contains("cannot be"));
    }
}
