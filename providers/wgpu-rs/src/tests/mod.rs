//! Tests of the exported functions.
