//! What the clients in Rust share: the command line, the loop, the clock and the result. The counterpart of BenchmarkKit, with
//! the same protocol towards the driver.

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

/// Fails unless a request was answered with 200 and moved as many bytes as it should; gives that number back.
pub fn checked(status: u16, bytes: u64, job: &Job) -> Result<u64, Error> {
    if status != 200 {
        return Err(format!("status {status}").into());
    }
    if bytes != job.bytes() {
        return Err(format!("{bytes} bytes, not {}", job.bytes()).into());
    }
    Ok(bytes)
}

/// The number of bytes that the upload server says it received.
pub fn received(answer: &[u8]) -> u64 {
    std::str::from_utf8(answer).ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX)
}
