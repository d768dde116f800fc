//! The requests, bytes, errors and latencies of several workers in a phase.

use crate::histogram::Histogram;
use crate::Error;

#[derive(Clone)]
pub struct Tally {
    pub requests: u64,
    pub bytes: u64,
    pub errors: u64,
    pub first_error: Option<String>,
    pub latencies: Histogram,
}

impl Tally {
    pub fn new() -> Tally {
        Tally { requests: 0, bytes: 0, errors: 0, first_error: None, latencies: Histogram::new() }
    }

    pub fn record(&mut self, bytes: u64, nanoseconds: u64) {
        self.requests += 1;
        self.bytes += bytes;
        self.latencies.record(nanoseconds);
    }

    /// Counts a failure, and returns true if the tally is hopeless.
    pub fn record_error(&mut self, error: Error) -> bool {
        self.errors += 1;
        self.first_error.get_or_insert_with(|| error.to_string());
        self.errors >= 100 && self.errors > self.requests
    }

    pub fn merge(&mut self, other: &Tally) {
        self.requests += other.requests;
        self.bytes += other.bytes;
        self.errors += other.errors;
        self.latencies.merge(&other.latencies);
        if self.first_error.is_none() {
            self.first_error = other.first_error.clone();
        }
    }
}
