package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// usage has the resources that this process has used so far.
type usage struct {
	// CPU seconds in user mode and in the kernel.
	user, system float64
	// The number of times that a thread yielded or lost its core.
	switches int64
	// The maximum of the process's resident memory (VmHWM).
	peakKiB int64
	// The objects on the heap, counted by the runtime, which gets its memory from the kernel and does not call malloc.
	allocations uint64
}

func currentUsage() usage {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	usage := usage{
		user: seconds(used.Utime), system: seconds(used.Stime), switches: used.Nvcsw + used.Nivcsw, peakKiB: peakResidentKiB(),
	}
	// Reading the count stops all goroutines for a moment, so it is read only if allocations are counted.
	if strings.Contains(os.Getenv("LD_PRELOAD"), "AllocationCounter") {
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		usage.allocations = memory.Mallocs
	}
	return usage
}

func seconds(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }

func peakResidentKiB() (peak int64) {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "VmHWM:") {
			_, _ = fmt.Sscanf(strings.TrimPrefix(line, "VmHWM:"), "%d", &peak)
		}
	}
	return peak
}

// sample returns the work between two moments as a line of JSON. idle has the resources used before the first measured
// request.
func sample(tally *tally, seconds float64, before, after, idle usage) string {
	result := map[string]any{
		"requests": tally.requests, "bytes": tally.bytes, "seconds": seconds,
		"user": after.user - before.user, "system": after.system - before.system,
		"switches": after.switches - before.switches, "instructions": 0, "allocations": nil,
		"p50": tally.latencies.microseconds(0.5), "p99": tally.latencies.microseconds(0.99),
		"p999":    tally.latencies.microseconds(0.999),
		"idleKiB": idle.peakKiB, "peakKiB": after.peakKiB, "errors": tally.errors, "firstError": nil,
	}
	if after.allocations > 0 {
		result["allocations"] = after.allocations - before.allocations
	}
	if tally.firstError != nil {
		result["firstError"] = tally.firstError.Error()
	}
	line, _ := json.Marshal(result)
	return string(line)
}
