//! A grid of characters whose dots can be set one by one.

/// Dots of a braille character: two across, four down. In ASCII a character is one dot across and
/// two down.
const BRAILLE: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// Characters in rows, with dots under them.
pub(crate) struct Canvas {
    columns: usize,
    rows: usize,
    unicode: bool,
    dots: Vec<u32>,
    marks: Vec<Option<(char, usize)>>,
    /// The colour of each character's dots.
    inks: Vec<usize>,
}

/// A character of a canvas and the ink it is drawn in, 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glyph {
    pub(crate) letter: char,
    pub(crate) ink: usize,
}

impl Canvas {
    pub(crate) fn new(columns: usize, rows: usize, unicode: bool) -> Canvas {
        let size = columns * rows;
        Canvas {
            columns,
            rows,
            unicode,
            dots: vec![0; size],
            marks: vec![None; size],
            inks: vec![0; size],
        }
    }

    /// Dots across and down.
    pub(crate) fn size(&self) -> (usize, usize) {
        if self.unicode { (self.columns * 2, self.rows * 4) } else { (self.columns, self.rows * 2) }
    }

    /// Sets a dot; outside of the canvas nothing happens.
    pub(crate) fn dot(&mut self, x: usize, y: usize, ink: usize) {
        let (wide, high) = self.size();
        if x >= wide || y >= high {
            return;
        }
        let (column, row, bit) = if self.unicode {
            (x / 2, y / 4, BRAILLE[x % 2][y % 4])
        } else {
            (x, y / 2, 1 << (y % 2))
        };
        let cell = row * self.columns + column;
        self.dots[cell] |= bit;
        self.inks[cell] = ink;
    }

    /// A line from dot to dot.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: usize) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().clamp(1.0, 1e4);
        for k in 0..=steps as usize {
            let share = k as f64 / steps;
            let x = from.0 + share * (to.0 - from.0);
            let y = from.1 + share * (to.1 - from.1);
            if x >= 0.0 && y >= 0.0 {
                self.dot(x.round() as usize, y.round() as usize, ink);
            }
        }
    }

    /// Puts a character over the dots. One that is there stays unless `over`.
    pub(crate) fn mark(&mut self, x: usize, y: usize, letter: char, ink: usize, over: bool) {
        let (across, down) = if self.unicode { (2, 4) } else { (1, 2) };
        let (column, row) = (x / across, y / down);
        if column < self.columns && row < self.rows {
            let place = &mut self.marks[row * self.columns + column];
            if over || place.is_none() {
                *place = Some((letter, ink));
            }
        }
    }

    /// Puts a character into every row of a dot's column that is still empty.
    pub(crate) fn column(&mut self, x: usize, letter: char) {
        let across = if self.unicode { 2 } else { 1 };
        let column = x / across;
        for row in 0..self.rows {
            let cell = row * self.columns + column;
            if column < self.columns && self.dots[cell] == 0 && self.marks[cell].is_none() {
                self.marks[cell] = Some((letter, 0));
            }
        }
    }

    /// The characters, row by row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Vec<Glyph>> {
        (0..self.rows).map(|row| (0..self.columns).map(|column| self.glyph(row, column)).collect())
    }

    fn glyph(&self, row: usize, column: usize) -> Glyph {
        let cell = row * self.columns + column;
        if let Some((letter, ink)) = self.marks[cell] {
            return Glyph { letter, ink };
        }
        let letter = match (self.dots[cell], self.unicode) {
            (0, _) => ' ',
            (bits, true) => char::from_u32(0x2800 + bits).unwrap_or(' '),
            (1, false) => '\'',
            (2, false) => '.',
            (_, false) => ':',
        };
        Glyph { letter, ink: self.inks[cell] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(canvas: &Canvas) -> Vec<String> {
        canvas.rows().map(|row| row.iter().map(|s| s.letter).collect()).collect()
    }

    #[test]
    fn a_line_in_braille_and_in_ascii() {
        let mut canvas = Canvas::new(4, 2, true);
        canvas.line((0.0, 7.0), (7.0, 0.0), 0);
        assert_eq!(text(&canvas), ["⠀⠀⡠⠊".replace('⠀', " "), "⡠⠊  ".to_owned()]);
        let mut canvas = Canvas::new(4, 2, false);
        canvas.line((0.0, 3.0), (3.0, 0.0), 0);
        assert_eq!(text(&canvas), ["  .'", ".'  "]);
    }

    #[test]
    fn marks_stand_over_dots_and_nothing_leaves_the_canvas() {
        let mut canvas = Canvas::new(2, 1, true);
        canvas.dot(100, 100, 0);
        canvas.line((-5.0, -5.0), (50.0, 50.0), 0);
        canvas.mark(0, 0, 'o', 1, false);
        canvas.mark(0, 0, 'x', 1, false);
        canvas.mark(99, 0, 'x', 1, true);
        canvas.column(3, '|');
        assert_eq!(canvas.rows().next().map(|r| r[0].letter), Some('o'));
    }
}
