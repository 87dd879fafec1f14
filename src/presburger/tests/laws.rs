//! Every named operation against enumeration.
//!
//! Random relations of small tuples are parsed, an operation is applied, and the result is compared with what the definition of the operation
//! says of each point of a box. What has no unique result (gist, hulls) is held to its contract.
//!
//! Tests: 001 efficient; 002 2.3.3, 2.3.4, 2.3.5, 2.4.1, 2.4.2, 2.4.3, 2.4.4, 2.4.5, 3.5, 3.7

use super::oracle::{BOX, Case, Value, member, points};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::{DimKind, Map, MultiAff, PwAff, PwMultiAff, Set, UnionMap, UnionSet};
use arbtest::arbitrary::{Result, Unstructured};

/// Cases of one property.
const CASES: u32 = 100;

const PARAMS: [i64; 3] = [-2, 0, 3];

fn property(check: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    crate::property::property(CASES, check);
}

fn set2(u: &mut Unstructured<'_>) -> Result<Case> {
    Case::arbitrary(u, ("S", &["i", "j"]), None)
}

fn map1(u: &mut Unstructured<'_>, domain: &str, range: &str) -> Result<Case> {
    Case::arbitrary(u, (domain, &["i"]), Some((range, &["a"])))
}

fn line() -> std::ops::RangeInclusive<i64> {
    -BOX - 1..=BOX + 1
}

/// The relation has exactly the points for which `truth` holds, in a box of `n` coordinates.
fn agree(map: &Map, n: usize, truth: impl Fn(i64, &[i64]) -> bool, what: &str) {
    for param in PARAMS {
        for point in points(n) {
            assert_eq!(member(map, param, &point), truth(param, &point), "{what} at {param}, {point:?}: {map}");
        }
    }
}

#[test]
fn a_text_means_what_it_says_and_is_written_back() {
    property(|u| {
        let case = set2(u)?;
        let set = case.set();
        agree(&set.0, 2, |n, p| case.contains(n, p), &case.text);
        let again = Set::parse(&set.to_string()).unwrap_or_else(|error| panic!("{error}"));
        assert!(again.is_equal(&set), "{set} reads as {again}");
        Ok(())
    });
}

#[test]
fn the_boolean_operations_are_those_of_points() {
    property(|u| {
        let (a, b) = (set2(u)?, set2(u)?);
        let (x, y) = (a.set(), b.set());
        let texts = format!("{} and {}", a.text, b.text);
        agree(&x.union(&y).0, 2, |n, p| a.contains(n, p) || b.contains(n, p), &texts);
        agree(&x.intersect(&y).0, 2, |n, p| a.contains(n, p) && b.contains(n, p), &texts);
        agree(&x.subtract(&y).0, 2, |n, p| a.contains(n, p) && !b.contains(n, p), &texts);
        agree(&x.complement().0, 2, |n, p| !a.contains(n, p), &texts);
        Ok(())
    });
}

#[test]
fn questions_are_answered_as_by_enumeration() {
    property(|u| {
        let (a, b) = (set2(u)?, set2(u)?);
        let (x, y) = (a.set(), b.set());
        let all: Vec<(i64, Vec<i64>)> = (-BOX..=BOX).flat_map(|n| points(2).into_iter().map(move |p| (n, p))).collect();
        let subset = all.iter().all(|(n, p)| !a.contains(*n, p) || b.contains(*n, p));
        let disjoint = all.iter().all(|(n, p)| !a.contains(*n, p) || !b.contains(*n, p));
        let empty = all.iter().all(|(n, p)| !a.contains(*n, p));
        let superset = all.iter().all(|(n, p)| !b.contains(*n, p) || a.contains(*n, p));
        let same_params = x.space().has_equal_params(y.space());
        assert_eq!(x.is_empty(), empty, "{}", a.text);
        assert_eq!(x.is_disjoint(&y), disjoint, "{} and {}", a.text, b.text);
        if same_params {
            assert_eq!(x.is_subset(&y), subset, "{} in {}", a.text, b.text);
            assert_eq!(x.is_equal(&y), subset && superset, "{} and {}", a.text, b.text);
            assert_eq!(x.is_strict_subset(&y), subset && !superset, "{} and {}", a.text, b.text);
        }
        let sample = x.sample();
        assert_eq!(sample.is_none(), empty, "{}", a.text);
        assert!(sample.is_none_or(|p| x.contains(&p)), "{}", a.text);
        Ok(())
    });
}

