import Foundation

/// Flushes standard output, so that the reading process gets a line at once.
func fflushOutput() {
    try? FileHandle.standardOutput.synchronize()
    fflush(nil)
}
