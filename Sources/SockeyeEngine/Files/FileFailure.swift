/// Why nothing came of work with a file.
package enum FileFailure: Error {
    /// What the system said.
    case system(FileError)
    /// The task was cancelled meanwhile.
    case cancelled
}