#[test]
fn composition_and_its_kin() {
    property(|u| {
        let (r, q) = (map1(u, "A", "B")?, map1(u, "B", "C")?);
        let (x, y) = (r.map(), q.map());
        let texts = format!("{} and {}", r.text, q.text);
        let via = |n: i64, a: i64, c: i64| line().any(|b| r.contains(n, &[a, b]) && q.contains(n, &[b, c]));
        agree(&x.apply_range(&y), 2, |n, p| via(n, p[0], p[1]), &texts);
        agree(&x.reverse(), 2, |n, p| r.contains(n, &[p[1], p[0]]), &texts);
        agree(&x.domain().0, 1, |n, p| line().any(|b| r.contains(n, &[p[0], b])), &texts);
        agree(&x.range().0, 1, |n, p| line().any(|a| r.contains(n, &[a, p[0]])), &texts);
        agree(&x.domain().apply(&x).0, 1, |n, p| line().any(|a| r.contains(n, &[a, p[0]])), &texts);
        agree(&y.apply_domain(&x.reverse()), 2, |n, p| via(n, p[0], p[1]), &texts);
        let single = (-BOX..=BOX).all(|n| line().all(|a| line().filter(|b| r.contains(n, &[a, *b])).count() <= 1));
        assert_eq!(x.is_single_valued(), single, "{}", r.text);
        let injective = (-BOX..=BOX).all(|n| line().all(|b| line().filter(|a| r.contains(n, &[*a, b])).count() <= 1));
        assert_eq!(x.is_injective(), injective, "{}", r.text);
        Ok(())
    });
}

#[test]
fn products_and_factors() {
    crate::property::property(CASES / 4, |u| {
        let (r, q) = (map1(u, "A", "B")?, map1(u, "A", "C")?);
        let (x, y) = (r.map(), q.map());
        let texts = format!("{} and {}", r.text, q.text);
        let both = |n: i64, p: &[i64]| r.contains(n, &[p[0], p[2]]) && q.contains(n, &[p[1], p[3]]);
        let product = x.product(&y);
        agree(&product, 4, both, &texts);
        agree(&product.zip(), 4, |n, p| both(n, &[p[0], p[2], p[1], p[3]]), &texts);
        let ranges = x.range_product(&y);
        agree(&ranges, 3, |n, p| both(n, &[p[0], p[0], p[1], p[2]]), &texts);
        agree(&x.flat_range_product(&y), 3, |n, p| both(n, &[p[0], p[0], p[1], p[2]]), &texts);
        let domains = x.reverse().domain_product(&y.reverse());
        agree(&domains, 3, |n, p| r.contains(n, &[p[2], p[0]]) && q.contains(n, &[p[2], p[1]]), &texts);
        let some = |n: i64| line().any(|a| line().any(|b| q.contains(n, &[a, b])));
        agree(&product.factor_domain(), 2, |n, p| r.contains(n, p) && some(n), &texts);
        agree(
            &ranges.range_factor_range(),
            2,
            |n, p| q.contains(n, p) && line().any(|b| r.contains(n, &[p[0], b])),
            &texts,
        );
        agree(&ranges.uncurry().curry(), 3, |n, p| both(n, &[p[0], p[0], p[1], p[2]]), &texts);
        agree(&Set::unwrap(&x.wrap()), 2, |n, p| r.contains(n, p), &texts);
        agree(&x.domain_map(), 3, |n, p| p[0] == p[2] && r.contains(n, &p[..2]), &texts);
        agree(&x.range_map(), 3, |n, p| p[1] == p[2] && r.contains(n, &p[..2]), &texts);
        Ok(())
    });
}

