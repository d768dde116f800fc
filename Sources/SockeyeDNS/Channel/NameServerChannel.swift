#if AsyncDNS
import CSockeyeAres
import CSockeyeSystem
package import SockeyePlatform

/// A DNS client (RFC 1035): a c-ares channel, which sends queries to name servers and parses the answers.
///
/// c-ares reads `/etc/hosts`, chooses servers and search domains (resolv.conf(5)), repeats queries, and uses UDP or
/// TCP.
///
/// The channel never blocks, and is not thread-safe: its owner makes one call at a time and reads the results from
/// ``takeEvents()``. The channel opens sockets and reports them to the owner. The owner closes the retired sockets that
/// it has taken from the events. The channel does not close them itself, because the owner may still be watching them.
/// All other sockets are closed when the channel is freed, so the owner must have stopped watching them by then.
@safe package final class NameServerChannel {
    /// The settings that override the system's files.
    package struct Settings: Sendable, Hashable {
        /// The addresses of name servers with ports, as `192.0.2.1:53` or `[2001:db8::1]:53`. If empty, the servers in
        /// the file at `path` are used.
        package var servers: [String] = []
        /// The domains to complete short names with. Nil uses the domains in the file at `path`; an empty list disables
        /// the completion of names.
        package var searchDomains: [String]?
        /// The time to wait for a server in the first round, in ms; doubled for each further round.
        package var milliseconds = 5_000
        /// The number of rounds through the servers. c-ares 1.32 and newer may shorten the first round. Such a version
        /// is therefore given more rounds, so that all rounds together take at least as long as with older versions.
        package var attempts = 2
        /// The configuration file (resolv.conf(5)).
        package var path = "/etc/resolv.conf"
        /// True if c-ares takes the path of the hosts file from the environment variable `CARES_HOSTS`.
        package var usesHostsVariable = false

        package init() {}
    }

    /// The addresses of a name.
    package struct Answer: Sendable, Hashable {
        /// The addresses in the order of RFC 6724, without duplicates, with port 0; at most 64 of each family.
        package let addresses: [SystemAddress]
        /// The time in seconds for which the addresses may be cached: the least TTL of the records that led to them. 0
        /// for addresses from `/etc/hosts`.
        package let timeToLive: Int
    }

    /// The error of a failed query.
    package enum Failure: Error, Sendable, Hashable {
        /// The name does not exist (NXDOMAIN).
        case notFound
        /// The name exists but has no address.
        case noData
        /// The server could not answer (SERVFAIL), or refused to (REFUSED). If the answer for one record type (A or
        /// AAAA) is FORMERR or NOTIMP and the other type has no address, the failure is also `serverFailure`.
        case serverFailure, refused
        /// No server answered in time.
        case unanswered
        /// No server could be reached.
        case unreachable
        /// The server truncated its answer over UDP, and the TCP connection for the full answer failed or was closed
        /// too early.
        case interrupted
        /// A server sent a malformed answer, or called the query malformed (FORMERR), except in the case described at
        /// ``serverFailure``.
        case malformed
        /// The name is not a valid DNS name.
        case invalidName
        /// The channel's queries were cancelled, or the channel was freed.
        case cancelled
        /// The system refused memory or a socket.
        case outOfResources(SystemError)
        /// Another status of c-ares, with its number and its text in English.
        case other(code: Int32, text: String)
    }

    /// The results of the calls since the last ``takeEvents()``.
    package struct Events {
        /// Finished queries, with the number given to ``query(for:as:)``.
        package var answers: [(question: UInt64, result: Result<Answer, Failure>)] = []
        /// Sockets that the channel has opened, with true for TCP. The owner watches them from now on, except those
        /// that are also in `retired`.
        package var opened: [(socket: Int32, isStream: Bool)] = []
        /// Sockets from this or an earlier `opened` that are no longer used. The owner closes them.
        package var retired: [Int32] = []

        package var isEmpty: Bool { answers.isEmpty && opened.isEmpty && retired.isEmpty }
    }

    private let channel: UnsafeMutableRawPointer
    private let sockets: NameServerSockets
    private let usesHostsVariable: Bool
    private let milliseconds: Int32

    package init(_ settings: Settings) throws(Failure) {
        let sockets = NameServerSockets()
        self.sockets = sockets
        usesHostsVariable = settings.usesHostsVariable
        milliseconds = Int32(clamping: settings.milliseconds)
        var status: Int32 = 0
        let channel = unsafe Self.make(settings, sockets, &status)
        guard let channel = unsafe channel else { throw sockets.failure(ofStatus: status) }
        unsafe self.channel = channel
    }

    deinit {
        unsafe sockeye_ares_free(channel)
        for socket in sockets.takeEvents().retired { SystemSocket.close(socket) }
    }

    private static func make(
        _ settings: Settings, _ sockets: NameServerSockets, _ status: inout Int32
    ) -> UnsafeMutableRawPointer? {
        let domains = (settings.searchDomains ?? []).joined(separator: "\n")
        let servers = settings.servers.joined(separator: ",")
        // c-ares copies these strings.
        return unsafe settings.path.withCString { path in
            unsafe servers.withCString { servers in
                unsafe domains.withCString { domains in
                    var values = unsafe sockeye_ares_settings(
                        path: path, servers: settings.servers.isEmpty ? nil : servers,
                        domains: settings.searchDomains == nil ? nil : domains,
                        milliseconds: Int32(clamping: settings.milliseconds),
                        attempts: Int32(clamping: settings.attempts))
                    return unsafe sockeye_ares_make(&values, sockets.calls, &status)
                }
            }
        }
    }

    /// Queries the addresses of a name. The events of this call or of a later call contain the answer.
    ///
    /// - Parameters:
    ///   - name: The name; must not contain a NUL, which would end the C string.
    ///   - question: The number of the query in ``Events/answers``.
    package func query(for name: String, as question: UInt64) {
        sockets.beginCall()
        let asked = unsafe Unmanaged.passRetained(NameServerQuestion(number: question, host: name, sockets: sockets))
        let answer = unsafe sockeye_ares_answer(
            context: asked.toOpaque(),
            record: { asked, address, length, seconds in
                let asked = unsafe Unmanaged<NameServerQuestion>.fromOpaque(asked!).takeUnretainedValue()
                unsafe asked.take(address, length: length, seconds: seconds)
            },
            done: { asked, status in
                // c-ares calls this once for each question, at the latest when the channel is freed.
                unsafe Unmanaged<NameServerQuestion>.fromOpaque(asked!).takeRetainedValue().settle(status)
            })
        unsafe sockeye_ares_ask(channel, name, usesHostsVariable ? 1 : 0, answer)
    }

    /// Reads from or writes to a ready socket.
    ///
    /// - Returns: True if this call has reached its limit of reads before the socket was empty. The owner then lets
    ///   other tasks run and calls again.
    package func process(_ socket: Int32, reads: Bool) -> Bool {
        sockets.beginCall()
        guard reads else {
            unsafe sockeye_ares_process(channel, -1, socket)
            return false
        }
        // A call of c-ares reads all datagrams of a UDP socket, but only one piece of a TCP connection.
        var readsBefore = 0
        repeat {
            readsBefore = sockets.readCount
            unsafe sockeye_ares_process(channel, socket, -1)
        } while sockets.mayRead(socket) && sockets.readCount > readsBefore
        return sockets.isOverBudget
    }

    /// Repeats or gives up queries that are past their time-out.
    package func processTimeouts() {
        sockets.beginCall()
        unsafe sockeye_ares_process(channel, -1, -1)
    }

    /// The time in ms until the next call of ``processTimeouts()`` is due.
    package var untilTimeout: Int { unsafe Int(sockeye_ares_timeout(channel, milliseconds)) }

    /// Cancels all queries, which retires all sockets.
    package func cancelAll() {
        sockets.beginCall()
        unsafe sockeye_ares_cancel(channel)
    }

    package func takeEvents() -> Events { sockets.takeEvents() }
}
#endif
