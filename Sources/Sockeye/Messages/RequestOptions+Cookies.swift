extension RequestOptions {
    /// Whether the call takes part in its client's cookies: sends them, and stores those of the response. Default true, which
    /// changes nothing for a client without a ``CookiePolicy``. False is ``skippedStages`` with `.cookies` in it.
    ///
    /// AFNetworking's counterpart is `HTTPShouldHandleCookies`.
    public var handlesCookies: Bool {
        get { !skippedStages.contains(.cookies) }
        set {
            guard newValue != handlesCookies else { return }
            if newValue { skippedStages.remove(.cookies) } else { skippedStages.insert(.cookies) }
        }
    }
}
