import SockeyeEngine
public import SockeyeEssentials
public import SockeyeHTTP

extension HTTPURL {
    /// A type that a call accepts as its URL: text, an ``HTTPURL`` or Foundation's `URL`, absolute or relative to the
    /// client's base URL.
    ///
    /// No minor version adds a requirement; see <doc:Stability>.
    public protocol Convertible {
        /// Returns the absolute URL.
        ///
        /// - Parameter base: The base for a relative reference (RFC 3986 5.2); nil if the client has no base URL.
        /// - Throws: ``HTTPURL/Fault`` if the text cannot be parsed or the result is not an absolute http or https URL.
        func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL
    }
}

extension String: HTTPURL.Convertible {
    /// Parses the text, relative to the base if that is not nil.
    public func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        guard let base else { return try HTTPURL(self) }
        return try base.resolving(self)
    }
}

extension Substring: HTTPURL.Convertible {
    /// Parses the text, relative to the base if that is not nil.
    public func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        try String(self).httpURL(relativeTo: base)
    }
}

extension HTTPURL: HTTPURL.Convertible {
    /// Returns the URL itself.
    public func httpURL(relativeTo base: HTTPURL?) -> HTTPURL { self }
}

extension URL: HTTPURL.Convertible {
    /// Resolves the URL against its own base, if it has one, and then against the client's.
    public func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        try absoluteString.httpURL(relativeTo: base)
    }
}
