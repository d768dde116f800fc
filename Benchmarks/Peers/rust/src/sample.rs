//! The result of a client process or of one of its turns: one line of JSON on standard output.

use crate::tally::Tally;
use crate::usage::Usage;

/// Returns the work of a client between two moments as JSON. `idle` has the resources used before the first measured
/// request.
pub fn json(tally: &Tally, seconds: f64, before: &Usage, after: &Usage, idle: &Usage) -> String {
    let allocations = after.allocations.map(|count| (count - before.allocations.unwrap_or(0)).to_string());
    let error = tally.first_error.as_ref().map(|text| format!("\"{}\"", plain(text)));
    let fields = [
        ("requests", tally.requests.to_string()),
        ("bytes", tally.bytes.to_string()),
        ("seconds", seconds.to_string()),
        ("user", (after.user - before.user).to_string()),
        ("system", (after.system - before.system).to_string()),
        ("switches", (after.switches - before.switches).to_string()),
        ("instructions", "0".to_string()),
        ("allocations", allocations.unwrap_or_else(null)),
        ("p50", tally.latencies.microseconds(0.5).to_string()),
        ("p99", tally.latencies.microseconds(0.99).to_string()),
        ("p999", tally.latencies.microseconds(0.999).to_string()),
        ("idleKiB", idle.peak_kib.to_string()),
        ("peakKiB", after.peak_kib.to_string()),
        ("errors", tally.errors.to_string()),
        ("firstError", error.unwrap_or_else(null)),
    ];
    let members: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

fn null() -> String {
    "null".to_string()
}

fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter == '"' || letter == '\\' || letter < ' ' { ' ' } else { letter }).collect()
}
