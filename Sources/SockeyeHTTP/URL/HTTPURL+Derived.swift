extension HTTPURL {
    /// This URL with `query` added to its own, joined by `?` or `&`.
    ///
    /// - Parameter query: Encoded as `a=1&b=2`. What may not stand in a query is percent-encoded, `#` and controls
    ///   included; `&`, `=`, `+` and `%` keep their meaning.
    /// - Throws: ``HTTPURL/Fault`` if the result is longer than ``maximumLength``.
    public func appending(query: String) throws(HTTPURL.Fault) -> HTTPURL {
        guard !query.isEmpty else { return self }
        var output = Array(slice(0, bounds.fragment))
        if bounds.query == bounds.fragment {
            output.append(0x3F)
        } else if bounds.query + 1 < bounds.fragment {
            output.append(0x26)
        }
        PercentEncoding.append(query.utf8, encoding: PercentEncoding.query, to: &output)
        let fragmentStart = output.count
        output.append(contentsOf: slice(bounds.fragment, UInt32(text.utf8.count)))
        guard output.count <= Self.maximumLength else { throw HTTPURL.Fault(.tooLong) }
        var bounds = bounds
        if bounds.query == bounds.fragment { bounds.query = self.bounds.fragment }
        bounds.fragment = UInt32(fragmentStart)
        return with(text: String(decoding: output, as: UTF8.self), bounds: bounds)
    }

    /// This URL with a path that ends in a slash, so that relative references append to it. Query and fragment go.
    ///
    /// Cut out of the normal form, never parsed again: a path that begins with `//` would be read as a host.
    ///
    /// - Throws: ``HTTPURL/Fault`` if the result is longer than ``maximumLength``.
    package var withDirectoryPath: HTTPURL {
        get throws(HTTPURL.Fault) {
            var output = Array(slice(0, bounds.query))
            if output.last != UInt8(ascii: "/") { output.append(UInt8(ascii: "/")) }
            guard output.count <= Self.maximumLength else { throw HTTPURL.Fault(.tooLong) }
            let end = UInt32(output.count)
            return HTTPURL(
                text: String(decoding: output, as: UTF8.self), origin: origin, userInfo: userInfo, hostKind: hostKind,
                bounds: Bounds(path: bounds.path, query: end, fragment: end))
        }
    }

    /// This URL with another fragment, or with none. What may not stand in a fragment is percent-encoded.
    public func withFragment(_ fragment: String?) -> HTTPURL {
        var output = Array(slice(0, bounds.fragment))
        if let fragment {
            output.append(0x23)
            PercentEncoding.append(fragment.utf8, encoding: PercentEncoding.fragment, to: &output)
        }
        return with(text: String(decoding: output, as: UTF8.self), bounds: bounds)
    }

    /// This URL without user name and password.
    public var removingUserInfo: HTTPURL {
        HTTPURL(text: text, origin: origin, userInfo: nil, hostKind: hostKind, bounds: bounds)
    }

    /// This URL with the user information of another.
    func withUserInfo(of other: HTTPURL) -> HTTPURL {
        HTTPURL(text: text, origin: origin, userInfo: other.userInfo, hostKind: hostKind, bounds: bounds)
    }

    private func with(text: String, bounds: Bounds) -> HTTPURL {
        HTTPURL(text: text, origin: origin, userInfo: userInfo, hostKind: hostKind, bounds: bounds)
    }
}
