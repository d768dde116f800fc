import Foundation
import SockeyeSerialization
import Testing

/// Unlimited nesting must not overflow the stack.
@Suite("Parameter depth")
struct ParameterDepthTests {
    enum Shape: CaseIterable { case array, set, dictionary }

    /// Returns parameters with this number of levels and a number in the innermost.
    private func nested(_ shape: Shape, levels: Int) -> RequestParameters {
        var value: ParameterValue = 1
        for _ in 1..<levels {
            value =
                switch shape {
                case .array: [value]
                case .set: .set([value])
                case .dictionary: ["k": value]
                }
        }
        return ["k": value]
    }

    @Test("the depth is limited when a style encodes", arguments: Shape.allCases)
    func style(shape: Shape) throws {
        let text = try RequestParameters.Style.standard.encode(nested(shape, levels: RequestParameters.maximumDepth))
        #expect(text.hasPrefix("k") && text.hasSuffix("=1"))
        for levels in [RequestParameters.maximumDepth + 1, 2000] {
            let error = try #require(throws: RequestParameters.EncodingError.self) {
                try RequestParameters.Style.standard.encode(nested(shape, levels: levels))
            }
            #expect(error.code == .tooDeep && error.path.count == RequestParameters.maximumDepth)
        }
    }

    @Test("parameters of the maximum depth are encoded with keys that closures make")
    func closures() throws {
        let style = RequestParameters.Style(arrays: .custom { key, _ in key }, nesting: .custom { key, _ in key })
        #expect(try style.encode(nested(.array, levels: RequestParameters.maximumDepth)) == "k=1")
        #expect(try style.encode(nested(.dictionary, levels: RequestParameters.maximumDepth)) == "k=1")
    }

    private struct Chain: Encodable {
        enum Link { case keyed, unkeyed, single, container }
        let link: Link
        let levels: Int

        func encode(to encoder: any Encoder) throws {
            guard levels > 1 else { return }
            let next = Chain(link: link, levels: levels - 1)
            switch link {
            case .keyed: try ["k": next].encode(to: encoder)
            case .unkeyed:
                var container = encoder.unkeyedContainer()
                try container.encode(next)
            case .single:
                var container = encoder.singleValueContainer()
                try container.encode(next)
            case .container:
                var container = encoder.unkeyedContainer()
                for _ in 1..<levels { container = Self.inside(&container) }
            }
        }

        private static func inside(_ container: inout any UnkeyedEncodingContainer) -> any UnkeyedEncodingContainer {
            container.nestedUnkeyedContainer()
        }
    }

    @Test(
        "the depth is limited when values encode themselves",
        arguments: [Chain.Link.keyed, .unkeyed, .single, .container])
    private func encoder(link: Chain.Link) throws {
        _ = try RequestParameters(["k": Chain(link: link, levels: RequestParameters.maximumDepth - 1)])
        let error = try #require(throws: RequestParameters.EncodingError.self) {
            try RequestParameters(["k": Chain(link: link, levels: 5000)])
        }
        #expect(error.code == .tooDeep)
    }

    @Test("encoding a value and writing parameters by a style have the same limit on depth")
    func agreement() throws {
        let fits = try RequestParameters(["k": Chain(link: .unkeyed, levels: RequestParameters.maximumDepth - 1)])
        #expect(try RequestParameters.Style.standard.encode(fits).isEmpty)
        #expect(throws: RequestParameters.EncodingError.self) {
            try RequestParameters(["k": Chain(link: .unkeyed, levels: RequestParameters.maximumDepth)])
        }
    }

    @Test("the depth is limited for JSONEncoder and JSONDecoder")
    func codable() throws {
        let data = try JSONEncoder().encode(nested(.array, levels: RequestParameters.maximumDepth))
        #expect(
            try JSONDecoder().decode(RequestParameters.self, from: data)
                == nested(.array, levels: RequestParameters.maximumDepth))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(nested(.array, levels: 2000)) }
        let deep = Data(
            (#"{"k":"# + String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000) + "}").utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RequestParameters.self, from: deep) }
    }
}
