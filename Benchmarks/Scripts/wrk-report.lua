-- Prints wrk's measurements in the format of the other clients.
function done(summary, latency, requests)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format(
        '{"requests":%d,"bytes":%d,"seconds":%f,"user":0,"system":0,"instructions":0,"p50":%f,"p99":%f,"p999":%f,' ..
        '"idleKiB":0,"peakKiB":0,"errors":%d}\n',
        summary.requests, summary.bytes, summary.duration / 1e6, latency:percentile(50),
        latency:percentile(99), latency:percentile(99.9), failed))
end
