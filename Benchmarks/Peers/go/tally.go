package main

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// What some workers did in a phase.
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

// recordError counts a failure and tells whether there is no hope left.
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

// A count of durations in buckets whose width is at most 1.6 % of their value; see LatencyHistogram of BenchmarkKit.
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

// microseconds is what the given fraction of all durations does not exceed.
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

// bucket gives values below 64 a bucket each; above, every power of two is cut into 64.
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
