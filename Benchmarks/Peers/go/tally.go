package main

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// tally has the requests, bytes, errors and latencies of several workers in a phase.
type tally struct {
	lock       sync.Mutex
	requests   int64
	bytes      int64
	errors     int64
	firstError error
	latencies  histogram
}

func newTally() *tally { return new(tally) }

func (tally *tally) record(bytes int64, duration time.Duration) {
	tally.lock.Lock()
	tally.requests++
	tally.bytes += bytes
	tally.latencies.record(uint64(duration))
	tally.lock.Unlock()
}

// recordError counts a failure, and returns true if the tally is hopeless.
func (tally *tally) recordError(err error) bool {
	tally.lock.Lock()
	defer tally.lock.Unlock()
	tally.errors++
	if tally.firstError == nil {
		tally.firstError = err
	}
	return tally.errors >= 100 && tally.errors > tally.requests
}

func (tally *tally) merge(other *tally) {
	tally.requests += other.requests
	tally.bytes += other.bytes
	tally.errors += other.errors
	if tally.firstError == nil {
		tally.firstError = other.firstError
	}
	tally.latencies.merge(&other.latencies)
}

const (
	subBucketBits = 6
	subBuckets    = 1 << subBucketBits
)

// histogram counts durations in buckets that are at most 1.6 % wide; see LatencyHistogram of BenchmarkKit.
type histogram struct {
	counts [(64 - subBucketBits + 1) * subBuckets]uint32
	total  int64
}

func (histogram *histogram) record(nanoseconds uint64) {
	histogram.counts[bucket(nanoseconds)]++
	histogram.total++
}

func (histogram *histogram) merge(other *histogram) {
	for index, count := range other.counts {
		histogram.counts[index] += count
	}
	histogram.total += other.total
}

// microseconds returns the duration that the given fraction of all durations does not exceed.
func (histogram *histogram) microseconds(quantile float64) float64 {
	rank, seen := int64(math.Ceil(quantile*float64(histogram.total))), int64(0)
	for index, count := range histogram.counts {
		seen += int64(count)
		if seen >= rank && seen > 0 {
			return float64(upperBound(index)) / 1000
		}
	}
	return 0
}

// bucket returns the bucket of a value. Each value below 64 has its own bucket; above, each power of two has 64
// buckets.
func bucket(value uint64) int {
	if value < subBuckets {
		return int(value)
	}
	exponent := 63 - bits.LeadingZeros64(value) - subBucketBits
	return (exponent+1)*subBuckets + int(value>>exponent) - subBuckets
}

func upperBound(index int) uint64 {
	if index < subBuckets {
		return uint64(index)
	}
	return uint64(index%subBuckets+subBuckets+1)<<(index/subBuckets-1) - 1
}
