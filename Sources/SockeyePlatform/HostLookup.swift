import CSockeyeSystem
import Glibc

/// The system's host look-up (getaddrinfo(3)), which blocks the calling thread.
package enum HostLookup {
    /// The error of a failed look-up.
    package enum Failure: Error, Sendable, Hashable {
        /// The name does not exist, or has no address.
        case notFound
        /// The name servers cannot be reached, or have no answer at the moment.
        case temporary
        case outOfResources(SystemError)
        /// Another error, with its code and text.
        case other(code: Int32, text: String)
    }

    /// Returns the addresses with port 0, in the order of `getaddrinfo` (RFC 6724), without duplicates.
    package static func addresses(of host: String) -> Result<[SystemAddress], Failure> {
        // The C library opens files and sockets, and treats one that it cannot open as missing. So a name counts as
        // unknown only if descriptors were available.
        if let lack = SystemError.descriptorShortage { return .failure(.outOfResources(lack)) }
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        let systemError = SystemError.last
        guard code == 0 else {
            return .failure(SystemError.descriptorShortage.map { .outOfResources($0) } ?? failure(code, systemError))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SystemAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let pointer = unsafe entry.pointee.ai_addr,
                let address = unsafe SystemAddress(pointer, length: entry.pointee.ai_addrlen),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = unsafe entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
    }

    private static func failure(_ code: Int32, _ systemError: SystemError) -> Failure {
        // EAI_NODATA and EAI_ADDRFAMILY, which glibc declares only for _GNU_SOURCE: the name exists, but without an
        // address or without one of this machine's families.
        let noData: Int32 = -5
        let noFamily: Int32 = -9
        switch code {
        case EAI_NONAME, noData, noFamily: return .notFound
        case EAI_SYSTEM where systemError.isOutOfResources: return .outOfResources(systemError)
        case EAI_MEMORY: return .outOfResources(.noMemory)
        case EAI_AGAIN: return .temporary
        case EAI_SYSTEM: return .other(code: code, text: systemError.text)
        default: return unsafe .other(code: code, text: String(cString: gai_strerror(code)))
        }
    }
}