#[test]
fn differences_of_pairs() {
    property(|u| {
        let r = map1(u, "A", "A")?;
        let x = r.map();
        let wide = || -2 * BOX..=2 * BOX;
        for n in PARAMS {
            for d in wide() {
                let truth = line().any(|a| r.contains(n, &[a, a + d]));
                assert_eq!(member(&x.deltas().0, n, &[d]), truth, "{}", r.text);
            }
        }
        agree(&x.deltas_map(), 3, |n, p| p[2] == p[1] - p[0] && r.contains(n, &p[..2]), &r.text);
        Ok(())
    });
}

#[test]
fn single_dimensions() {
    property(|u| {
        let case = set2(u)?;
        let set = case.set();
        let some = |n: i64, i: i64| line().any(|j| case.contains(n, &[i, j]));
        agree(&set.project_out(DimKind::Out, 1, 1).0, 1, |n, p| some(n, p[0]), &case.text);
        agree(&set.eliminate(DimKind::Out, 1, 1).0, 2, |n, p| some(n, p[0]), &case.text);
        agree(&set.insert_dims(DimKind::Out, 1, 1).0, 3, |n, p| case.contains(n, &[p[0], p[2]]), &case.text);
        agree(
            &set.move_dims(DimKind::Out, 1, DimKind::Out, 0, 1).0,
            2,
            |n, p| case.contains(n, &[p[1], p[0]]),
            &case.text,
        );
        agree(&set.fix(DimKind::Out, 0, &Int::from(1)).0, 2, |n, p| p[0] == 1 && case.contains(n, p), &case.text);
        agree(
            &set.equate(DimKind::Out, 0, DimKind::Out, 1).0,
            2,
            |n, p| p[0] == p[1] && case.contains(n, p),
            &case.text,
        );
        agree(
            &set.order_lt(DimKind::Out, 0, DimKind::Out, 1).0,
            2,
            |n, p| p[0] < p[1] && case.contains(n, p),
            &case.text,
        );
        agree(
            &set.lower_bound(DimKind::Out, 1, &Int::from(2)).0,
            2,
            |n, p| p[1] >= 2 && case.contains(n, p),
            &case.text,
        );
        let inside = |n: i64| points(2).into_iter().filter(|p| case.contains(n, p)).map(|p| p[0]).collect::<Vec<_>>();
        let first: Vec<i64> = (-BOX..=BOX).flat_map(inside).collect();
        let bound = |value: Option<&i64>| value.map(|v| Int::from(*v));
        assert_eq!(set.dim_min_val(DimKind::Out, 0).expect("finite"), bound(first.iter().min()), "{set}");
        assert_eq!(set.dim_max_val(DimKind::Out, 0).expect("finite"), bound(first.iter().max()), "{set}");
        let (stride, offset) = set.stride(DimKind::Out, 0);
        let fits = |v: &i64| {
            if stride.is_zero() { Int::from(*v) == offset } else { Int::from(*v).sub(&offset).is_divisible_by(&stride) }
        };
        assert!(first.iter().all(fits), "{set}: {stride}, {offset}");
        Ok(())
    });
}

