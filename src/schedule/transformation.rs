//! What was done to loops, as data that is told in words.
//!
//! For the product of two matrices on several cores:
//!
//! ```text
//! {S, T}: loops i, j, k tiled 32x256x64; i on all cores; j in vectors; 4x4 in registers
//! ```
//!
//! Who tells it to other programs gives the words names ([`Word`]): `Loops` are `i, j, k`, `Tiles` are `32x256x64`.

use std::fmt;

/// A part of a sentence. Those that other programs may look for have a name, the rest is [`PLAIN`].
pub type Word = (&'static str, String);

/// The name of words that only join others.
pub const PLAIN: &str = "String";

/// One thing that was done to get a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transformation {
    /// The loops of a band.
    Loops(Arranged),
    /// Statements are split into parts, in words.
    Split(String),
    /// The program's own order, its outermost loops without dependences on all cores.
    InOrder,
    /// That order but for these parallel loops, which are in front of loops that run in order.
    Outward(Vec<String>),
    /// The program's own loops, which LLVM makes vectors of now that their exits were found first.
    AsCounted,
    /// The same now that what they read again is read before them.
    ReadBefore,
    /// The program's own loops run, whose borders are apart.
    WithoutBorders,
    /// Iterations whose numbers are of other pieces than elsewhere are in loops of their own.
    BordersApart,
    /// A line of a script.
    Scripted(String),
    /// What the user gives for it, by its place.
    Given(String),
}

/// The loops of a band as they were arranged. Loops are named by what they count, `i` or `k + i`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arranged {
    /// The names of the statements in them.
    pub statements: Vec<String>,
    /// As they were found, outermost first.
    pub loops: Vec<String>,
    pub shape: Shape,
    /// Bytes that a tile touches, about.
    pub tile_bytes: Option<i128>,
    /// Iterations that are written out and keep what they share in registers, along each loop that is blocked.
    pub registers: Vec<i64>,
    /// The loop that cores share.
    pub parallel: Option<String>,
    /// The innermost loop, for the vector unit.
    pub vector: Option<String>,
    /// The statements that are more than their iterations in vectors.
    pub in_vectors: Vec<(String, InVectors)>,
}

/// How a statement runs in vectors, if its iterations depend on each other or run loops of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InVectors {
    /// Vectors only tell whether there is anything to do, which is done one by one.
    Asked,
    /// What a condition lets through is put together, and stored at places that are counted.
    Packed,
    /// Data ends what each lane does.
    SideBySide,
}

/// How the iterations of a band are grouped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One by one.
    #[default]
    Points,
    /// In tiles with these sides.
    Tiles(Vec<i64>),
    /// In such tiles, those of one diagonal on all cores.
    Wavefront(Vec<i64>),
    /// In steps of so many iterations of its second loop, which all cores take with a piece of the first one each.
    Pipeline(i64),
    /// In diamonds over time with these sides, those of one wave on all cores.
    Diamonds(Vec<i64>),
    /// In strips of so many iterations of one loop.
    Strips(i64),
    /// So many values of a loop written out in another one that runs in order.
    WrittenOut(i64, String),
}

impl Transformation {
    /// What was done as a sentence in words; whoever tells of several things names the statements before.
    pub fn words(&self) -> Vec<Word> {
        match self {
            Transformation::Loops(arranged) => arranged.words(),
            Transformation::Split(text) | Transformation::Scripted(text) => vec![("Transformation", text.clone())],
            Transformation::Given(place) => vec![("Transformation", format!("as {place} says"))],
            Transformation::AsCounted | Transformation::ReadBefore | Transformation::WithoutBorders => {
                vec![("Transformation", "the loop as it is, which LLVM puts into vectors".into())]
            }
            Transformation::BordersApart => vec![("Transformation", "borders apart".into())],
            Transformation::InOrder => {
                let text = "in the program's order, outermost loops without dependences on all cores";
                vec![("Transformation", text.into())]
            }
            Transformation::Outward(loops) => {
                let moved = if loops.len() == 1 {
                    "in the program's order but for loop "
                } else {
                    "in the program's order but for loops "
                };
                let names = loops.join(", ");
                vec![
                    ("Transformation", moved.into()),
                    ("Loops", names.clone()),
                    plain(" moved outward; "),
                    ("Parallel", names),
                    plain(" on all cores"),
                ]
            }
        }
    }

