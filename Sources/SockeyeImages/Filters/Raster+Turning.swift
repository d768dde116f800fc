import SockeyeCore

extension Raster {
    /// The image with its pixels turned as its orientation says.
    var upright: Raster {
        guard orientation != .up else { return self }
        let (width, height) = orientation.swapsSides ? (height, width) : (width, height)
        let walk = walk
        let pixels = copying(width, height) { x, y in walk.origin + x * walk.right + y * walk.down }
        return Raster(width: width, height: height, pixels: pixels, of: self)
    }

    /// The square in the middle.
    var croppedToSquare: Raster {
        guard width != height else { return self }
        let side = min(width, height)
        let origin = (height - side) / 2 * width + (width - side) / 2
        let pixels = copying(side, side) { x, y in origin + y * width + x }
        return Raster(width: side, height: side, pixels: pixels, of: self, orientation: orientation)
    }

    /// Where in the stored pixels the first one shown is, and how far away are those to the right of it and below.
    private var walk: (origin: Int, right: Int, down: Int) {
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

    /// An image's worth of pixels, each a copy of that with the number that `place` gives.
    private func copying(_ width: Int, _ height: Int, _ place: (_ x: Int, _ y: Int) -> Int) -> Bytes {
        unsafe pixels.withUnsafeBytes { source in
            unsafe Bytes(count: 4 * width * height) { target in
                var offset = 0
                for y in 0..<height {
                    for x in 0..<width {
                        let from = 4 * place(x, y)
                        precondition(from >= 0 && from + 4 <= source.count, "no pixel of the image")
                        let pixel = unsafe source.loadUnaligned(fromByteOffset: from, as: UInt32.self)
                        unsafe target.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                        offset += 4
                    }
                }
            }
        }
    }

    /// The image with corners that are transparent outside of a circle of this radius in pixels.
    func roundingCorners(radius: Double) -> Raster {
        let radius = min(radius, Double(min(width, height)) / 2)
        guard radius > 0 else { return self }
        let side = Int(radius.rounded(.up))
        let (right, bottom) = (Double(width) - radius, Double(height) - radius)
        let columns = Array(0..<side) + Array(max(side, width - side)..<width)
        let rows = Array(0..<side) + Array(max(side, height - side)..<height)
        let rounded = unsafe pixels.withUnsafeBytes { source in
            unsafe Bytes(count: source.count) { target in
                unsafe target.copyMemory(from: source)
                for y in rows {
                    for x in columns {
                        let across = max(radius - (Double(x) + 0.5), Double(x) + 0.5 - right)
                        let down = max(radius - (Double(y) + 0.5), Double(y) + 0.5 - bottom)
                        guard across > 0, down > 0 else { continue }
                        // How much of the pixel lies inside, about: by how far its middle is from the circle.
                        let distance = (across * across + down * down).squareRoot()
                        let coverage = min(max(0, radius - distance + 0.5), 1)
                        let offset = 4 * (y * width + x) + 3
                        unsafe target[offset] = UInt8((Double(source[offset]) * coverage).rounded())
                    }
                }
            }
        }
        return Raster(width: width, height: height, pixels: rounded, of: self, orientation: orientation)
    }
}
