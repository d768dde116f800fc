import Glibc

/// A converter from a character set to UTF-8 (iconv(3)). A value decodes one text, on one thread.
@safe package struct CharacterConverter: ~Copyable {
    private let handle: iconv_t

    /// Nil if the C library has no converter for the character set; small container images lack the rarer ones.
    package init?(from name: String) {
        // iconv_open fails with (iconv_t)-1.
        guard let handle = unsafe iconv_open("UTF-8", name), Int(bitPattern: handle) != -1 else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe iconv_close(handle)
    }

    /// Converts `bytes` to a string; undecodable bytes become U+FFFD.
    package func convert(_ bytes: UnsafeRawBufferPointer) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        // iconv takes its input through a pointer to char *, but does not write to it.
        var input = unsafe UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: CChar.self).baseAddress)
        var inputLeft = bytes.count
        while inputLeft > 0 {
            let before = inputLeft
            let (written, failure) = unsafe step(&input, &inputLeft, into: &output)
            let isStuck = failure == E2BIG && written == 0 && inputLeft == before
            if failure == EILSEQ || failure == EINVAL || isStuck {
                output.append(contentsOf: "\u{FFFD}".utf8)
                // An incomplete character at the end is one error; otherwise retry one byte later.
                let skipped = failure == EINVAL ? inputLeft : 1
                unsafe input = unsafe input.map { unsafe $0 + skipped }
                inputLeft -= skipped
            }
        }
        // Some converters delay a character until they know that no combining one follows.
        _ = unsafe step(&input, nil, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Makes one call of iconv. Returns the number of bytes written, and errno if it stopped before the end of the
    /// input.
    private func step(
        _ input: inout UnsafeMutablePointer<CChar>?, _ inputLeft: UnsafeMutablePointer<Int>?, into output: inout [UInt8]
    ) -> (written: Int, failure: CInt) {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8192) { buffer in
            var end = buffer.baseAddress
            var space = buffer.count
            let result =
                unsafe inputLeft == nil
                ? iconv(handle, nil, nil, &end, &space) : iconv(handle, &input, inputLeft, &end, &space)
            let failure = result == Int(bitPattern: UInt.max) ? errno : 0
            let written = buffer.count - space
            unsafe output.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<written]))
            return (written, failure)
        }
    }
}