    /// What kinds of transformations it is, by their usual names.
    pub fn kinds(&self) -> Vec<&'static str> {
        let Transformation::Loops(Arranged { shape, registers, parallel, vector, .. }) = self else {
            return match self {
                Transformation::Split(_) => vec!["split"],
                Transformation::AsCounted => vec!["find exit"],
                Transformation::ReadBefore => vec!["hoist"],
                Transformation::BordersApart => vec!["split"],
                Transformation::InOrder => vec!["parallelize"],
                Transformation::Outward(_) => vec!["interchange", "parallelize"],
                _ => Vec::new(),
            };
        };
        let shape = match shape {
            Shape::Points => None,
            Shape::Tiles(_) => Some("tile"),
            Shape::Wavefront(_) => Some("tile as wavefront"),
            Shape::Pipeline(_) => Some("pipeline"),
            Shape::Diamonds(_) => Some("tile as diamonds"),
            Shape::Strips(_) => Some("strip-mine"),
            Shape::WrittenOut(..) => Some("unroll and jam"),
        };
        let others = [
            (parallel.is_some(), "parallelize"),
            (vector.is_some(), "vectorize"),
            (!registers.is_empty(), "block for registers"),
        ];
        shape.into_iter().chain(others.into_iter().filter_map(|(is_so, kind)| is_so.then_some(kind))).collect()
    }

    /// Whether loops run one iteration after the other, on one core and without vectors: where other things were done, this is nothing to tell.
    pub fn is_plain(&self) -> bool {
        matches!(self, Transformation::Loops(_)) && self.kinds().is_empty()
    }

    /// The names of the statements that it is about, if it is not about all.
    pub fn statements(&self) -> &[String] {
        match self {
            Transformation::Loops(arranged) => &arranged.statements,
            _ => &[],
        }
    }
}

impl Arranged {
    /// Loops of this shape, of which nothing else is known.
    pub fn of(shape: Shape) -> Arranged {
        Arranged { shape, ..Arranged::default() }
    }

    fn words(&self) -> Vec<Word> {
        let said = if self.loops.len() == 1 { "loop " } else { "loops " };
        let mut words = vec![plain(said), ("Loops", self.loops.join(", "))];
        let mut say = |before: &str, word: Word, after: &str| {
            words.extend([plain(before), word, plain(after)].into_iter().filter(|(_, text)| !text.is_empty()));
        };
        match &self.shape {
            Shape::Points => {}
            Shape::Tiles(sides) => say(" tiled ", ("Tiles", by(sides)), ""),
            Shape::Wavefront(sides) => {
                say(" tiled ", ("Tiles", by(sides)), "");
                say("; ", ("Parallel", "tiles of a diagonal".into()), " on all cores");
            }
            Shape::Diamonds(sides) => {
                say(" in diamonds of ", ("Diamonds", by(sides)), "");
                say("; ", ("Parallel", "each wave of them".into()), " on all cores");
            }
            Shape::Pipeline(step) => {
                let (shared, other) = (self.loops[0].clone(), &self.loops[1]);
                say("; ", ("Parallel", shared), " on all cores as a pipeline, in steps of ");
                say("", ("Pipeline", step.to_string()), &format!(" of {other}"));
            }
            Shape::Strips(size) => say(" in strips of ", ("Strips", size.to_string()), ""),
            Shape::WrittenOut(factor, inner) => {
                say("; ", ("WrittenOut", factor.to_string()), &format!(" values of {inner} written out"));
            }
        }
        let is_told = matches!(self.shape, Shape::Wavefront(_) | Shape::Diamonds(_) | Shape::Pipeline(_));
        if let Some(parallel) = self.parallel.as_ref().filter(|_| !is_told) {
            say("; ", ("Parallel", parallel.clone()), " on all cores");
        }
        if let Some(vector) = &self.vector {
            say("; ", ("Vector", vector.clone()), " in vectors");
            for (name, manner, how) in [
                ("Asked", InVectors::Asked, "until the best so far is replaced"),
                ("Packed", InVectors::Packed, "packed"),
                ("SideBySide", InVectors::SideBySide, "until data ends each lane"),
            ] {
                let own = self.in_vectors.iter().filter(|(_, own)| *own == manner);
                let own: Vec<&str> = own.map(|(name, _)| name.as_str()).collect();
                let is_all = own.len() == self.statements.len() || manner == InVectors::SideBySide;
                let who = if is_all { String::new() } else { own.join(", ") + " " };
                if !own.is_empty() {
                    say(", ", (name, who), how);
                }
            }
        }
        if !self.registers.is_empty() {
            say("; ", ("Registers", by(&self.registers)), " in registers");
        }
        words
    }
}

