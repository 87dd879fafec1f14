//! What a command does with each model of a file: the text form may hold several, as `print<loopwright-scops>` writes them.
//!
//! ```text
//! $ loopwright deps kernels.scop
//! # kernel_gemm
//! flow: ..
//!
//! # fill
//! output: ..
//! ```
//!
//! For a file with one model there are no such headers; with `--json` several answers are the elements of one list. A model for which there is no
//! answer does not keep the others from theirs; the exit code is that of the first failure.

use super::arguments::{Format, Model};
use super::{BUDGET, Failure, text_of, write};
use loopwright::c_program;
use loopwright::drawing::Drawing;
use loopwright::fortran;
use loopwright::presburger;
use loopwright::scop::several::{self, Part};
use serde_json::Value;

/// What a command prints for one model.
pub enum Answer {
    Drawing(Drawing),
    Text(String),
    Json(Value),
    /// A result that is a failure as well.
    Refuted(Value, Failure),
    /// The model is none that was asked about.
    Nothing,
}

/// How programs in C become models.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Outer loops that data ends in steps, all else that it decides as one statement each.
    InSteps,
    /// Whatever data decides as a condition of statements.
    Exact,
}

/// The models of the file that are wanted.
fn read(options: &Model, reading: Reading) -> Result<Vec<Part>, Failure> {
    let (place, text) = (options.file.display(), text_of(&options.file)?);
    let name = options.file.file_name().map_or(String::new(), |name| name.to_string_lossy().to_string());
    let part = |scop| Part { text: text.clone(), scop };
    let read = || match () {
        _ if fortran::is_program(&name) => fortran::parse(&text, &name).map(|scop| vec![part(scop)]),
        _ if c_program::is_program(&name) => {
            let parse = if reading == Reading::Exact { c_program::parse_exactly } else { c_program::parse_in_steps };
            parse(&text, &name).map(|scops| scops.into_iter().map(part).collect())
        }
        _ => several::read_all(&text),
    };
    let all = bounded(read)?.map_err(|e| Failure::Input(format!("{place}: {e}")))?;
    let Some(wanted) = &options.region else { return Ok(all) };
    let number = wanted.parse::<usize>().ok();
    let named = all.into_iter().zip(1..).filter(|(part, at)| part.scop.name == *wanted || Some(*at) == number);
    let found: Vec<Part> = named.map(|(part, _)| part).collect();
    match found.is_empty() {
        true => Err(Failure::Input(format!("{place}: there is no model `{wanted}`"))),
        false => Ok(found),
    }
}

/// Prints the answers of all models that are wanted.
pub fn each(options: &Model, answer: impl Fn(&Part) -> Result<Answer, Failure>) -> Result<(), Failure> {
    each_read(options, Reading::InSteps, answer)
}

/// The same, of models that are read in this way.
pub fn each_read(
    options: &Model,
    reading: Reading,
    answer: impl Fn(&Part) -> Result<Answer, Failure>,
) -> Result<(), Failure> {
    let parts = read(options, reading)?;
    if parts.len() > 1 && options.format == Some(Format::Svg) {
        let names: Vec<&str> = parts.iter().map(|part| part.scop.name.as_str()).collect();
        let place = options.file.display();
        return Err(Failure::Input(format!("{place}: a picture is of one model (--region): {}", names.join(", "))));
    }
    if let [part] = &parts[..] {
        return shown(answer(part)?, options);
    }
    let (mut failed, mut list) = (None, Vec::new());
    for part in &parts {
        match answer(part) {
            Ok(Answer::Text(text)) => write(&format!("# {}\n{text}\n", part.scop.name)),
            Ok(Answer::Json(value)) => list.push(value),
            Ok(Answer::Refuted(value, failure)) => {
                list.push(value);
                failed = failed.or(Some(told(failure)));
            }
            Ok(Answer::Nothing) => {}
            Ok(Answer::Drawing(drawing)) => write(&format!("# {}\n{}\n", part.scop.name, drawing.dot())),
            Err(failure) => failed = failed.or(Some(told(failure))),
        }
    }
    if options.json {
        write(&format!("{:#}\n", Value::Array(list)));
    }
    failed.map_or(Ok(()), Err)
}

fn shown(answer: Answer, options: &Model) -> Result<(), Failure> {
    match answer {
        Answer::Text(text) => write(&text),
        Answer::Drawing(drawing) if options.format == Some(Format::Svg) => {
            let place = options.file.display();
            write(&drawing.svg().map_err(|why| Failure::Input(format!("{place}: {why}")))?);
        }
        Answer::Drawing(drawing) => write(&drawing.dot()),
        Answer::Json(value) => write(&format!("{value:#}\n")),
        Answer::Refuted(value, failure) => {
            write(&format!("{value:#}\n"));
            return Err(failure);
        }
        Answer::Nothing => {
            return Err(Failure::Input(format!("{}: nothing is given for its model", options.file.display())));
        }
    }
    Ok(())
}

/// Says at once what has failed; the end says only that something has.
fn told(failure: Failure) -> Failure {
    let (Failure::Input(message) | Failure::Check(message)) = &failure;
    eprintln!("loopwright: {message}");
    match failure {
        Failure::Input(_) => Failure::Input("not every model has an answer".to_string()),
        _ => Failure::Check("not every model has an answer".to_string()),
    }
}

/// Runs `work` within the budget.
pub fn bounded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    presburger::within(BUDGET, work).map_err(|_| Failure::Check("this takes too many steps".to_string()))
}
