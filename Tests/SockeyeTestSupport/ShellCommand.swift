import Foundation
import Glibc

/// A shell command that has run to its end.
///
/// Foundation's `Process` copies entries of /proc/self/fd together with the 256 bytes after them, which crashes the
/// process if many descriptors are open. This type uses only posix_spawn(3).
package struct ShellCommand: Sendable {
    /// The exit status, or the negated number of the signal that ended the command.
    package let status: Int32
    /// The text that the command wrote to standard output and standard error.
    package let output: String

    /// Runs a command and blocks until it ends.
    ///
    /// - Parameters:
    ///   - command: The argument of `sh -c`.
    ///   - folder: The working directory; nil for that of this process.
    ///   - environment: The complete environment.
    package init(
        _ command: String, in folder: String? = nil,
        environment: [String] = ["PATH=/usr/sbin:/sbin:/usr/bin:/bin", "LC_ALL=C"]
    ) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for target: Int32 in 1...2 { unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], target) }
        var process: pid_t = 0
        let code = unsafe Self.withStrings([
            "/bin/sh", "-c", folder == nil ? command : "cd \"$0\" && \(command)", folder ?? "sh",
        ]) { arguments in
            unsafe Self.withStrings(environment) { environment in
                unsafe posix_spawn(&process, "/bin/sh", &actions, nil, arguments, environment)
            }
        }
        close(ends[1])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN) }
        output = Self.readToEnd(ends[0])
        var result: Int32 = 0
        while unsafe waitpid(process, &result, 0) < 0, errno == EINTR {}
        status = result & 0x7F == 0 ? result >> 8 & 0xFF : -(result & 0x7F)
    }

    private static func readToEnd(_ descriptor: Int32) -> String {
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(descriptor, &block, block.count)
            if count > 0 { text += block[..<count] }
            if count == 0 || count < 0 && errno != EINTR { return String(decoding: text, as: UTF8.self) }
        }
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) }
        unsafe copies.append(nil)
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe copies.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
    }
}
