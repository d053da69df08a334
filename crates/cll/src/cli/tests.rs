use super::*;

#[test]
fn the_definition_holds_together() {
    definition().debug_assert();
}
