import Foundation
import Glibc

/// New folders in the temporary directory. Their names are short, because a unix-domain socket allows 107 bytes of
/// path.
enum Scratch {
    static func makeFolder() throws -> String {
        var template = Array((FileManager.default.temporaryDirectory.path + "/sockeye-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw ServerFailure("mkdtemp", code: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
