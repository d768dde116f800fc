//! A period in which a client sends requests; see `Phase` of BenchmarkKit.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

pub struct Phase {
    end: Instant,
    latest_end: Instant,
    fewest: u64,
    remaining: Option<AtomicI64>,
}

impl Phase {
    /// Makes a phase. `fewest` is the minimum of requests of each worker, unless they take five times as long as the
    /// phase. `requests` is the maximum of requests of all workers together.
    pub fn new(seconds: f64, fewest: u64, requests: u64) -> Phase {
        let start = Instant::now();
        Phase {
            end: start + Duration::from_secs_f64(seconds),
            latest_end: start + Duration::from_secs_f64(seconds * 5.0),
            fewest,
            remaining: (requests != u64::MAX).then(|| AtomicI64::new(requests as i64)),
        }
    }

    /// Returns true if a worker that has sent a number of requests may begin one more at the given time.
    pub fn admits(&self, now: Instant, had: u64) -> bool {
        if now >= self.end && had != 0 && (had >= self.fewest || now >= self.latest_end) {
            return false;
        }
        self.remaining.as_ref().map_or(true, |remaining| remaining.fetch_sub(1, Ordering::Relaxed) > 0)
    }
}
