import CSockeyeSystem

/// Information about this process and the system.
package enum SystemProcess {
    package static var identifier: Int32 { sockeye_process_id() }

    /// The effective user id.
    package static var user: UInt32 { sockeye_user_id() }

    /// Returns the value of an environment variable; nil if it is unset.
    package static func environment(_ name: String) -> String? {
        unsafe sockeye_environment(name).map { unsafe String(cString: $0) }
    }

    /// The permissions that new files do not get (the process's umask); nil if unknown.
    ///
    /// umask(2) is not used, because it can return the mask only by changing it for all threads.
    package static var creationMask: UInt32? { UInt32(exactly: sockeye_creation_mask()) }

    /// The number of open descriptors; nil if unknown.
    package static var descriptorCount: Int? {
        let count = sockeye_descriptor_count()
        return count < 0 ? nil : Int(count)
    }

    /// The largest resident set size so far, in bytes; nil if unknown.
    package static var peakResidentBytes: Int? {
        let count = sockeye_peak_resident_bytes()
        return count == 0 ? nil : count
    }

    /// The files of root certificates to try, in this order, if OpenSSL's default locations do not exist.
    package static let rootBundles: [String] = {
        var bundles: [String] = []
        while let bundle = unsafe sockeye_root_bundle(Int32(bundles.count)) {
            unsafe bundles.append(String(cString: bundle))
        }
        return bundles
    }()

    /// The name and release of the system (uname(2)), such as `Linux 6.1.0`.
    package static let system: String =
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            unsafe sockeye_system_name(room.baseAddress, room.count)
            return unsafe String(cString: room.baseAddress!)
        }
}
