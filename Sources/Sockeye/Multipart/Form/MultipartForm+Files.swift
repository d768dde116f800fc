public import FoundationEssentials
public import SockeyeEngine

extension MultipartForm {
    /// Adds a file. The counterpart of `appendPartWithFileURL:name:fileName:mimeType:error:`.
    ///
    /// The file is looked at now, and opened again whenever the form is sent. Its length is the one it has now: of a file
    /// that grows no more is sent, and one that has become shorter, or was replaced by another of another length, fails the
    /// request. In a form of known length, over a plain connection, the system sends a large file without passing it
    /// through this process; else it is read in pieces.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - path: The path of the file.
    ///   - filename: What the server is told. Nil: the last component of the path.
    ///   - contentType: The media type. Nil: that of the extension of the file's name, of those that are known everywhere,
    ///     else `application/octet-stream`.
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` when the file cannot be read or is not a regular one.
    public mutating func file(
        _ name: String, at path: String, filename: String? = nil, contentType: String? = nil
    ) throws(SockeyeError) {
        let filename = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        part(name, try .file(path), filename: filename, contentType: contentType)
    }

    /// Adds the file that a file URL names. See ``file(_:at:filename:contentType:)``.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed``, also for a URL that names no file.
    public mutating func file(
        _ url: URL, name: String, filename: String? = nil, contentType: String? = nil
    ) throws(SockeyeError) {
        guard url.isFileURL else {
            let message = "the URL of a part does not name a file"
            throw SockeyeError(.init(.bodyFailed, phase: .prepare, blame: .caller, message: message))
        }
        try file(name, at: url.path, filename: filename, contentType: contentType)
    }
}
