#if AsyncDNS
import CSockeyeAres
import CSockeyeSystem
import Glibc

/// Questions to name servers that are under way (RFC 1035), as c-ares asks them: which servers, how often, by UDP or by TCP,
/// with which search domains (resolv.conf(5)), after a look into `/etc/hosts`.
///
/// Neither blocks nor waits, and is not thread-safe: its owner makes one call at a time and takes what came of each from
/// ``takeEvents()``. It opens sockets and never closes those that it has shown: that is the owner's, who may watch them.
@safe package final class NameServerChannel {
    /// What differs from the system's files.
    package struct Settings: Sendable, Hashable {
        /// Addresses of name servers with their ports, as `192.0.2.1:53` or `[2001:db8::1]:53`; none: those of the file.
        package var servers: [String] = []
        /// Domains that short names are looked up in; nil: those of the file.
        package var searchDomains: [String]?
        /// How long the first answer of a server is waited for; doubled for each round through the servers.
        package var milliseconds = 5_000
        /// How many rounds through the servers.
        package var attempts = 2
        package var path = "/etc/resolv.conf"
        /// Whether the environment variable `CARES_HOSTS` names the file of hosts.
        package var readsHostsVariable = false

        package init() {}
    }

    /// The addresses of a name.
    package struct Answer: Sendable, Hashable {
        /// In the order of RFC 6724, each once, with port 0.
        package let addresses: [SystemAddress]
        /// For how many seconds they may be kept: the least of all records on the way to them. 0 from `/etc/hosts`.
        package let timeToLive: Int
    }

    /// Why a name has no addresses.
    package enum Failure: Error, Sendable, Hashable {
        /// The name does not exist (NXDOMAIN).
        case notFound
        /// The name exists and has no address.
        case noData
        /// The server could not answer (SERVFAIL), or would not (REFUSED).
        case serverFailure, refused
        /// No server answered in time.
        case unanswered
        /// No server could be reached.
        case unreachable
        /// The server closed the connection before it answered.
        case interrupted
        /// What a server sent is no answer.
        case malformed
        /// Nobody can ask for such a name.
        case invalidName
        /// The channel was told to stop.
        case cancelled
        case outOfResources(SystemError)
        case other(code: Int32, text: String)
    }

    /// What came of a call.
    package struct Events {
        /// Questions that are settled, by the number that they were asked with.
        package var answers: [(question: UInt64, result: Result<Answer, Failure>)] = []
        /// Sockets to be watched from now on, and whether they are of TCP. Some may be among `retired` already.
        package var opened: [(socket: Int32, isStream: Bool)] = []
        /// Sockets that were shown before and are not used any more: to be closed.
        package var retired: [Int32] = []

        package var isEmpty: Bool { answers.isEmpty && opened.isEmpty && retired.isEmpty }
    }

    private let channel: UnsafeMutableRawPointer
    private let sockets: NameServerSockets
    private let readsHostsVariable: Bool
    private let milliseconds: Int32

    package init(_ settings: Settings) throws(Failure) {
        let sockets = NameServerSockets()
        self.sockets = sockets
        readsHostsVariable = settings.readsHostsVariable
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
        var domains = unsafe (settings.searchDomains ?? []).map { unsafe UnsafePointer(strdup($0)) }
        // With room for none, too, since a list without domains is another thing than no list.
        unsafe domains.append(nil)
        defer {
            while let text = unsafe domains.popLast() { unsafe free(UnsafeMutablePointer(mutating: text)) }
        }
        let servers = settings.servers.joined(separator: ",")
        // It copies all of this.
        return unsafe settings.path.withCString { path in
            unsafe servers.withCString { servers in
                unsafe domains.withUnsafeBufferPointer { domains in
                    var values = unsafe sockeye_ares_settings(
                        path: path, servers: settings.servers.isEmpty ? nil : servers,
                        domains: settings.searchDomains == nil ? nil : domains.baseAddress,
                        domain_count: Int32(clamping: settings.searchDomains?.count ?? 0),
                        milliseconds: Int32(clamping: settings.milliseconds),
                        attempts: Int32(clamping: settings.attempts))
                    return unsafe sockeye_ares_make(&values, sockets.calls, &status)
                }
            }
        }
    }

    /// Asks for the addresses of a name. The answer comes with the events of this call or of a later one.
    ///
    /// - Parameter name: Without a NUL, where C would stop reading.
    package func ask(for name: String, as question: UInt64) {
        sockets.beginCall()
        let asked = unsafe Unmanaged.passRetained(NameServerQuestion(number: question, host: name, sockets: sockets))
        let answer = unsafe sockeye_ares_answer(
            context: asked.toOpaque(),
            record: { asked, address, length, seconds in
                let asked = unsafe Unmanaged<NameServerQuestion>.fromOpaque(asked!).takeUnretainedValue()
                unsafe asked.take(address, length: length, seconds: seconds)
            },
            done: { asked, status in
                // Called once for each question, at the latest when the channel is freed.
                unsafe Unmanaged<NameServerQuestion>.fromOpaque(asked!).takeRetainedValue().settle(status)
            })
        unsafe sockeye_ares_ask(channel, name, readsHostsVariable ? 1 : 0, answer)
    }

    /// Reads or writes what a socket is ready for.
    ///
    /// - Returns: Whether more may be there: so many packets came that others should have their turn first.
    package func process(_ socket: Int32, reads: Bool) -> Bool {
        sockets.beginCall()
        guard reads else {
            unsafe sockeye_ares_process(channel, -1, socket)
            return false
        }
        // Of a TCP connection c-ares reads one piece a call, and of UDP what is there.
        var reads = 0
        repeat {
            reads = sockets.readCount
            unsafe sockeye_ares_process(channel, socket, -1)
        } while sockets.mayRead(socket) && sockets.readCount > reads
        return sockets.isOverBudget
    }

    /// Repeats or gives up what has not been answered in time.
    package func processTimeouts() {
        sockets.beginCall()
        unsafe sockeye_ares_process(channel, -1, -1)
    }

    /// In how many milliseconds ``processTimeouts()`` is due, at the latest.
    package var untilTimeout: Int { unsafe Int(sockeye_ares_timeout(channel, milliseconds)) }

    /// Gives all questions up, and with them all sockets.
    package func cancelAll() {
        sockets.beginCall()
        unsafe sockeye_ares_cancel(channel)
    }

    package func takeEvents() -> Events { sockets.takeEvents() }
}
#endif
