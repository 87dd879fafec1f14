//! Tests: quasi-affine expressions: affine forms with integer divisions, over a constant denominator.

use super::*;

fn line() -> (Space, Aff) {
    let space = Space::alloc_set(&["n"], None, 1);
    let i = Aff::var_on_domain(&space, DimKind::Out, 0);
    (space, i)
}

#[test]
fn integer_parts_leave_divs() {
    let (space, i) = line();
    let half = i.scale(&Int::from(2)).add_constant(&Int::from(5)).scale_down(&Int::from(2)).floor();
    assert!(half.plain_is_equal(&i.add_constant(&Int::from(2))));
    assert_eq!(half.domain_space(), &space);
}

#[test]
fn divs_of_divs_become_one() {
    let (_, i) = line();
    let half = i.scale_down(&Int::from(2)).floor();
    let quarter = half.scale_down(&Int::from(2)).floor();
    assert!(quarter.plain_is_equal(&i.scale_down(&Int::from(4)).floor()));
}

#[test]
fn a_remainder_is_between_zero_and_the_modulus() {
    let (_, i) = line();
    let remainder = i.mod_val(&Int::from(3));
    for x in -7..=7i64 {
        let value = remainder.eval(&[Int::zero(), Int::from(x)]);
        assert_eq!(value, (Int::from(x.rem_euclid(3)), Int::one()));
    }
}