#[test]
fn normal_forms_have_the_same_points() {
    property(|u| {
        let case = set2(u)?;
        let set = case.set();
        let truth = |n: i64, p: &[i64]| case.contains(n, p);
        agree(&set.coalesce().0, 2, truth, &case.text);
        agree(&set.remove_redundancies().0, 2, truth, &case.text);
        agree(&set.detect_equalities().0, 2, truth, &case.text);
        let divs = set.compute_divs();
        agree(&divs.0, 2, truth, &case.text);
        assert!(divs.pieces().iter().all(|piece| !piece.has_unknown_locals()), "{divs}");
        let disjoint = set.make_disjoint();
        agree(&disjoint.0, 2, truth, &case.text);
        let pieces = disjoint.pieces();
        for (k, piece) in pieces.iter().enumerate() {
            assert!(pieces[..k].iter().all(|other| other.intersect(piece).is_empty()), "{disjoint}");
        }
        Ok(())
    });
}

#[test]
fn a_gist_is_equal_within_its_context() {
    property(|u| {
        let (a, b) = (set2(u)?, set2(u)?);
        let gist = a.set().gist(&b.set());
        for n in PARAMS {
            for p in points(2).iter().filter(|p| b.contains(n, p)) {
                assert_eq!(member(&gist.0, n, p), a.contains(n, p), "{} within {}: {gist}", a.text, b.text);
            }
        }
        Ok(())
    });
}

#[test]
fn hulls_contain_the_set() {
    property(|u| {
        let case = set2(u)?;
        let set = case.set();
        let hulls = [
            set.simple_hull(),
            set.unshifted_simple_hull(),
            set.affine_hull(),
            set.convex_hull(),
            set.remove_divs().simple_hull(),
            set.remove_unknown_divs().simple_hull(),
        ];
        for n in PARAMS {
            for p in points(2).iter().filter(|p| case.contains(n, p)) {
                assert!(hulls.iter().all(|hull| member(&hull.0, n, p)), "{hulls:?} at {n}, {p:?}: {}", case.text);
            }
        }
        Ok(())
    });
}

#[test]
fn optima_are_the_best_points() {
    property(|u| {
        let case = Case::arbitrary(u, ("S", &["i"]), Some(("T", &["j", "k"])))?;
        let map = case.map();
        let images =
            |n: i64, i: i64| points(2).into_iter().filter(|p| case.contains(n, &[i, p[0], p[1]])).collect::<Vec<_>>();
        let (min, max) = (map.lexmin().expect("finite"), map.lexmax().expect("finite"));
        let function = map.lexmin_pw_multi_aff().expect("finite");
        let domain = Set::parse("{ S[i] : -2 <= i }").expect("law: a set");
        let (partial, none) = map.partial_lexmax(&domain).expect("finite");
        for n in PARAMS {
            for i in line() {
                let all = images(n, i);
                for p in points(2) {
                    let at = [i, p[0], p[1]];
                    assert_eq!(member(&min, n, &at), all.first() == Some(&p), "{}: {min}", case.text);
                    assert_eq!(member(&max, n, &at), all.last() == Some(&p), "{}: {max}", case.text);
                    assert_eq!(member(&partial, n, &at), i >= -2 && all.last() == Some(&p), "{}: {partial}", case.text);
                }
                assert_eq!(member(&none.0, n, &[i]), i >= -2 && all.is_empty(), "{}: {none}", case.text);
                let point: Vec<Int> = map.space().params().iter().map(|_| n).chain([i]).map(Int::from).collect();
                let values =
                    function.eval(&point).map(|v| v.into_iter().map(|(n, d)| n.div_exact(&d)).collect::<Vec<_>>());
                assert_eq!(
                    values,
                    all.first().map(|p| p.iter().map(|v| Int::from(*v)).collect()),
                    "{}: {function}",
                    case.text
                );
            }
        }
        Ok(())
    });
}

