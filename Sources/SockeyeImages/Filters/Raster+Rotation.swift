#if Images
import SockeyeCore

extension Raster {
    /// The image with its pixels rotated and mirrored by its orientation.
    var upright: Raster {
        guard orientation != .up else { return self }
        let (width, height) = orientation.swapsSides ? (height, width) : (width, height)
        let walk = pixelOrder
        let corners = [0, (width - 1) * walk.right].flatMap {
            [walk.origin + $0, walk.origin + $0 + (height - 1) * walk.down]
        }
        // If the corners are pixels of the image, all pixels between them are too.
        precondition(
            corners.allSatisfy { (0..<pixels.count / 4).contains($0) }, "the coordinates are outside of the image")
        let turned = unsafe pixels.withUnsafeBytes { source in
            unsafe Bytes(count: 4 * width * height) { target in
                let step = 4 * walk.right
                // Loop tiling: if the sides are swapped, a row of the result is a column of the source. The rows of a
                // tile read the same cache lines of the source, so each line is loaded once for all these rows.
                for top in stride(from: 0, to: height, by: Self.tile) {
                    for left in stride(from: 0, to: width, by: Self.tile) {
                        for y in top..<min(top + Self.tile, height) {
                            var from = 4 * (walk.origin + left * walk.right + y * walk.down)
                            var to = 4 * (y * width + left)
                            // The sums cannot overflow: each is an offset in the image or one step outside.
                            for _ in left..<min(left + Self.tile, width) {
                                let pixel = unsafe source.loadUnaligned(fromByteOffset: from, as: UInt32.self)
                                unsafe target.storeBytes(of: pixel, toByteOffset: to, as: UInt32.self)
                                from &+= step
                                to &+= 4
                            }
                        }
                    }
                }
            }
        }
        return Raster(width: width, height: height, pixels: turned, of: self)
    }

    /// The side of a tile in pixels. If the orientation swaps the sides of the image, a row of a tile reads 32 cache
    /// lines of the source. That is few enough that they usually stay in the first-level cache until the next row needs
    /// them.
    private static let tile = 32

    /// The largest centred square, transparent outside its inscribed circle.
    var circle: Raster {
        let side = min(width, height)
        return rounded(((width - side) / 2, (height - side) / 2), side, side, radius: Double(side) / 2)
    }

    /// Returns the image with corners that are transparent outside a circle of this radius in pixels.
    func roundingCorners(radius: Double) -> Raster {
        let radius = min(radius, Double(min(width, height)) / 2)
        return radius > 0 ? rounded((0, 0), width, height, radius: radius) : self
    }

    /// Returns a part of the image with rounded corners.
    private func rounded(_ origin: (x: Int, y: Int), _ width: Int, _ height: Int, radius: Double) -> Raster {
        precondition(
            origin.x + width <= self.width && origin.y + height <= self.height, "the rectangle is outside of the image")
        let (bottom, length) = (Double(height) - radius, 4 * width)
        let pixels = unsafe self.pixels.withUnsafeBytes { source in
            unsafe Bytes(count: length * height) { target in
                for y in 0..<height {
                    let start = 4 * ((origin.y + y) * self.width + origin.x)
                    let row = unsafe UnsafeMutableRawBufferPointer(rebasing: target[y * length..<(y + 1) * length])
                    unsafe row.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + length]))
                    let down = max(radius - (Double(y) + 0.5), Double(y) + 0.5 - bottom)
                    if down > 0 { unsafe Self.round(row, down, radius) }
                }
            }
        }
        return Raster(width: width, height: height, pixels: pixels, of: self, orientation: orientation)
    }

    /// Rounds both ends of a row that lies `down` pixels above or below the centres of the corner circles.
    private static func round(_ row: UnsafeMutableRawBufferPointer, _ down: Double, _ radius: Double) {
        let width = row.count / 4
        // A pixel counts as wholly inside the circle, and is not changed, if the pixel's centre is at most this far
        // from the circle's centre.
        let inner = max(0, radius - 0.5)
        let reach = down < inner ? (inner * inner - down * down).squareRoot() : 0
        let count = min(max(0, Int((radius - reach).rounded(.up))), (width + 1) / 2)
        for x in 0..<count {
            let across = radius - (Double(x) + 0.5)
            guard across > 0 else { break }
            // The approximate share of the pixel's area inside the circle: 0.5 if the pixel's centre is on the circle.
            let coverage = radius - (across * across + down * down).squareRoot() + 0.5
            guard coverage < 1 else { continue }
            // The pixel at the left end and its mirror image at the right end are never the same pixel. The radius is
            // at most half the width, so at the middle pixel `across` is not positive, and the loop has ended.
            let factor = max(0, coverage)
            unsafe fade(&row[4 * x + 3], factor)
            unsafe fade(&row[4 * (width - 1 - x) + 3], factor)
        }
    }

    private static func fade(_ opacity: inout UInt8, _ factor: Double) {
        opacity = UInt8(Double(opacity) * factor + 0.5)
    }

    /// The index of the stored pixel that is displayed at the top left, and the index offsets from a pixel to the two
    /// pixels that are displayed to its right and below it.
    private var pixelOrder: (origin: Int, right: Int, down: Int) {
        let last = width * height - 1
        return switch orientation {
        case .up: (0, 1, width)
        case .upMirrored: (width - 1, -1, width)
        case .down: (last, -1, -width)
        case .downMirrored: (last - (width - 1), 1, -width)
        case .leftMirrored: (0, width, 1)
        case .right: (last - (width - 1), -width, 1)
        case .rightMirrored: (last, -width, -1)
        case .left: (width - 1, width, -1)
        }
    }
}
#endif
