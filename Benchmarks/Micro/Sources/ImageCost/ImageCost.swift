import FoundationEssentials
import Glibc
import Sockeye
import SockeyeImages

/// Measures the cost of decoding an image and of each filter: `ImageCost REPEATS FILE…`.
///
/// Prints a line of JSON for each file: processor time (user and system, of the whole process) in milliseconds, the
/// median of REPEATS turns.
@main struct ImageCost {
    /// Filters by their names in Benchmarks/Scripts/compare-images.py.
    private static let filters: [(name: String, make: @Sendable (Raster) -> ImageFilter)] = [
        ("half", { .scaled(width: $0.width / 2, height: $0.height / 2) }),
        ("thumbnail", { _ in .aspectFit(width: 256, height: 256) }),
        ("fill", { _ in .aspectFill(width: 256, height: 256) }),
        ("larger", { .scaled(width: $0.width * 3 / 2, height: $0.height * 3 / 2) }),
        ("circle", { _ in .circle }),
        ("turn", { _ in .upright }),
    ]

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let repeats = arguments.first.flatMap({ Int($0) }), repeats > 0, arguments.count > 1 else {
            print("ImageCost REPEATS FILE…")
            exit(2)
        }
        for path in arguments.dropFirst() {
            let file = Bytes(try Data(contentsOf: URL(filePath: path)))
            let raster = try Raster(decoding: file)
            // The orientation of a photograph from an upright telephone.
            let turned = Raster(
                width: raster.width, height: raster.height, pixels: raster.pixels, of: raster, orientation: .right)
            var figures = ["\"decode\": \(try median(of: repeats) { try Raster(decoding: file) })"]
            for (name, make) in filters {
                let (filter, input) = (make(raster), name == "turn" ? turned : raster)
                figures.append("\"\(name)\": \(try median(of: repeats) { try filter.applied(to: input) })")
            }
            print("{\(figures.joined(separator: ", "))}")
        }
    }

    /// Returns the median of processor time in milliseconds; the first turn is not counted.
    private static func median(of repeats: Int, _ body: () throws -> Raster) throws -> Double {
        var times: [Double] = []
        for _ in 0...repeats {
            let start = clock()
            let raster = try body()
            times.append(clock() - start)
            guard raster.pixels.count > 0 else { fatalError("no pixels") }
        }
        return times.dropFirst().sorted()[repeats / 2]
    }

    private static func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
