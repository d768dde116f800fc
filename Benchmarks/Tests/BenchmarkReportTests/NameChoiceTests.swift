import BenchmarkReport
import Testing

@Suite struct NameChoiceTests {
    private let names = ["get-c1", "get-c16", "get-c64", "get-c64-policies", "json-2k"]

    @Test(
        "A whole name selects itself, and a part of names selects all names that contain it",
        arguments: [
            ("get-c64", ["get-c64"]), ("c64", ["get-c64", "get-c64-policies"]), ("get-c1", ["get-c1"]),
            ("get-c", ["get-c1", "get-c16", "get-c64", "get-c64-policies"]), ("upload", []),
            ("", ["get-c1", "get-c16", "get-c64", "get-c64-policies", "json-2k"]),
        ])
    func chosen(text: String, chosen: [String]) {
        #expect(NameChoice.names(names, matching: text) == chosen)
    }
}