#[test]
fn without_bounds_there_is_no_optimum() {
    let set = |text: &str| Set::parse(text).expect("a set");
    let up = set("[n] -> { [i] : i >= n }");
    assert!(up.lexmin().is_ok() && up.dim_min(0).is_ok() && up.lexmin_pw_multi_aff().is_ok());
    assert!(up.lexmax().is_err() && up.dim_max(0).is_err() && up.lexmax_pw_multi_aff().is_err());
    assert!(up.dim_min_val(DimKind::Out, 0).is_err() && up.dim_max_val(DimKind::Out, 0).is_err());
    let none = set("{ [i] : i > 3 and i < 3 }");
    assert!(none.lexmax().is_ok_and(|none| none.is_empty()) && none.dim_max_val(DimKind::Out, 0) == Ok(None));
    let both = set("{ [i] : i <= 0 or 3 <= i <= 5 }");
    assert!(both.lexmin().is_err() && both.lexmax().is_ok_and(|best| best.is_equal(&set("{ [5] }"))));
    let below = Map::parse("{ A[i] -> B[j] : j <= 3 and (i < 0 or j >= i) }").expect("a relation");
    assert!(below.lexmin().is_err() && below.partial_lexmin(&set("{ A[i] : i >= 0 }")).is_ok());
    assert!(below.partial_lexmin(&set("{ A[i] }")).is_err() && below.partial_lexmax(&set("{ A[i] }")).is_ok());
}

#[test]
fn bounds_of_a_dimension_are_functions_of_the_others() {
    property(|u| {
        let case = map1(u, "A", "B")?;
        let map = case.map();
        let (low, high) = (map.dim_min(0).expect("finite"), map.dim_max(0).expect("finite"));
        for n in PARAMS {
            for i in line() {
                let all: Vec<i64> = line().filter(|a| case.contains(n, &[i, *a])).collect();
                let point: Vec<Int> = map.space().params().iter().map(|_| n).chain([i]).map(Int::from).collect();
                let value = |v: Option<&i64>| v.map(|v| (Int::from(*v), Int::one()));
                assert_eq!(low.eval(&point), value(all.first()), "{}: {low}", case.text);
                assert_eq!(high.eval(&point), value(all.last()), "{}: {high}", case.text);
            }
        }
        Ok(())
    });
}

#[test]
fn points_are_listed_and_counted() {
    property(|u| {
        let case = set2(u)?;
        let set = case.set();
        let params: Vec<i64> = if set.space().params().is_empty() { vec![0] } else { (-BOX..=BOX).collect() };
        let all = params.iter().flat_map(|n| points(2).into_iter().filter(|p| case.contains(*n, p)).map(|p| (*n, p)));
        let all: Vec<Vec<Int>> =
            all.map(|(n, p)| set.space().params().iter().map(|_| n).chain(p).map(Int::from).collect()).collect();
        assert_eq!(set.count(), Some(Int::from(all.len() as i64)), "{}", case.text);
        assert_eq!(set.points(1000), Some(all), "{}", case.text);
        Ok(())
    });
}

fn function(u: &mut Unstructured<'_>) -> Result<(Value, PwAff)> {
    let value = Value::arbitrary(u, &["i", "j"], 2)?;
    let text = format!("{{ S[i, j] -> [{}] }}", value.text());
    Ok((value, PwAff::parse(&text).unwrap_or_else(|error| panic!("{error}"))))
}

