import SockeyeCore

/// Separable resampling: a box filter where it shrinks, linear interpolation where it enlarges, each axis for itself.
///
/// Rows of the source are resampled once each, when the first row of the result needs them, and summed up; memory beside the
/// result is three of its rows. Colours are premultiplied by their opacity, and divided by its sum in the end.
struct Resampler {
    /// Which samples of an axis a sample of the result is made of.
    private struct Axis {
        /// For each of the result: the first one, and where its weights begin. One more in the end.
        private(set) var firsts: [Int] = []
        private(set) var starts: [Int] = [0]
        /// Those of each sum up to 1.
        private(set) var weights: [Float] = []

        /// - Parameters:
        ///   - count: Samples that there are.
        ///   - origin: Where the part begins that is taken.
        ///   - length: How long the part is; it lies within the samples.
        ///   - output: Samples of the result.
        init(of count: Int, from origin: Double, _ length: Double, to output: Int) {
            let ratio = length / Double(output)
            firsts.reserveCapacity(output)
            starts.reserveCapacity(output + 1)
            for index in 0..<output {
                if ratio >= 1 {
                    average(from: origin + Double(index) * ratio, ratio, of: count)
                } else {
                    interpolate(at: origin + (Double(index) + 0.5) * ratio - 0.5, of: count)
                }
                starts.append(weights.count)
            }
        }

        private mutating func average(from low: Double, _ length: Double, of count: Int) {
            let first = min(max(0, Int(low.rounded(.down))), count - 1)
            let last = min(max(first, Int((low + length).rounded(.up)) - 1), count - 1)
            firsts.append(first)
            var sum = 0.0
            let covered = (first...last).map { index in
                let part = max(0, min(low + length, Double(index + 1)) - max(low, Double(index)))
                sum += part
                return part
            }
            // What rounding has left of the ends is no reason for a darker edge.
            if sum > 0 { weights += covered.map { Float($0 / sum) } } else { weights += covered.map { _ in 1 } }
        }

        private mutating func interpolate(at place: Double, of count: Int) {
            let whole = place.rounded(.down)
            let first = Int(whole)
            if first < 0 || first >= count - 1 {
                firsts.append(min(max(0, first), count - 1))
                weights.append(1)
            } else {
                firsts.append(first)
                let part = Float(place - whole)
                weights += [1 - part, part]
            }
        }
    }

    private let raster: Raster
    private let size: PixelSize
    private let columns: Axis
    private let rows: Axis

    /// - Parameter isFilling: Whether as much is cut off on two sides as keeps the proportions.
    init(of raster: Raster, to size: PixelSize, filling isFilling: Bool = false) {
        self.raster = raster
        self.size = size
        let (wide, high) = (Double(raster.width), Double(raster.height))
        var (width, height) = (wide, high)
        if isFilling {
            let factor = max(Double(size.width) / wide, Double(size.height) / high)
            width = min(wide, Double(size.width) / factor)
            height = min(high, Double(size.height) / factor)
        }
        columns = Axis(of: raster.width, from: (wide - width) / 2, width, to: size.width)
        rows = Axis(of: raster.height, from: (high - height) / 2, height, to: size.height)
    }

    func resampled() -> Raster {
        guard size != PixelSize(width: raster.width, height: raster.height) else { return raster }
        // Rows of the source that follow each other; no row of the result needs an earlier one again.
        var lines = [[SIMD4<Float>]](repeating: Array(repeating: .zero, count: size.width), count: 2)
        var numbers = [-1, -1]
        var sums = lines[0]
        let pixels = unsafe Bytes(count: size.width * size.height * 4) { target in
            for y in 0..<size.height {
                for x in sums.indices { sums[x] = .zero }
                for index in rows.starts[y]..<rows.starts[y + 1] {
                    let row = rows.firsts[y] + index - rows.starts[y]
                    let slot = row & 1
                    if numbers[slot] != row {
                        read(row, into: &lines[slot])
                        numbers[slot] = row
                    }
                    let weight = rows.weights[index]
                    for x in sums.indices { sums[x] += lines[slot][x] * weight }
                }
                let offset = 4 * y * size.width
                for x in sums.indices {
                    unsafe target.storeBytes(of: Self.pixel(sums[x]), toByteOffset: offset + 4 * x, as: UInt32.self)
                }
            }
        }
        return Raster(
            width: size.width, height: size.height, pixels: pixels, of: raster, orientation: raster.orientation)
    }

    /// Resamples a row of the source, premultiplied.
    private func read(_ row: Int, into line: inout [SIMD4<Float>]) {
        precondition(row >= 0 && row < raster.height, "no row of the image")
        // All offsets lie in the row: an axis names no sample past its count, and the pixels are as many as the sides say.
        unsafe raster.pixels.withUnsafeBytes { source in
            for x in 0..<size.width {
                var offset = 4 * (row * raster.width + columns.firsts[x])
                var sum = SIMD4<Float>.zero
                for index in columns.starts[x]..<columns.starts[x + 1] {
                    let bits = UInt32(
                        littleEndian: unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    sum += Self.premultiplied(bits) * columns.weights[index]
                    offset += 4
                }
                line[x] = sum
            }
        }
    }

    /// Colours times opacity, and opacity, of a pixel whose lowest byte is red.
    @inline(__always)
    private static func premultiplied(_ bits: UInt32) -> SIMD4<Float> {
        let channels = SIMD4<UInt32>(bits, bits &>> 8, bits &>> 16, bits &>> 24) & 0xFF
        let opacity = channels.w
        // At most 255 times 255, which a signed integer holds: the conversion of those is one instruction.
        let products = channels &* SIMD4<UInt32>(opacity, opacity, opacity, 1)
        return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: products))
    }

    private static func pixel(_ sum: SIMD4<Float>) -> UInt32 {
        let opacity = sum.w
        guard opacity > 0 else { return 0 }
        let colour = sum / SIMD4<Float>(opacity, opacity, opacity, 1)
        let bytes = SIMD4<UInt32>((colour + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
        return (bytes.x | bytes.y &<< 8 | bytes.z &<< 16 | bytes.w &<< 24).littleEndian
    }
}
