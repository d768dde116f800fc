/// The names of the clients that targets and charts ask for.
package enum ClientName {
    package static let sockeye = "sockeye"
    package static let loop = "sockeye-loop"
    package static let policies = "sockeye-policies"
    package static let watched = "sockeye-watched"
    package static let codings = "sockeye-codings"
    package static let asyncHTTPClient = "async-http-client"
    package static let urlSession = "URLSession"
    package static let libcurl = "libcurl"
    package static let wrk = "wrk"
    package static let hyper = "hyper"
    package static let reqwest = "reqwest"
    package static let go = "Go"

    /// The libraries that Sockeye is compared with. wrk is no library: it stands for the practical limit.
    package static let peers = [asyncHTTPClient, urlSession, libcurl]

    /// The same client with a thread for each core, where it has one otherwise.
    package static func threaded(_ name: String) -> String { name + "-threads" }

    /// Whether a client is Sockeye, used in one way or another.
    package static func isOurs(_ name: String) -> Bool { name == sockeye || name.hasPrefix(sockeye + "-") }
}
