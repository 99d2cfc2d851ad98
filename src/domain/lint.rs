pub fn broken(_: &crate::domain::class::Class) -> Option<String> { None }
