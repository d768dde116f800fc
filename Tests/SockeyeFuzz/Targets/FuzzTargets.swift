import Glibc

/// A function that gets bytes from the fuzzer, and traps if the library does not handle them by its rules.
typealias FuzzTarget = @Sendable ([UInt8]) -> Void

/// All targets by the names of their folders in Corpora.
enum FuzzTargets {
    /// The divisor of the usual number of inputs (`make fuzz RUNS=n`) for targets that take much longer than a parser.
    /// For example, 40 means n/40 inputs.
    static let shares: [String: Int] = [
        "client": 40,
        "diskcache": 20,
        "downloads": 40,
        "exchange": 4,
        "nameserver": 20,
        "recordings": 4,
        "settings": 4,
    ]

    static let all = ofEachBuild.merging(ofDiskCache) { target, _ in target }.merging(ofService) { target, _ in target }

    #if DiskCache
    private static let ofDiskCache: [String: FuzzTarget] = [
        "cacherows": DiskCacheTargets.rows,
        "diskcache": DiskCacheTargets.folders,
    ]
    #else
    private static let ofDiskCache: [String: FuzzTarget] = [:]
    #endif

    #if Service
    private static let ofService: [String: FuzzTarget] = [
        "settings": SettingsTargets.settings
    ]
    #else
    private static let ofService: [String: FuzzTarget] = [:]
    #endif

    /// The targets of every build by Scripts/fuzz.sh.
    private static let ofEachBuild: [String: FuzzTarget] = [
        "cache": CacheTargets.decisions,
        "certificates": CertificateTargets.certificates,
        "challenges": ChallengeTargets.challenges,
        "chunks": ResponseTargets.chunks,
        "client": ClientTargets.client,
        "codings": CodingTargets.codings,
        "cookies": CookieTargets.fields,
        "cookiefiles": CookieTargets.files,
        "decoder": JSONTargets.decoder,
        "dispositions": FieldTargets.dispositions,
        "downloads": DownloadTargets.downloads,
        "events": StreamTargets.events,
        "exchange": ResponseTargets.exchange,
        "head": ResponseTargets.head,
        "images": ImageTargets.headers,
        "json": JSONTargets.values,
        "jsonlines": StreamTargets.jsonLines,
        "lines": StreamTargets.lines,
        "multipart": MultipartTargets.multipart,
        "nameserver": NameServerTargets.answers,
        "netrc": ChallengeTargets.netrc,
        "plist": PropertyListTargets.lists,
        "rasters": ImageTargets.rasters,
        "recordings": RecordingTargets.recordings,
        "request": FieldTargets.request,
        "resume": JSONTargets.resume,
        "routes": RouteTargets.messages,
        "socks": TunnelTargets.socks,
        "tunnel": TunnelTargets.tunnel,
        "url": URLTargets.url,
        "values": FieldTargets.values,
        "websocket": WebSocketTargets.frames,
        "wsconnection": WebSocketConnectionTarget.connections,
        "wsmessages": WebSocketTargets.messages,
        "xml": XMLTargets.documents,
    ]
}

/// The target of this process.
enum ChosenTarget {
    static let name = unsafe getenv("SOCKEYE_FUZZ_TARGET").map { unsafe String(cString: $0) }
    static let target = name.flatMap { FuzzTargets.all[$0] }
}

/// Ends the process if the condition does not hold. libFuzzer then reports the input.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { fatalError(what()) }
}
