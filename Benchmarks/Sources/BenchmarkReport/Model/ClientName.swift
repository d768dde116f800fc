/// The names of the clients that targets and charts use.
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

    /// The libraries that Sockeye is compared with, without wrk, which is not a library but the practical limit.
    package static let peers = [asyncHTTPClient, urlSession, libcurl]

    /// Returns the name of a client's variant with a thread for each core, if its default is one thread.
    package static func threaded(_ name: String) -> String { name + "-threads" }

    /// Returns true if a client is Sockeye or a variant of it.
    package static func isOurs(_ name: String) -> Bool { name == sockeye || name.hasPrefix(sockeye + "-") }
}
