public import FoundationEssentials
import SockeyeEngine
public import SockeyeHTTP

extension HTTPURL {
    /// What a call takes for its URL: text, an ``HTTPURL`` or Foundation's `URL`, absolute or relative to the base of the
    /// client's scope.
    ///
    /// No minor version adds a requirement; see <doc:Stability>.
    public protocol Convertible {
        /// The absolute URL.
        ///
        /// - Parameter base: What a relative reference is resolved against (RFC 3986 5.2); nil where there is none.
        /// - Throws: ``HTTPURL/Fault`` for what is no http or https URL.
        func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL
    }
}

extension String: HTTPURL.Convertible {
    /// Parses the text, against the base if it has one.
    public func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        guard let base else { return try HTTPURL(self) }
        return try base.resolving(self)
    }
}

extension Substring: HTTPURL.Convertible {
    /// Parses the text, against the base if it has one.
    public func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        try String(self).httpURL(relativeTo: base)
    }
}

extension HTTPURL: HTTPURL.Convertible {
    /// The URL itself.
    public func httpURL(relativeTo base: HTTPURL?) -> HTTPURL { self }
}

extension URL: HTTPURL.Convertible {
    /// Parses the URL's text, resolved against its own base, if it has one, and then against the client's.
    public func httpURL(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        try absoluteString.httpURL(relativeTo: base)
    }
}
