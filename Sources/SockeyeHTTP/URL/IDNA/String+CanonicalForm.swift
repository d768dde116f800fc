extension String {
    /// The text in Normalization Form C (UAX 15).
    package var canonicallyComposed: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        let points = CanonicalForm.shared.normalize(unicodeScalars.lazy.map(\.value))
        return String(UnicodeScalarView(points.compactMap { Unicode.Scalar($0) }))
    }
}
