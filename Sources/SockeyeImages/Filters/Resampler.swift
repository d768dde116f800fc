#if Images
import SockeyeCore

/// Separable resampling, one axis after the other: a box filter to shrink, linear interpolation to enlarge.
///
/// Each source row is resampled horizontally once, when a result row first needs it. The resampled row is added to the
/// sums of each result row that needs it. In addition to the result, resampling needs memory for three result rows with
/// 16 bytes per pixel. Colours are premultiplied by their opacity; at the end they are divided by the sum of the
/// opacities. A pixel is a vector of four numbers, so that each step takes one or two instructions.
struct Resampler {
    /// The source samples and weights of each result sample of an axis.
    private struct Axis {
        /// The first source sample of each result sample.
        private(set) var firsts: [Int] = []
        /// The index of the first weight of each result sample. The last element is the number of weights.
        private(set) var starts: [Int] = [0]
        /// The weights; those of each result sample sum up to 1.
        private(set) var weights: [Float] = []

        /// - Parameters:
        ///   - count: The number of source samples.
        ///   - origin: The start of the used part of the axis, in source samples.
        ///   - length: The length of the used part, which lies within the source samples.
        ///   - output: The number of result samples.
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

        /// Calls `body` with the three arrays as buffers without bounds checks. `body` must only use indices of result
        /// samples: ``firsts`` has one element for each, and ``starts`` one more. Each range between neighbouring
        /// elements of ``starts`` lies within ``weights``.
        func withWeights(
            _ body: (UnsafeBufferPointer<Int>, UnsafeBufferPointer<Int>, UnsafeBufferPointer<Float>) -> Void
        ) {
            unsafe firsts.withUnsafeBufferPointer { firsts in
                unsafe starts.withUnsafeBufferPointer { starts in
                    unsafe weights.withUnsafeBufferPointer { unsafe body(firsts, starts, $0) }
                }
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
            // The weights are divided by their sum, so that rounding errors at the ends of the axis do not make the
            // edge of the image translucent.
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

    /// - Parameter isFilling: True to crop the source to the proportions of `size`, equally at two opposite sides.
    ///   False to scale the whole source to `size`.
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
        // The two source rows that were read last; the following result rows need no earlier source row.
        var lines = [SIMD4<Float>](repeating: .zero, count: 2 * size.width)
        var numbers = [-1, -1]
        var sums = [SIMD4<Float>](repeating: .zero, count: size.width)
        let pixels = unsafe Bytes(count: size.width * size.height * 4) { target in
            for y in 0..<size.height {
                let indices = rows.starts[y]..<rows.starts[y + 1]
                for index in indices {
                    let row = rows.firsts[y] + index - rows.starts[y]
                    let start = (row & 1) * size.width
                    if numbers[row & 1] != row {
                        read(row, into: &lines, from: start)
                        numbers[row & 1] = row
                    }
                    add(
                        lines[start..<start + size.width], rows.weights[index], to: &sums,
                        isFirst: index == indices.first)
                }
                let offset = 4 * y * size.width
                unsafe Self.write(
                    sums, to: UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + 4 * size.width]))
            }
        }
        return Raster(
            width: size.width, height: size.height, pixels: pixels, of: raster, orientation: raster.orientation)
    }

    private func add(
        _ line: ArraySlice<SIMD4<Float>>, _ weight: Float, to sums: inout [SIMD4<Float>], isFirst: Bool
    ) {
        // The length is checked once here instead of for each index.
        precondition(line.count == sums.count)
        unsafe line.withUnsafeBufferPointer { line in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                if isFirst {
                    for x in 0..<sums.count { unsafe sums[x] = line[x] * weight }
                } else {
                    for x in 0..<sums.count { unsafe sums[x] += line[x] * weight }
                }
            }
        }
    }

    private static func write(_ sums: [SIMD4<Float>], to target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == 4 * sums.count)
        unsafe sums.withUnsafeBufferPointer { sums in
            for x in 0..<sums.count {
                unsafe target.storeBytes(of: pixel(sums[x]), toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
            }
        }
    }

    /// Resamples a row of the source horizontally, with premultiplied colours.
    private func read(_ row: Int, into lines: inout [SIMD4<Float>], from start: Int) {
        precondition(row >= 0 && row < raster.height, "no row of the image")
        precondition(start >= 0 && start + size.width <= lines.count)
        // All offsets lie in the row: each sample index of `columns` is less than the width, and the image has width ×
        // height pixels.
        unsafe raster.pixels.withUnsafeBytes { source in
            unsafe columns.withWeights { firsts, starts, weights in
                unsafe lines.withUnsafeMutableBufferPointer { line in
                    for x in 0..<size.width {
                        var offset = unsafe 4 * (row * raster.width + firsts[x])
                        var sum = SIMD4<Float>.zero
                        for index in unsafe starts[x]..<starts[x + 1] {
                            let pixel = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                            unsafe sum += Self.premultiplied(pixel) * weights[index]
                            offset += 4
                        }
                        unsafe line[start + x] = sum
                    }
                }
            }
        }
    }

    /// Returns the three colours multiplied by the opacity, and the opacity itself. A product is at most 255 × 255,
    /// which a `Float` represents exactly.
    @inline(__always)
    private static func premultiplied(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
        let channels = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel))
        let opacity = channels.w
        return channels * SIMD4<Float>(opacity, opacity, opacity, 1)
    }

    /// Converts a premultiplied sum to a pixel, rounded.
    @inline(__always)
    private static func pixel(_ sum: SIMD4<Float>) -> SIMD4<UInt8> {
        let opacity = sum.w
        guard opacity > 0 else { return .zero }
        let factor = 1 / opacity
        let colour = sum * SIMD4<Float>(factor, factor, factor, 1)
        // Reads the integers from the bit patterns of `Float` values. In a `Float` from 32,768 to 65,535, the last bit
        // is worth 1/256. So after 32,768 is added to a number below 256, bits 8 to 15 of the pattern are the integer
        // part of the number. Adding 0.5 as well rounds to the nearest integer. This avoids the conversions of the
        // standard library, which check each number of a vector separately.
        let shifted = colour + (32_768 + 0.5)
        return SIMD4(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD4<UInt32>.self) &>> 8)
    }
}
#endif
