import SockeyeEngine

extension OutgoingRequest.Options {
    /// These options, and those of `defaults` where these leave it open.
    func merging(_ defaults: OutgoingRequest.Options) -> OutgoingRequest.Options {
        var merged = self
        if let usual = defaults.timeouts { merged.timeouts = timeouts?.over(usual) ?? usual }
        merged.compression = compression ?? defaults.compression
        merged.bodyLimit = bodyLimit ?? defaults.bodyLimit
        if !defaults.interceptors.isEmpty { merged.interceptors = defaults.interceptors + interceptors }
        if !defaults.skippedStages.isEmpty { merged.skippedStages.formUnion(defaults.skippedStages) }
        merged.expectContinue = expectContinue ?? defaults.expectContinue
        merged.decompresses = decompresses ?? defaults.decompresses
        merged.unixSocketPath = unixSocketPath ?? defaults.unixSocketPath
        merged.isIdempotent = isIdempotent ?? defaults.isIdempotent
        merged.closesConnection = closesConnection || defaults.closesConnection
        merged.onInterim = onInterim ?? defaults.onInterim
        merged.onBodyProgress = onBodyProgress ?? defaults.onBodyProgress
        return merged
    }
}
