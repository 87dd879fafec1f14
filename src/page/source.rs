//! Text of programs with its words coloured, line by line, each with the statements that stand in it.
//!
//! The grammars are those of the crate `syntect`; what it finds becomes one of a few classes, whose colours the page's style says for light and dark.

use std::fmt::Write;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// Longer lines are shown without colours.
const LONGEST: usize = 1000;

/// Prefixes of scopes, and what the page's style calls their words.
const CLASSES: [(&str, &str); 9] = [
    ("comment", "hc"),
    ("string", "hs"),
    ("constant", "hn"),
    ("keyword.operator", ""),
    ("keyword", "hk"),
    ("storage", "hk"),
    ("entity.name.function", "hf"),
    ("variable.function", "hf"),
    ("support.type", "hk"),
];

/// Colours texts.
pub struct Painter {
    grammars: SyntaxSet,
    classes: Vec<(Scope, &'static str)>,
}

/// A line for the page.
pub struct Line {
    pub number: Option<u32>,
    /// Escaped, with its words in classes.
    pub html: String,
    /// The statements in it.
    pub statements: Vec<String>,
}

impl Painter {
    pub fn new() -> Painter {
        let class = |(prefix, class): (&str, &'static str)| Some((Scope::new(prefix).ok()?, class));
        Painter {
            grammars: SyntaxSet::load_defaults_newlines(),
            classes: CLASSES.into_iter().filter_map(class).collect(),
        }
    }

    /// Loops as Loopwright writes them, in the form of C.
    pub fn loops(&self, text: &str, statements: &[String]) -> Vec<Line> {
        let text = as_c(text);
        let painted = self.painted(&text, "loops.c");
        let of = |line: &str| -> Vec<String> {
            let call = line.trim_start().split('(').next().unwrap_or_default();
            // Parts of a statement are called `S12/3`.
            let name = call.split('/').next().unwrap_or_default();
            statements.iter().filter(|statement| *statement == name).cloned().collect()
        };
        let lines = painted.into_iter().zip(text.lines());
        lines.map(|(html, line)| Line { number: None, html, statements: of(line) }).collect()
    }

    fn grammar(&self, file: &str) -> &SyntaxReference {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let found = self.grammars.find_syntax_by_extension(extension);
        found.unwrap_or_else(|| self.grammars.find_syntax_plain_text())
    }

    /// The lines of a text in colours, by the grammar of such a file.
    pub fn painted(&self, text: &str, file: &str) -> Vec<String> {
        let mut state = ParseState::new(self.grammar(file));
        let mut stack = ScopeStack::new();
        let mut painted = Vec::new();
        for line in text.lines() {
            let whole = format!("{line}\n");
            let operations = (line.len() <= LONGEST).then(|| state.parse_line(&whole, &self.grammars).ok()).flatten();
            let Some(operations) = operations else {
                painted.push(super::escaped(line));
                continue;
            };
            let mut html = String::new();
            let mut at = 0;
            for (place, operation) in operations {
                self.paint(&mut html, &whole[at..place], &stack);
                at = place;
                if stack.apply(&operation).is_err() {
                    break;
                }
            }
            self.paint(&mut html, whole[at..].trim_end_matches('\n'), &stack);
            painted.push(html);
        }
        painted
    }

    fn paint(&self, html: &mut String, word: &str, stack: &ScopeStack) {
        let word = word.trim_end_matches('\n');
        if word.is_empty() {
            return;
        }
        let class = |scope: &Scope| self.classes.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope));
        let found = stack.scopes.iter().rev().find_map(class).map_or("", |(_, class)| *class);
        let text = super::escaped(word);
        let _ = if found.is_empty() {
            html.write_str(&text)
        } else {
            write!(html, r#"<span class="{found}">{text}</span>"#)
        };
    }
}

/// The loops without what only the compiler needs: marks become comments, depths go.
fn as_c(text: &str) -> String {
    let mut out = String::new();
    // Blocks that are open; those of marks are not shown.
    let mut open: Vec<bool> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let hidden = open.iter().filter(|is_shown| !**is_shown).count();
        let indent = |level: usize| "  ".repeat(level.saturating_sub(hidden));
        if trimmed.starts_with('}') {
            let is_shown = open.pop().unwrap_or(true);
            if is_shown && !open.is_empty() {
                let _ = writeln!(out, "{}{trimmed}", indent(open.len() - 1));
            }
            if !trimmed.ends_with('{') {
                continue;
            }
            open.push(is_shown);
            continue;
        }
        let level = open.len().saturating_sub(1);
        if trimmed.ends_with('{') {
            let is_shown = !trimmed.starts_with("mark ") && !open.is_empty();
            if is_shown {
                let _ = writeln!(out, "{}{}", indent(level), loop_in_c(trimmed));
            }
            open.push(is_shown || open.is_empty());
        } else if !trimmed.is_empty() {
            let _ = writeln!(out, "{}{trimmed}", indent(level));
        }
    }
    out
}

/// `for (...) depth(0) coincident parallel {` becomes `for (...) { // on all cores`.
fn loop_in_c(line: &str) -> String {
    let Some((head, rest)) = line.split_once(" depth(") else { return line.to_string() };
    let notes = [
        (" parallel", "on all cores"),
        (" pipelined", "a pipeline: cores share the next loop"),
        ("mark(\"vector\")", "in vectors"),
        ("left early", "may be left early"),
    ];
    let notes: Vec<&str> = notes.into_iter().filter(|(word, _)| rest.contains(word)).map(|(_, note)| note).collect();
    match notes.is_empty() {
        true => format!("{head} {{"),
        false => format!("{head} {{ // {}", notes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOPS: &str = r#"[n] -> {
  for (c0 = 0; c0 <= n - 1; c0 += 1) depth(0) coincident parallel {
    mark "vector" {
      for (c1 = 0; c1 <= n - 1; c1 += 1) depth(1) coincident mark("vector") {
        S18(c0, c1);
      }
    }
    if (n >= 4) {
      S19(c0);
    }
  }
}
"#;

    #[test]
    fn loops_become_c() {
        let expected = "for (c0 = 0; c0 <= n - 1; c0 += 1) { // on all cores
  for (c1 = 0; c1 <= n - 1; c1 += 1) { // in vectors
    S18(c0, c1);
  }
  if (n >= 4) {
    S19(c0);
  }
}
";
        assert_eq!(as_c(LOOPS), expected);
    }

    #[test]
    fn lines_know_their_statements_and_are_escaped() {
        let lines = Painter::new().loops(LOOPS, &["S18".into(), "S19".into()]);
        let with: Vec<&Line> = lines.iter().filter(|line| !line.statements.is_empty()).collect();
        assert_eq!(with.iter().map(|line| line.statements[0].as_str()).collect::<Vec<_>>(), ["S18", "S19"]);
        assert!(lines[0].html.contains("&lt;=") && lines[0].html.contains(r#"<span class="hk">for</span>"#));
    }

    #[test]
    fn texts_are_coloured_by_their_grammar() {
        let text = "/* a\n b */\nint f() {\n  for (;;)\n    g();\n}\n";
        let lines = Painter::new().painted(text, "a.c");
        assert_eq!(lines.len(), 6);
        assert!(lines[1].starts_with(r#"<span class="hc"> b "#), "{}", lines[1]);
        assert_eq!(Painter::new().painted("<script>\n", "a.unknown"), ["&lt;script&gt;"]);
    }
}
