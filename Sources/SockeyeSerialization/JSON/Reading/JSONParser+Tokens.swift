extension JSONParser {
    mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard position + index < bytes.count else { throw end("inside a word", at: bytes.count) }
            guard unsafe bytes[position + index] == word.utf8Start[index] else {
                throw unexpected("the rest of '\(word)'", at: position + index)
            }
        }
        position += word.utf8CodeUnitCount
        return value
    }

    func end(_ place: String, at offset: Int? = nil) -> JSONFault {
        JSONFault(.unexpectedEnd, at: offset ?? position, "the text ends \(place)")
    }

    func unexpected(_ expected: String, at offset: Int? = nil) -> JSONFault {
        JSONFault(.unexpectedCharacter, at: offset ?? position, "\(expected) expected")
    }

    // MARK: Numbers

    /// The number whose first character, a digit or a minus sign, comes next.
    mutating func number() throws(JSONFault) -> JSONNumber {
        let start = position
        let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let integer = try integerDigits()
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            isInteger = false
            try digits("behind the point")
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            isInteger = false
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits("in the exponent")
        }
        guard isInteger, let integer, integer != 0 || !isNegative else {
            return JSONNumber(.digits(text(start..<position, isASCII: true)))
        }
        return if !isNegative {
            integer <= UInt64(Int64.max) ? JSONNumber(.signed(Int64(integer))) : JSONNumber(.unsigned(integer))
        } else if let negative = Int64(exactly: integer).map({ -$0 }) {
            JSONNumber(.signed(negative))
        } else if integer == Int64.min.magnitude {
            JSONNumber(.signed(.min))
        } else {
            JSONNumber(.digits(text(start..<position, isASCII: true)))
        }
    }

    /// The digits before a point; nil if they make more than 64 bits.
    private mutating func integerDigits() throws(JSONFault) -> UInt64? {
        let start = position
        var value: UInt64 = 0
        var overflows = false
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, larger) = product.addingReportingOverflow(UInt64(bytes[position] &- 0x30))
            overflows = overflows || tooLarge || larger
            value = sum
            position += 1
        }
        guard position > start else { throw noDigit("where a number should start") }
        guard bytes[start] != 0x30 || position == start + 1 else {
            throw JSONFault(.invalidNumber, at: start, "a number starts with a zero")
        }
        return overflows ? nil : value
    }

    private mutating func digits(_ place: String) throws(JSONFault) {
        let start = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
        guard position > start else { throw noDigit(place) }
    }

    private func noDigit(_ place: String) -> JSONFault {
        guard position < bytes.count else { return end("inside a number") }
        return JSONFault(.invalidNumber, at: position, "there is no digit \(place)")
    }
}
