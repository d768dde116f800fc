internal import Foundation

/// Conformance cases in JSON files: those of this repository in `Tests/Cases`, and public data in a folder beside the
/// checkout. Without the public data every test runs with the repository's own cases.
package enum Vectors {
    private static let ownFolder = folder("../Cases")
    private static let publicFolder = folder("../../../shared/vectors")

    private static func folder(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: path).standardizedFileURL
    }

    /// True if the public data is beside this checkout. The first access prints a line if it is not.
    package static let hasPublicCases: Bool = {
        let isPresent = FileManager.default.fileExists(atPath: publicFolder.path())
        if !isPresent { print("vectors: \(publicFolder.path()) is absent, so only the cases of Tests/Cases run") }
        return isPresent
    }()

    /// Returns the cases of one of the repository's files, followed by those of the public files that exist. Names in
    /// snake case are converted to camel case, unless `keepingNames` is true because the names are data.
    package static func load<Case: Decodable>(
        own name: String, public paths: [String], as type: Case.Type = Case.self, keepingNames: Bool = false
    ) -> [Case] {
        let own: [Case] = read(ownFolder.appending(path: name), keepingNames)
        precondition(!own.isEmpty, "\(name) has no cases")
        return own + load(public: paths, keepingNames: keepingNames)
    }

    /// Returns the cases of the public files that exist.
    package static func load<Case: Decodable>(
        public paths: [String], as type: Case.Type = Case.self, keepingNames: Bool = false
    ) -> [Case] {
        guard hasPublicCases else { return [] }
        return paths.map { publicFolder.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.path()) }
            .flatMap { file -> [Case] in read(file, keepingNames) }
    }

    /// Returns the public JSON files of a folder, sorted.
    package static func publicFiles(in path: String) -> [String] {
        let folder = publicFolder.appending(path: path).path()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
    }

    private static func read<Case: Decodable>(_ file: URL, _ keepingNames: Bool) -> [Case] {
        let decoder = JSONDecoder()
        if !keepingNames { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        do {
            let data = try Data(contentsOf: file)
            let cases = try? decoder.decode([Case].self, from: data)
            return try cases ?? decoder.decode([Case].self, from: scalarValues(data))
        } catch {
            fatalError("\(file.path()) cannot be read: \(error)")
        }
    }

    /// Replaces escapes of lone surrogates in a JSON text by U+FFFD, as browsers do for URLs (WHATWG Infra, "scalar
    /// value string"). `JSONDecoder` refuses lone surrogates.
    private static func scalarValues(_ json: Data) -> Data {
        let escape = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?<lone>u[dD][89a-fA-F].{2})|.)/
        let text = String(decoding: json, as: UTF8.self)
        return Data(text.replacing(escape) { $0.output.lone == nil ? $0.output.0 : "\\uFFFD" }.utf8)
    }
}
