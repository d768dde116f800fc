import Sockeye
import SockeyeCache
import SockeyeHTTP
import SockeyeNet
import SockeyeTransfers

extension OutgoingRequest.Options: Codable {
    // A test compares this list with the stored properties (by reflection) and fails if an option is missing.
    private static let archive = Archive<Self>(
        .optional("tls", \.tls), .optional("timeouts", \.timeouts), .optional("compression", \.compression),
        .optional("bodyLimit", \.bodyLimit), .seconds("expectContinue", \.expectContinue, omitsNil: true),
        .optional("decompresses", \.decompresses), .optional("unixSocketPath", \.unixSocketPath),
        .optional("isIdempotent", \.isIdempotent), .value("closesConnection", \.closesConnection, unless: false),
        .value("handlesCookies", \.handlesCookies, unless: true),
        .value("skippedStages", \.archivedStages, unless: []), .optional("tolerances", \.tolerances),
        .optional("cacheMode", \.cacheMode), .value("collectsMetrics", \.collectsMetrics, unless: false), checksums,
        .value("verifiesAnnouncedChecksums", \.verifiesAnnouncedChecksums, unless: true),
        .value("maximumResumes", \.maximumResumes, unless: 5), .value("parallelParts", \.parallelParts, unless: 1),
        .optional("resumeFile", \.resumeFile), .value("priority", \.archivedPriority, unless: 0.5))

    /// The property ``further`` holds the options that other products of the package define, each under a key type.
    /// These are the key types of the options that can be archived.
    private static let archivedKeys: [ObjectIdentifier] = [
        ObjectIdentifier(ChecksumsKey.self), ObjectIdentifier(VerifiesAnnouncedChecksumsKey.self),
        ObjectIdentifier(MaximumResumesKey.self), ObjectIdentifier(ParallelPartsKey.self),
        ObjectIdentifier(ResumeFileKey.self), ObjectIdentifier(PriorityKey.self), ObjectIdentifier(CacheModeKey.self),
    ]

    /// Archives checksums as text, such as `sha-256:9f86…`.
    private static let checksums = ArchiveMember<Self>("checksums") { source, key, options in
        options.checksums = try source.decode([String].self, forKey: key).map { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let algorithm = Checksum.Algorithm(rawValue: String(parts[0])),
                let checksum = Checksum(algorithm, hex: String(parts[1]))
            else { throw DecodingError.unknown("checksum", at: source.codingPath) }
            return checksum
        }
    } write: { options, key, target in
        guard !options.checksums.isEmpty else { return }
        try target.encode(options.checksums.map(\.description), forKey: key)
    }

    /// Reads options. Missing options take their defaults; for most options, the default is to use the client's
    /// setting.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the options that are set.
    ///
    /// - Throws: `EncodingError.invalidValue` if an option is set that cannot be archived. These options are the
    ///   closures `onInterim` and `onBodyProgress`; `interceptors`, `context` and `dependencies`; and the settings of
    ///   event streams and WebSockets. TLS options cannot be archived if they have a private key in memory, a
    ///   passphrase or an `evaluate` closure.
    public func encode(to encoder: any Encoder) throws {
        guard interceptors.isEmpty else {
            throw EncodingError.unarchivable("interceptors cannot be archived", at: encoder.codingPath)
        }
        guard onInterim == nil, onBodyProgress == nil else {
            throw EncodingError.unarchivable("onInterim and onBodyProgress cannot be archived", at: encoder.codingPath)
        }
        guard context.values.isEmpty, Set(further.values.keys).isSubset(of: Self.archivedKeys) else {
            throw EncodingError.unarchivable(
                "a context, dependencies, and settings of event streams and WebSockets cannot be archived",
                at: encoder.codingPath)
        }
        try Self.archive.write(self, to: encoder)
    }

    private var archivedPriority: Double {
        get { priority.value }
        set { priority = TransferPriority(newValue) }
    }

    /// The skipped stages, except the stage of cookies, which is archived as `handlesCookies`.
    private var archivedStages: [Call.Stage] {
        get { Call.Stage.all.filter { $0 != .cookies && skippedStages.contains($0) } }
        set { skippedStages = skippedStages.intersection([.cookies]).union(newValue) }
    }
}

extension Call.Stage: Codable {
    /// Reads the name of a stage, such as `retries`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(named: Self.all.map { ($0.description, $0) }, kind: "stage of interceptors")
    }

    /// Writes the name of the stage.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}

extension OutgoingRequest.Compression: Codable {
    private static let archive = Archive<Self>(
        .value("coding", \.coding), .value("level", \.archivedLevel), .value("minimumLength", \.minimumLength))

    private enum CodingKeys: CodingKey { case coding }

    /// Reads a compression. The coding is required; other missing settings take their defaults.
    public init(from decoder: any Decoder) throws {
        let coding = try decoder.container(keyedBy: CodingKeys.self).decode(ContentCoding.self, forKey: .coding)
        self = try Self.archive.read(from: decoder, over: Self(coding))
    }

    /// Writes the coding, the level and the minimum length.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }

    /// The compression level, clamped to the range of the coding by the initializer.
    private var archivedLevel: Int {
        get { level }
        set { level = OutgoingRequest.Compression(coding, level: newValue).level }
    }
}

/// Archived as its raw value.
extension ContentCoding: Codable {}
