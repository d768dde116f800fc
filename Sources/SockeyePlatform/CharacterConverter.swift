import CSockeyeSystem

/// A converter from a character set to UTF-8 (iconv(3)). A value decodes one text, on one thread.
@safe package struct CharacterConverter: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    /// Nil if the C library has no converter for the character set; small container images lack the rarer ones.
    package init?(from name: String) {
        guard let handle = unsafe sockeye_converter_open(name) else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe sockeye_converter_close(handle)
    }

    /// Converts `bytes` to a string; undecodable bytes become U+FFFD.
    package func convert(_ bytes: UnsafeRawBufferPointer) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var input = bytes.baseAddress
        var inputLeft = bytes.count
        while inputLeft > 0 {
            let before = inputLeft
            let (written, outcome) = unsafe step(&input, &inputLeft, into: &output)
            let isStuck = outcome == sockeye_conversion_full && written == 0 && inputLeft == before
            if outcome == sockeye_conversion_invalid || outcome == sockeye_conversion_incomplete || isStuck {
                output.append(contentsOf: "\u{FFFD}".utf8)
                // An incomplete character at the end is one error; otherwise retry one byte later.
                let skipped = outcome == sockeye_conversion_incomplete ? inputLeft : 1
                unsafe input = unsafe input.map { unsafe $0 + skipped }
                inputLeft -= skipped
            }
        }
        // Some converters delay a character until they know that no combining character follows.
        _ = unsafe step(nil, nil, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Converts a piece of the input. Returns the number of bytes written, and why it stopped.
    private func step(
        _ input: UnsafeMutablePointer<UnsafeRawPointer?>?, _ inputLeft: UnsafeMutablePointer<Int>?,
        into output: inout [UInt8]
    ) -> (written: Int, outcome: sockeye_conversion) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 1) { buffer in
            var written = 0
            let outcome = unsafe sockeye_converter_step(
                handle, input, inputLeft, buffer.baseAddress, buffer.count, &written)
            unsafe output.append(contentsOf: buffer[..<written])
            return (written, outcome)
        }
    }
}