#[test]
fn expressions_are_evaluated_as_written() {
    property(|u| {
        let ((a, f), (b, g)) = (function(u)?, function(u)?);
        let divisor = Int::from([2, 3, -2][u.int_in_range(0..=2)?]);
        let d = divisor.as_i64().expect("law: small");
        let (sum, difference, least, greatest) = (f.add(&g), f.sub(&g), f.min(&g), f.max(&g));
        let (floor, quotient, rest) = (f.scale_down(&divisor).floor(), f.tdiv_q(&divisor), f.tdiv_r(&divisor));
        let (le, lt, eq, ne) = (f.le_set(&g), f.lt_set(&g), f.eq_set(&g), f.ne_set(&g));
        let again = PwAff::parse(&f.to_string()).unwrap_or_else(|error| panic!("{error}"));
        let picked = f.cond(&g, &f.neg());
        for p in points(2) {
            let at = [("i".to_string(), p[0]), ("j".to_string(), p[1])].into_iter().collect();
            let (x, y) = (a.eval(&at), b.eval(&at));
            let point: Vec<Int> = p.iter().map(|v| Int::from(*v)).collect();
            let is = |h: &PwAff, v: i64| {
                assert_eq!(h.eval(&point), Some((Int::from(v), Int::one())), "{f}, {g} at {p:?}: {h}")
            };
            is(&f, x);
            is(&again, x);
            is(&sum, x + y);
            is(&difference, x - y);
            is(&least, x.min(y));
            is(&greatest, x.max(y));
            is(&floor, x.div_euclid(d) - i64::from(d < 0 && x.rem_euclid(d) != 0));
            is(&quotient, x / d);
            is(&rest, x % d);
            is(&picked, if x != 0 { y } else { -x });
            assert_eq!([le.contains(&point), lt.contains(&point)], [x <= y, x < y], "{f}, {g}");
            assert_eq!([eq.contains(&point), ne.contains(&point)], [x == y, x != y], "{f}, {g}");
        }
        Ok(())
    });
}

