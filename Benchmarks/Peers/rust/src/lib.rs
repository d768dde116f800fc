//! The common code of the clients in Rust: the command line, the loop, the clock and the result. It is the counterpart
//! of BenchmarkKit, and the protocol with the driver is the same.

mod histogram;
mod load;
mod options;
mod phase;
mod sample;
mod tally;
mod upload;
mod usage;

pub use load::{run, Load};
pub use options::{Job, Options};
pub use upload::chunks;

pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Returns the number of bytes, or an error unless the status is 200 and the number is the expected one.
pub fn checked(status: u16, bytes: u64, job: &Job) -> Result<u64, Error> {
    if status != 200 {
        return Err(format!("status {status}").into());
    }
    if bytes != job.bytes() {
        return Err(format!("{bytes} bytes, not {}", job.bytes()).into());
    }
    Ok(bytes)
}

/// Returns the number of received bytes in the upload server's answer; the maximum if it is not a number.
pub fn received(answer: &[u8]) -> u64 {
    std::str::from_utf8(answer).ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX)
}
