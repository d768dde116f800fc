import Foundation

/// Makes a line visible to who waits for it.
func fflushOutput() {
    try? FileHandle.standardOutput.synchronize()
    fflush(nil)
}
