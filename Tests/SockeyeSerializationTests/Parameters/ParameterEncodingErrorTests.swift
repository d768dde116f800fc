import SockeyeSerialization
import Testing

@Suite("Parameter encoding error")
struct ParameterEncodingErrorTests {
    @Test("says where the value is")
    func path() {
        #expect(ParameterEncodingError(.nonFiniteNumber("nan"), at: ["a", "0"]).path == ["a", "0"])
    }
}
