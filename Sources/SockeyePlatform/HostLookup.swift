import CSockeyeSystem

/// The system's host look-up (getaddrinfo(3)), which blocks the calling thread.
package enum HostLookup {
    /// The error of a failed look-up.
    package enum Failure: Error, Sendable, Hashable {
        /// The name does not exist, or has no address.
        case notFound
        /// The name servers cannot be reached, or have no answer at the moment.
        case temporary
        case outOfResources(SystemError)
        /// Another error of getaddrinfo(3), such as EAI_FAIL, or another error of the system.
        case other(code: Int32, text: String)
    }

    /// The maximum number of addresses that a look-up returns. A DNS answer over TCP has room for thousands.
    private static let mostAddresses = 256

    /// Returns the addresses with port 0, in the order of `getaddrinfo` (RFC 6724), without duplicates; at most
    /// ``mostAddresses``.
    package static func addresses(of host: String) -> Result<[SystemAddress], Failure> {
        // The C library treats a file that it cannot open, such as `/etc/hosts`, as missing. Without free descriptors
        // it would therefore report an existing name as unknown.
        if let lack = SystemError.descriptorShortage { return .failure(.outOfResources(lack)) }
        var addresses: [SystemAddress] = []
        let result = unsafe withUnsafeMutablePointer(to: &addresses) { addresses in
            unsafe sockeye_lookup(host, addresses) { addresses, parts in
                let addresses = unsafe addresses!.assumingMemoryBound(to: [SystemAddress].self)
                guard let address = unsafe SystemAddress(parts!.pointee),
                    unsafe addresses.pointee.count < HostLookup.mostAddresses,
                    unsafe !addresses.pointee.contains(address)
                else { return }
                unsafe addresses.pointee.append(address)
            }
        }
        if unsafe result.outcome == sockeye_lookup_done {
            return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
        }
        if let lack = SystemError.descriptorShortage { return .failure(.outOfResources(lack)) }
        return unsafe .failure(failure(result))
    }

    private static func failure(_ result: sockeye_lookup_result) -> Failure {
        let code = unsafe result.code
        switch unsafe result.outcome {
        case sockeye_lookup_not_found: return .notFound
        case sockeye_lookup_temporary: return .temporary
        case sockeye_lookup_system_error:
            let error = SystemError(code)
            return error.isOutOfResources ? .outOfResources(error) : .other(code: code, text: error.text)
        default: return unsafe .other(code: code, text: String(cString: result.text))
        }
    }
}
