/// Punycode (RFC 3492): encodes code points as letters, digits and hyphens.
enum Punycode {
    private static let base: UInt32 = 36
    private static let lowThreshold: UInt32 = 1
    private static let highThreshold: UInt32 = 26
    private static let firstPoint: UInt32 = 0x80

    /// Returns the encoded form without `xn--`; nil on overflow.
    static func encode(_ label: [UInt32]) -> [UInt8]? {
        var output = label.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = UInt32(output.count)
        var handled = basic
        if basic > 0 { output.append(0x2D) }
        var point = firstPoint
        var delta: UInt32 = 0
        var bias = initialBias
        while handled < label.count {
            guard let next = label.lazy.filter({ $0 >= point }).min() else { return nil }
            let (step, overflow) = (next - point).multipliedReportingOverflow(by: handled + 1)
            guard !overflow, step < UInt32.max - delta - UInt32(label.count) else { return nil }
            delta += step
            point = next
            for other in label {
                if other < point { delta += 1 }
                guard other == point else { continue }
                appendInteger(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            point += 1
        }
        return output
    }

    /// Decodes an encoded form without `xn--`; nil if it is malformed or has a byte outside of ASCII.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt32]? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        // A hyphen at the start is not a delimiter (RFC 3492 6.2). Decoding then fails, because a hyphen is not a
        // digit.
        let hyphen = text.lastIndex(of: 0x2D).flatMap { $0 > text.startIndex ? $0 : nil }
        var output: [UInt32] = hyphen.map { text[..<$0].map(UInt32.init) } ?? []
        var digits = hyphen.map { text[($0 + 1)...] } ?? text
        var point = firstPoint
        var index: UInt32 = 0
        var bias = initialBias
        while !digits.isEmpty {
            let last = index
            guard let advance = integer(&digits, bias: bias), advance <= UInt32.max - index else { return nil }
            index += advance
            let count = UInt32(output.count) + 1
            bias = adapted(index - last, count: count, isFirst: last == 0)
            let (reached, overflow) = point.addingReportingOverflow(index / count)
            guard !overflow, Unicode.Scalar(reached) != nil else { return nil }
            point = reached
            index %= count
            output.insert(point, at: Int(index))
            index += 1
        }
        return output
    }

    private static let initialBias: UInt32 = 72

    private static func threshold(_ position: UInt32, bias: UInt32) -> UInt32 {
        position <= bias ? lowThreshold : min(position - bias, highThreshold)
    }

    private static func appendInteger(_ value: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = value
        var position = base
        while case let limit = threshold(position, bias: bias), rest >= limit {
            output.append(digit(limit + (rest - limit) % (base - limit)))
            rest = (rest - limit) / (base - limit)
            position += base
        }
        output.append(digit(rest))
    }

    private static func integer(_ digits: inout ArraySlice<UInt8>, bias: UInt32) -> UInt32? {
        var value: UInt32 = 0
        var weight: UInt32 = 1
        var position = base
        while let byte = digits.popFirst() {
            guard let digit = digitValue(byte) else { return nil }
            let (part, tooLarge) = digit.multipliedReportingOverflow(by: weight)
            guard !tooLarge, part <= UInt32.max - value else { return nil }
            value += part
            let limit = threshold(position, bias: bias)
            if digit < limit { return value }
            let (heavier, tooHeavy) = weight.multipliedReportingOverflow(by: base - limit)
            guard !tooHeavy else { return nil }
            weight = heavier
            position += base
        }
        return nil
    }

    private static func digitValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x61...0x7A: UInt32(byte) - 0x61
        case 0x41...0x5A: UInt32(byte) - 0x41
        case 0x30...0x39: UInt32(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps: UInt32 = 0
        while delta > (base - lowThreshold) * highThreshold / 2 {
            delta /= base - lowThreshold
            steps += base
        }
        return steps + (base - lowThreshold + 1) * delta / (delta + 38)
    }
}
