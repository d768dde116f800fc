import CSockeyeSystem
import Glibc

/// Asks the system's resolver (`/etc/hosts`, DNS, whatever nsswitch says) on threads of its own.
///
/// `getaddrinfo` blocks for as long as the name servers take and cannot be stopped, so cancelling returns at once and
/// lets the call end in the background, on at most four threads.
package final class SystemResolver: Resolver {
    /// A blocking look-up that gives addresses of any port.
    package typealias LookUp = @Sendable (String) -> Result<[SocketAddress], ResolveError>

    /// The one that clients share, so that the threads are bounded for the whole process.
    package static let shared = SystemResolver()

    private let workers: BlockingWorkers
    private let lookUp: LookUp

    /// - Parameter lookUp: For tests; the default is `getaddrinfo`.
    package init(
        threads: Int = 4, queueLimit: Int = 1_000, idleTime: Duration = .seconds(10), lookUp: LookUp? = nil
    ) {
        workers = BlockingWorkers(
            name: "sockeye-resolve", threads: threads, queueLimit: queueLimit, idleTime: idleTime)
        self.lookUp = lookUp ?? { AddressInfo.lookUp($0) }
    }

    package func resolve(_ host: String, port: Int) async throws(ResolveError) -> [SocketAddress] {
        if let addresses = try KnownHost.addresses(of: host, port: port) { return addresses }
        let lookUp = lookUp
        let result: Result<[SocketAddress], ResolveError>
        do throws(BlockingRefusal) {
            result = try await workers.run { lookUp(host) }
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .overloaded(let limit): throw .overloaded(limit: limit)
            case .noThread(let code): throw .outOfResources(code)
            }
        }
        return try result.get().map { $0.with(port: port) }
    }

    package var threadCount: Int { workers.threadCount }
    package var queueLength: Int { workers.queueLength }
}

/// The system's look-up, which blocks the thread that calls it.
enum AddressInfo {
    /// Addresses with port 0, in the order that `getaddrinfo` gives them (RFC 6724), each once.
    static func lookUp(_ host: String) -> Result<[SocketAddress], ResolveError> {
        // The library below opens files and sockets, and takes one that it cannot open for one that is not there. So a name
        // counts as unknown only where it could have looked.
        if let lack = Exhaustion.present { return .failure(.outOfResources(lack)) }
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        let systemError = errno
        guard code == 0 else {
            return .failure(Exhaustion.present.map { .outOfResources($0) } ?? error(code, systemError))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let pointer = unsafe entry.pointee.ai_addr,
                let address = unsafe SocketAddress(pointer, length: entry.pointee.ai_addrlen),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = unsafe entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
    }

    static func error(_ code: Int32, _ systemError: Int32) -> ResolveError {
        // EAI_NODATA and EAI_ADDRFAMILY, which glibc declares for _GNU_SOURCE only: the name exists, without an address
        // or without one of a family that this machine has.
        let noData: Int32 = -5
        let noFamily: Int32 = -9
        switch code {
        case EAI_NONAME, noData, noFamily: return .notFound
        case EAI_SYSTEM where Exhaustion.isMeant(by: systemError): return .outOfResources(systemError)
        case EAI_MEMORY: return .outOfResources(ENOMEM)
        case EAI_AGAIN: return .temporary
        case EAI_SYSTEM: return unsafe .failed(code: code, text: String(cString: strerror(systemError)))
        default: return unsafe .failed(code: code, text: String(cString: gai_strerror(code)))
        }
    }
}
