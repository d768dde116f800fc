//! Counts durations in buckets that are at most 1.6 % wide; see `LatencyHistogram` of BenchmarkKit.

const SUB_BUCKETS: usize = 64;
const SUB_BUCKET_BITS: usize = 6;

#[derive(Clone)]
pub struct Histogram {
    counts: Vec<u32>,
    total: u64,
}

impl Histogram {
    pub fn new() -> Histogram {
        Histogram { counts: vec![0; (64 - 5) * SUB_BUCKETS], total: 0 }
    }

    pub fn record(&mut self, nanoseconds: u64) {
        self.counts[index(nanoseconds)] += 1;
        self.total += 1;
    }

    pub fn merge(&mut self, other: &Histogram) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
    }

    /// Returns the duration, in microseconds, that the given fraction of all durations does not exceed.
    pub fn microseconds(&self, quantile: f64) -> f64 {
        let rank = (quantile * self.total as f64).ceil() as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += u64::from(*count);
            if seen >= rank && seen > 0 {
                return upper_bound(index) as f64 / 1000.0;
            }
        }
        0.0
    }
}

/// Returns the bucket of a value. Each value below 64 has its own bucket; above, each power of two has 64 buckets.
fn index(value: u64) -> usize {
    if value < SUB_BUCKETS as u64 {
        return value as usize;
    }
    let exponent = 63 - value.leading_zeros() as usize - SUB_BUCKET_BITS;
    (exponent + 1) * SUB_BUCKETS + (value >> exponent) as usize - SUB_BUCKETS
}

fn upper_bound(index: usize) -> u64 {
    if index < SUB_BUCKETS {
        return index as u64;
    }
    let exponent = index / SUB_BUCKETS - 1;
    (((index % SUB_BUCKETS + SUB_BUCKETS + 1) as u64) << exponent) - 1
}
