//! Bytes of a tile and of all data that moves, against the caches.

use crate::report::{Machine, Nest};
use serde::Serialize;

/// A number of bytes beside others, its length by its logarithm.
#[derive(Serialize)]
pub struct Bar {
    name: String,
    text: String,
    percent: f64,
    kind: &'static str,
}

/// The bars, and what they say in a sentence; none where nothing is known.
pub fn bars(nest: &Nest, machine: &Machine) -> (Vec<Bar>, String) {
    let mut all: Vec<(String, f64, &'static str)> = vec![
        ("first-level cache of a core".into(), machine.level1_bytes as f64, "cache"),
        ("second-level cache of a core".into(), machine.level2_bytes as f64, "cache"),
    ];
    let tiles: Vec<u64> = nest.transformations.iter().filter_map(|each| each.tile_bytes).collect();
    for each in nest.transformations.iter() {
        let Some(bytes) = each.tile_bytes else { continue };
        let sides: Vec<String> = each.sides.iter().map(i64::to_string).collect();
        let shape = if each.shape == "diamonds" { "a diamond" } else { "a tile" };
        all.push((format!("{shape} of {} ({})", sides.join("×"), each.statements.join(", ")), bytes as f64, "tile"));
    }
    if let Some(prediction) = &nest.prediction {
        all.push(("from memory, all of it, before".into(), prediction.before.far_bytes, "before"));
        all.push(("from memory, all of it, after".into(), prediction.after.far_bytes, "after"));
    }
    if all.len() == 2 {
        return (Vec::new(), String::new());
    }
    let most = all.iter().map(|(_, bytes, _)| *bytes).fold(1.0, f64::max).log2().max(1.0);
    let bar = |(name, bytes, kind): (String, f64, &'static str)| Bar {
        name,
        text: readable(bytes),
        percent: (100.0 * bytes.max(1.0).log2() / most).clamp(0.5, 100.0),
        kind,
    };
    (all.into_iter().map(bar).collect(), fits(&tiles, machine).to_string())
}

/// Where the data of the largest tile stays.
fn fits(tiles: &[u64], machine: &Machine) -> &'static str {
    let level2 = u64::try_from(machine.level2_bytes).unwrap_or(0);
    match tiles.iter().max() {
        None => "There are no tiles.",
        Some(most) if 2 * most <= level2 => {
            "What a tile touches fits into half of the second-level cache: it is fetched once, and there is room for what comes next."
        }
        Some(most) if *most <= level2 => {
            "What a tile touches fits into the second-level cache: it is fetched about once for all its iterations."
        }
        Some(_) => {
            "What a tile touches is more than the second-level cache holds: a part of it is fetched again while the tile runs, and still less often than without tiles."
        }
    }
}

fn readable(bytes: f64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", units[unit])
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_agrees_with_the_bars() {
        let machine = Machine { level2_bytes: 1 << 19, ..Machine::default() };
        assert!(fits(&[1 << 17, 1 << 18], &machine).contains("half"));
        assert!(fits(&[1 << 19], &machine).contains("fits into the second"));
        assert!(fits(&[(1 << 19) + 1], &machine).contains("more than"));
        assert_eq!(fits(&[], &machine), "There are no tiles.");
        assert_eq!([readable(12.0), readable(1536.0), readable(524_288.0)], ["12 bytes", "1.5 KiB", "512 KiB"]);
    }
}
