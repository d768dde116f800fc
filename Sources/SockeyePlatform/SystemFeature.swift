import CSockeyeSystem

/// An optional feature of an operating system. The functions and options that a case lists need the feature. On systems
/// without it, they fail with `notSupported` or return the value that their documentation gives for "unknown".
package enum SystemFeature: Sendable, CaseIterable {
    /// ``SystemSocket/send(_:file:at:count:)``.
    case fileSending
    /// ``SystemFile/readCached(_:into:at:)`` and ``SystemFile/cachedPrefix(_:_:isOwned:)``.
    case cachedReads
    /// ``SystemSocketOption/readLowWaterMark``.
    case lowWaterMark
    /// ``SystemSocketOption/userTimeout``.
    case userTimeout
    /// ``SystemSocketOption/fastOpenConnect``.
    case fastOpen
    /// ``SystemSocket/openMultipath(for:)``.
    case multipath
    /// ``SystemSocket/bind(_:toInterface:)``.
    case interfaceBinding
    /// ``RouteSource``.
    case routes
    /// Kernel TLS, through OpenSSL's socket BIO.
    case kernelTLS
    /// Abstract names of unix-domain sockets, which are not in the file system (unix(7)).
    case abstractNames
    /// ``SystemFile/reopen(_:for:)``.
    case reopening
    /// ``SystemProcess/creationMask``.
    case creationMask
    /// ``SystemSocket/isUnacknowledged(_:)``.
    case acknowledgements
    /// ``SystemSocket/protocolNumber(_:)``.
    case socketProtocol
    /// ``SystemMemory/allocatedBytes``.
    case allocatedBytes

    /// True if this operating system has the feature. An old kernel, or its settings, may still refuse it.
    package var isSupported: Bool { sockeye_supports(feature) }

    private var feature: sockeye_feature {
        switch self {
        case .fileSending: sockeye_feature_send_file
        case .cachedReads: sockeye_feature_cached_reads
        case .lowWaterMark: sockeye_feature_low_water_mark
        case .userTimeout: sockeye_feature_user_timeout
        case .fastOpen: sockeye_feature_fast_open
        case .multipath: sockeye_feature_multipath
        case .interfaceBinding: sockeye_feature_bind_to_interface
        case .routes: sockeye_feature_routes
        case .kernelTLS: sockeye_feature_kernel_tls
        case .abstractNames: sockeye_feature_abstract_names
        case .reopening: sockeye_feature_reopening
        case .creationMask: sockeye_feature_creation_mask
        case .acknowledgements: sockeye_feature_acknowledgements
        case .socketProtocol: sockeye_feature_socket_protocol
        case .allocatedBytes: sockeye_feature_allocated_bytes
        }
    }
}