fn plain(text: &str) -> Word {
    (PLAIN, text.into())
}

fn by(sides: &[i64]) -> String {
    sides.iter().map(i64::to_string).collect::<Vec<_>>().join("x")
}

impl fmt::Display for Transformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.statements().is_empty() {
            write!(f, "{{{}}}: ", self.statements().join(", "))?;
        }
        self.words().iter().try_for_each(|(_, text)| f.write_str(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_told_with_names() {
        let arranged = Arranged {
            statements: vec!["S".into(), "T".into()],
            loops: vec!["i".into(), "j".into(), "k".into()],
            shape: Shape::Tiles(vec![32, 256, 64]),
            tile_bytes: None,
            registers: vec![4, 4],
            parallel: Some("i".into()),
            vector: Some("j".into()),
            in_vectors: Vec::new(),
        };
        let asked = Arranged { in_vectors: vec![("T".into(), InVectors::Asked)], ..arranged.clone() };
        let told = Transformation::Loops(asked).to_string();
        assert!(told.contains("; j in vectors, T until the best so far is replaced; 4x4"), "{told}");
        let in_vectors = ["S", "T"].map(|name| (name.into(), InVectors::Packed)).to_vec();
        let packed = Arranged { in_vectors, ..arranged.clone() };
        let told = Transformation::Loops(packed).to_string();
        assert!(told.contains("; j in vectors, packed; 4x4"), "{told}");
        let lanes = Arranged { in_vectors: vec![("T".into(), InVectors::SideBySide)], ..arranged.clone() };
        let told = Transformation::Loops(lanes).to_string();
        assert!(told.contains("; j in vectors, until data ends each lane; 4x4"), "{told}");
        let done = Transformation::Loops(arranged);
        let expected = "{S, T}: loops i, j, k tiled 32x256x64; i on all cores; j in vectors; 4x4 in registers";
        assert_eq!(done.to_string(), expected);
        assert_eq!(done.kinds(), ["tile", "parallelize", "vectorize", "block for registers"]);
        let named: Vec<Word> = done.words().into_iter().filter(|(name, _)| *name != PLAIN).collect();
        let expected =
            [("Loops", "i, j, k"), ("Tiles", "32x256x64"), ("Parallel", "i"), ("Vector", "j"), ("Registers", "4x4")];
        assert_eq!(named, expected.map(|(name, text)| (name, text.to_string())));
        assert!(!done.is_plain() && !Transformation::InOrder.is_plain());
        let plain = Transformation::Loops(Arranged { loops: vec!["k".into()], ..Arranged::default() });
        assert_eq!((plain.is_plain(), plain.to_string()), (true, "loop k".to_string()));
    }
}
