#if Service
public import Configuration
public import Sockeye
public import SockeyeEngine
import SockeyeNet

extension ClientConfiguration {
    /// Reads settings from swift-configuration. Settings without a value keep their defaults.
    ///
    /// ```swift
    /// // HTTP_TIMEOUTS_TOTAL=5s
    /// let config = ConfigReader(provider: EnvironmentVariablesProvider())
    /// let client = try HTTPClient(config: config.scoped(to: "http"))
    /// ```
    ///
    /// | key | value |
    /// | --- | --- |
    /// | `timeouts.total`, `.connect`, `.tls`, `.head`, `.stall`, `.pool`, `.resolve` | a duration, or `none` |
    /// | `limits.headBytes`, `.fieldCount`, `.interimBytes`, `.bodyBytes`, `.decodedBytes` | an integer of at least 1 |
    /// | `pool.connectionsPerOrigin`, `.connections`, `.waiters`, `.maximumUses` | an integer of at least 1 |
    /// | `pool.idleTimeout`, `pool.maximumAge` | a duration; `pool.maximumAge` also `none` |
    /// | `proxy` | secret: `none`, `environment`, or the URL of an http, https or SOCKS proxy |
    /// | `tls.roots` | a PEM file of root certificates that replace the system roots |
    /// | `tls.additionalRoots` | a PEM file of root certificates that are trusted in addition to the system roots |
    /// | `tls.certificate`, `tls.privateKey` | PEM files of the client's own certificate and its key |
    /// | `tls.passphrase` | secret: the passphrase of the private key |
    /// | `tls.minimumVersion` | `1.2` or `1.3` |
    /// | `userAgent` | the value of User-Agent; if empty, the field is not sent |
    /// | `decompresses` | `true`, `yes` or `1`; `false`, `no` or `0` |
    /// | `runningTasks` | an integer of at least 1 |
    ///
    /// A duration is a number with a unit: `ns`, `us`, `ms`, `s`, `m` or `h`, such as `250ms`. Without a unit it is in
    /// seconds. Values marked as secret are read with `isSecret`, so that swift-configuration does not log them. For
    /// the meaning of the settings see ``/Sockeye/Timeouts``, ``/Sockeye/ResponseLimits`` and ``/Sockeye/PoolOptions``.
    ///
    /// - Parameter config: The reader of the settings, usually scoped as in the example.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration``. The causes are a value of the wrong type
    ///   or out of bounds; a file that cannot be read; `tls.roots` together with `tls.additionalRoots`; and a
    ///   certificate without its key, or a key without its certificate. The message names the configuration key, and
    ///   never contains a secret value.
    public init(config: ConfigReader) throws(SockeyeError) {
        self.init()
        let settings = SettingsReader(config)
        timeouts = try Timeouts(settings)
        limits = try ResponseLimits(settings)
        pool = try PoolOptions(settings)
        proxy = try Proxy.Selection(settings)
        tls = try TLSOptions(settings)
        if let name = try settings.text("userAgent") { userAgent = name.isEmpty ? nil : name }
        if let flag = try settings.flag("decompresses") { decompresses = flag }
        if let count = try settings.count("runningTasks") { runningTasks = count }
    }
}

extension HTTPClient {
    /// Makes a client with settings from swift-configuration; see ``ClientConfiguration/init(config:)``.
    public init(config: ConfigReader) throws(SockeyeError) {
        self.init(configuration: try ClientConfiguration(config: config))
    }
}

extension Timeouts {
    fileprivate init(_ settings: SettingsReader) throws(SockeyeError) {
        self.init()
        let phases: [(String, WritableKeyPath<Timeouts, Duration?>)] = [
            ("total", \.total), ("connect", \.connect), ("tls", \.tls), ("head", \.head), ("stall", \.stall),
            ("pool", \.pool), ("resolve", \.resolve),
        ]
        for (name, path) in phases {
            if let limit = try settings.limit("timeouts.\(name)") { self[keyPath: path] = limit.duration ?? .unlimited }
        }
    }
}

extension ResponseLimits {
    fileprivate init(_ settings: SettingsReader) throws(SockeyeError) {
        self.init()
        let limits: [(String, WritableKeyPath<ResponseLimits, Int>)] = [
            ("headBytes", \.headBytes), ("fieldCount", \.fieldCount), ("interimBytes", \.interimBytes),
            ("decodedBytes", \.decodedBytes),
        ]
        for (name, path) in limits {
            if let count = try settings.count("limits.\(name)") { self[keyPath: path] = count }
        }
        if let count = try settings.count("limits.bodyBytes") { bodyBytes = count }
    }
}

extension PoolOptions {
    fileprivate init(_ settings: SettingsReader) throws(SockeyeError) {
        self.init()
        let counts: [(String, WritableKeyPath<PoolOptions, Int>)] = [
            ("connectionsPerOrigin", \.connectionsPerOrigin), ("connections", \.connections), ("waiters", \.waiters),
        ]
        for (name, path) in counts {
            if let count = try settings.count("pool.\(name)") { self[keyPath: path] = count }
        }
        if let count = try settings.count("pool.maximumUses") { maximumUses = count }
        if let age = try settings.limit("pool.maximumAge") { maximumAge = age.duration }
        if let time = try settings.duration("pool.idleTimeout") { idleTimeout = time }
    }
}

extension Proxy.Selection {
    fileprivate init(_ settings: SettingsReader) throws(SockeyeError) {
        switch try settings.text("proxy", isSecret: true) {
        case nil, "none": self = .none
        case "environment": self = .environment
        case let url?:
            guard let proxy = try? Proxy(url) else {
                throw settings.fault("proxy", "none, environment, or the URL of an http, https or SOCKS proxy")
            }
            self = .through(proxy)
        }
    }
}

extension TLSOptions {
    fileprivate init(_ settings: SettingsReader) throws(SockeyeError) {
        self.init()
        switch (try settings.file("tls.roots"), try settings.file("tls.additionalRoots")) {
        case (nil, nil): break
        case (let path?, nil): roots = .file(path)
        case (nil, let path?): roots = .systemAnd(.file(path))
        case (_?, _?): throw settings.fault("tls.additionalRoots", "unset if tls.roots is set")
        }
        let (certificate, key) = (try settings.file("tls.certificate"), try settings.file("tls.privateKey"))
        if let certificate, let key {
            identity = .pem(certificate, key, passphrase: try settings.text("tls.passphrase", isSecret: true))
        } else if certificate != nil || key != nil {
            throw settings.fault(
                certificate == nil ? "tls.certificate" : "tls.privateKey",
                "a PEM file, since tls.certificate and tls.privateKey must be set together")
        }
        switch try settings.text("tls.minimumVersion") {
        case nil: break
        case "1.2": minimumVersion = .v1_2
        case "1.3": minimumVersion = .v1_3
        case let other?: throw settings.fault("tls.minimumVersion", "1.2 or 1.3", other)
        }
    }
}
#endif
