import Glibc

/// The file mode (access rights) of new files, by umask.
enum FileMode {
    /// Those of a file that takes its place at a path: of the file that it replaces, so that what was private stays so, or of
    /// any new file.
    static func of(_ destination: String, _ existing: ExistingFilePolicy) -> mode_t {
        guard existing == .replace, let status = FilePath.status(destination), status.st_mode & S_IFMT == S_IFREG else {
            return ofNewFiles
        }
        return status.st_mode & 0o777
    }

    /// What `open` makes of 0666 here. `umask` could only be asked by changing it, under all other threads, so the answer
    /// is that of `/proc`; without it, rights are those of the temporary file: for the owner alone.
    static var ofNewFiles: mode_t {
        guard let file = unsafe fopen("/proc/self/status", "re") else { return 0o600 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("Umask:") else { continue }
            let digits = text.dropFirst("Umask:".count).filter(\.isNumber)
            guard let mask = UInt32(digits, radix: 8) else { return 0o600 }
            return 0o666 & ~mask
        }
        return 0o600
    }
}
