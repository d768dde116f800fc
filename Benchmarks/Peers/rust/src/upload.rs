//! The body of uploads: a repeated chunk, which costs its producer nothing.

use bytes::Bytes;
use futures_util::stream::{self, Stream};

/// The size of a chunk.
const CHUNK: u64 = 64 * 1024;

/// Returns a stream of a number of bytes; its chunks share one buffer.
pub fn chunks(bytes: u64) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + 'static {
    let chunk = Bytes::from_static(&[0; CHUNK as usize]);
    let count = (bytes + CHUNK - 1) / CHUNK;
    stream::iter((0..count).map(move |index| {
        let length = std::cmp::min(CHUNK, bytes - index * CHUNK);
        Ok(chunk.slice(..length as usize))
    }))
}