#[test]
fn functions_become_relations_and_back() {
    property(|u| {
        let ((a, f), (b, g)) = (function(u)?, function(u)?);
        let domain = set2(u)?;
        let pair = f.to_pw_multi_aff().flat_range_product(&g.to_pw_multi_aff()).intersect_domain(&domain.set());
        let relation = pair.as_map();
        let again = PwMultiAff::from_map(&relation).expect("law: a function");
        assert!(again.is_equal(&pair), "{pair} and {again}");
        let simple = pair.coalesce().gist(&domain.set());
        for n in PARAMS {
            for p in points(2) {
                let at = [("i".to_string(), p[0]), ("j".to_string(), p[1])].into_iter().collect();
                let point: Vec<Int> =
                    pair.space().params().iter().map(|_| n).chain(p.iter().copied()).map(Int::from).collect();
                let expected = domain
                    .contains(n, &p)
                    .then(|| vec![(Int::from(a.eval(&at)), Int::one()), (Int::from(b.eval(&at)), Int::one())]);
                assert_eq!(pair.eval(&point), expected, "{pair}");
                assert_eq!(again.eval(&point), expected, "{pair}");
                if expected.is_some() {
                    let simple_point: Vec<Int> =
                        simple.space().params().iter().map(|_| n).chain(p.iter().copied()).map(Int::from).collect();
                    assert_eq!(simple.eval(&simple_point), expected, "{pair}: {simple}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_function_is_plugged_into_another() {
    property(|u| {
        let (value, f) = function(u)?;
        let inner = [Value::arbitrary(u, &["x"], 1)?, Value::arbitrary(u, &["x"], 1)?];
        let text = format!("{{ T[x] -> S[{}, {}] }}", inner[0].text(), inner[1].text());
        let g = PwMultiAff::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let composed = f.pullback_pw(&g);
        let case = set2(u)?;
        let preimage = case.set().preimage_pw(&g);
        for x in line() {
            let at = [("x".to_string(), x)].into_iter().collect();
            let image = [inner[0].eval(&at), inner[1].eval(&at)];
            let outer = [("i".to_string(), image[0]), ("j".to_string(), image[1])].into_iter().collect();
            let expected = Some((Int::from(value.eval(&outer)), Int::one()));
            assert_eq!(composed.eval(&[Int::from(x)]), expected, "{f} after {g}: {composed}");
            for n in PARAMS {
                assert_eq!(member(&preimage.0, n, &[x]), case.contains(n, &image), "{} by {g}", case.text);
            }
        }
        Ok(())
    });
}

#[test]
fn unions_work_space_by_space() {
    property(|u| {
        let (r, q) = (map1(u, "A", "B")?, map1(u, "A", "C")?);
        let (s, t) = (map1(u, "B", "A")?, map1(u, "C", "A")?);
        let union = |a: &Case, b: &Case| {
            let mut all = UnionMap::from_map(&a.map());
            all.add_map(&b.map());
            all
        };
        let (x, y) = (union(&r, &q), union(&s, &t));
        let composed = x.apply_range(&y);
        let via = |n: i64, p: &[i64]| {
            line().any(|m| {
                (r.contains(n, &[p[0], m]) && s.contains(n, &[m, p[1]]))
                    || (q.contains(n, &[p[0], m]) && t.contains(n, &[m, p[1]]))
            })
        };
        let space = r.map().space().domain().map_from_set();
        agree(&composed.extract_map(&space), 2, via, &format!("{x} then {y}"));
        let again = UnionMap::parse(&x.to_string()).unwrap_or_else(|error| panic!("{error}"));
        assert!(again.is_equal(&x), "{x}");
        assert!(x.subtract(&x).is_empty() && x.intersect(&y).is_empty() && x.is_subset(&x.union(&y)));
        let domain: UnionSet = x.domain();
        assert!(domain.apply(&x).is_equal(&x.range()), "{x}");
        Ok(())
    });
}

#[test]
fn what_has_no_end_is_not_listed() {
    let endless = ["{ [i] }", "{ [i, j] : i >= j }", "[n] -> { [i] : i = 2n }", "{ [i] : exists e : i <= 5e; [3] }"];
    for text in endless {
        assert_eq!(Set::parse(text).expect("law: a set").points(1000), None, "{text}");
    }
    let empty = Set::parse("[n] -> { [i, j] : 2i = 2j + 1 }").expect("law: a set");
    assert_eq!(empty.points(1000), Some(vec![]));
}

#[test]
fn a_tuple_of_an_unknown_name_is_no_expression() {
    for text in ["[n] -> { [(m)] }", "[n] -> { [m] }", "{ [(m + 1)] }", "{ [i] -> [(m)] }", "{ [(m)] : m = 3 }"] {
        assert!(PwAff::parse(text).is_err() || text.contains('='), "{text}");
    }
}

#[test]
fn the_lexicographic_order_is_that_of_tuples() {
    let space = Set::parse("{ S[i, j] }").expect("law: a set").space().clone();
    let orders = [Map::lex_lt(&space), Map::lex_le(&space), Map::lex_gt(&space), Map::lex_ge(&space)];
    for p in super::brute::points(4, 1) {
        let (a, b) = (&p[..2], &p[2..]);
        let truth = [a < b, a <= b, a > b, a >= b];
        for (order, truth) in orders.iter().zip(truth) {
            assert_eq!(member(order, 0, &p), truth, "{order} at {p:?}");
        }
    }
}

#[test]
fn powers_are_repeated_compositions() {
    property(|u| {
        let case = map1(u, "A", "A")?;
        let map = case.map();
        let square = map.apply_range(&map);
        assert!(map.fixed_power(2).is_equal(&square), "{}", case.text);
        assert!(map.fixed_power(-3).is_equal(&square.apply_range(&map).reverse()), "{}", case.text);
        Ok(())
    });
}

#[test]
fn big_numbers_are_exact() {
    let set = Set::parse(
        "{ [i, j] : 9223372036854775807 i = 9223372036854775806 j + 5 and 0 <= i <= 100000000000000000000 }",
    );
    let set = set.expect("law: a set");
    let (i, j) = (Int::from(5), Int::from(5));
    assert!(set.contains(&[i.clone(), j.clone()]));
    let sum = set.apply(&Map::parse("{ [i, j] -> [i + j] }").expect("law: a relation"));
    assert!(sum.contains(&[Int::from(10)]));
    assert!(!set.is_empty() && set.subtract(&set).is_empty());
    let identity = MultiAff::parse("{ [i, j] -> [(i), (j)] }").expect("law: a function");
    assert!(set.preimage(&identity).is_equal(&set));
}
