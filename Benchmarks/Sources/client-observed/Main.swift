import BenchmarkKit

@main struct Main {
    static func main() async { await Sample.run(ObservedLoad.self) }
}
