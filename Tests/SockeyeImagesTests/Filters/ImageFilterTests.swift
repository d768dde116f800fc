#if Images
import SockeyeImages
import SockeyeTestSupport
import Testing

@Suite("Image filters") struct ImageFilterTests {
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)
    private static let clear = SIMD4<UInt8>(0, 255, 0, 0)

    private func pixels(_ raster: Raster) -> [SIMD4<UInt8>] {
        (0..<raster.height).flatMap { y in (0..<raster.width).map { raster[$0, y] } }
    }

    // MARK: Scaling

    @Test("shrinking averages areas, including parts of pixels")
    func shrinking() throws {
        let halves = try Samples.raster(2, 2, [Self.red, Self.red, Self.blue, Self.blue])
        #expect(pixels(try ImageFilter.scaled(width: 1, height: 1).applied(to: halves)) == [SIMD4(128, 0, 128, 255)])
        #expect(pixels(try ImageFilter.scaled(width: 1, height: 2).applied(to: halves)) == [Self.red, Self.blue])
        // A new pixel covers one and a half old ones, of which the whole one contributes two thirds of the value.
        let grey = try Samples.raster(3, 1, [0, 90, 240].map { SIMD4($0, $0, $0, 255) })
        let thirds = try ImageFilter.scaled(width: 2, height: 1).applied(to: grey)
        #expect(pixels(thirds).map(\.x) == [30, 190])
    }

    @Test("enlarging interpolates between the centres of pixels")
    func enlarging() throws {
        let grey = try Samples.raster(2, 1, [0, 100].map { SIMD4($0, $0, $0, 255) })
        let wide = try ImageFilter.scaled(width: 4, height: 3).applied(to: grey)
        #expect(wide.height == 3)
        #expect(pixels(wide).map(\.x) == [0, 25, 75, 100, 0, 25, 75, 100, 0, 25, 75, 100])
    }

    @Test("transparent pixels contribute their opacity, but no colour")
    func opacity() throws {
        let raster = try Samples.raster(2, 1, [Self.red, Self.clear])
        #expect(pixels(try ImageFilter.scaled(width: 1, height: 1).applied(to: raster)) == [SIMD4(255, 0, 0, 128)])
        let none = try Samples.raster(2, 1, [Self.clear, Self.clear])
        #expect(pixels(try ImageFilter.scaled(width: 1, height: 1).applied(to: none)) == [SIMD4(0, 0, 0, 0)])
    }

    @Test("an image of one colour keeps it at all sizes", arguments: [1, 2, 3, 7, 100, 255, 1000])
    func constant(side: Int) throws {
        let colour = SIMD4<UInt8>(13, 200, 77, 255)
        for (width, height) in [(1, 1), (5, 3), (64, 33), (301, 2)] {
            let raster = try Samples.raster(width, height, Array(repeating: colour, count: width * height))
            let scaled = try ImageFilter.scaled(width: side, height: 41).applied(to: raster)
            #expect(scaled.width == side)
            #expect(pixels(scaled).allSatisfy { $0 == colour }, "\(width)x\(height)")
        }
    }

    @Test("scaling keeps the average of a picture", arguments: 0..<5)
    func average(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let values = (0..<97 * 53).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let raster = try Samples.raster(97, 53, values.map { SIMD4($0, $0, $0, 255) })
        let scaled = try ImageFilter.scaled(width: 10, height: 7).applied(to: raster)
        func mean(_ raster: Raster) -> Double {
            let pixels = pixels(raster)
            return pixels.reduce(0) { $0 + Double($1.x) } / Double(pixels.count)
        }
        #expect(abs(mean(raster) - mean(scaled)) < 0.5)
    }

    // MARK: Proportions

    struct Shape: Sendable {
        let width: Int
        let height: Int
        let fit: [Int]
        let fill: [Int]
    }

    @Test(
        "fitting keeps the whole image, and filling covers the whole size",
        arguments: [
            Shape(width: 40, height: 30, fit: [20, 15], fill: [20, 15]),
            Shape(width: 40, height: 10, fit: [20, 5], fill: [20, 15]),
            Shape(width: 10, height: 40, fit: [4, 15], fill: [20, 15]),
            Shape(width: 2, height: 1, fit: [20, 10], fill: [20, 15]),
            Shape(width: 1000, height: 1, fit: [20, 1], fill: [20, 15]),
        ])
    func proportions(shape: Shape) throws {
        let raster = try Samples.raster(shape.width, shape.height)
        let fit = try ImageFilter.aspectFit(width: 20, height: 15).applied(to: raster)
        #expect([fit.width, fit.height] == shape.fit)
        let fill = try ImageFilter.aspectFill(width: 20, height: 15).applied(to: raster)
        #expect([fill.width, fill.height] == shape.fill)
    }

    @Test("filling crops both sides equally")
    func middle() throws {
        let columns = [Self.red, Self.blue, Self.blue, Self.red]
        let raster = try Samples.raster(4, 2, columns + columns)
        #expect(
            pixels(try ImageFilter.aspectFill(width: 2, height: 2).applied(to: raster)).allSatisfy { $0 == Self.blue })
        #expect(pixels(try ImageFilter.aspectFill(width: 1, height: 1).applied(to: raster)) == [Self.blue])
    }

    @Test("sizes are in points, which are pixels divided by the scale")
    func scale() throws {
        let raster = try Raster(decoding: Bytes(Samples.png), scale: 2)
        #expect(raster.scale == 2)
        let scaled = try ImageFilter.scaled(width: 5, height: 3).applied(to: raster)
        #expect([scaled.width, scaled.height] == [10, 6])
        #expect(scaled.scale == 2)
        #expect(try Raster(decoding: Bytes(Samples.png), scale: -1).scale == 1)
        #expect(try Raster(decoding: Bytes(Samples.png), scale: .nan).scale == 1)
    }

    @Test("sizes that are not positive, or larger than the limit, are refused")
    func absurd() throws {
        let raster = try Samples.raster(2, 2)
        for (size, kind) in [
            (0, ImageError.Kind.emptyImage), (-5, .emptyImage), (1 << 20, .tooLarge), (.max, .tooLarge),
        ] {
            for filter in [
                ImageFilter.scaled(width: size, height: size), .aspectFit(width: size, height: size),
                .aspectFill(width: size, height: size),
            ] {
                let error = #expect(throws: ImageError.self) { try filter.applied(to: raster) }
                #expect(error?.kind == kind)
            }
        }
        // Sides of a millionth of a pixel and of 10^8 pixels: the first one counts as a whole pixel.
        let scaled = try Raster(decoding: Bytes(Samples.png), scale: 1e-6)
        let error = #expect(throws: ImageError.self) {
            try ImageFilter.aspectFit(width: 1, height: 100_000_000_000_000).applied(to: scaled)
        }
        #expect(error?.kind == .tooLarge)
    }

    // MARK: Orientation

    @Test("the pixels are turned as the Exif orientation says", arguments: 1...8)
    func orientation(number: Int) throws {
        // The image is always shown as 1 2 / 3 4 / 5 6. Each entry has the stored order for an orientation (Exif 2.3,
        // 4.6.4).
        let stored: [Int: (Int, [UInt8])] = [
            1: (2, [1, 2, 3, 4, 5, 6]), 2: (2, [2, 1, 4, 3, 6, 5]), 3: (2, [6, 5, 4, 3, 2, 1]),
            4: (2, [5, 6, 3, 4, 1, 2]), 5: (3, [1, 3, 5, 2, 4, 6]), 6: (3, [2, 4, 6, 1, 3, 5]),
            7: (3, [6, 4, 2, 5, 3, 1]), 8: (3, [5, 3, 1, 6, 4, 2]),
        ]
        let (width, values) = try #require(stored[number])
        let raster = try Samples.raster(
            width, 6 / width, values.map { SIMD4($0, 0, 0, 255) },
            orientation: try #require(ImageInfo.Orientation(rawValue: number)))
        let upright = try ImageFilter.upright.applied(to: raster)
        #expect(pixels(upright).map(\.x) == [1, 2, 3, 4, 5, 6])
        #expect([upright.width, upright.height] == [2, 3])
        #expect(upright.orientation == .up)
        let scaled = try ImageFilter.scaled(width: 2, height: 3).applied(to: raster)
        #expect(scaled == upright)
        let fit = try ImageFilter.aspectFit(width: 4, height: 100).applied(to: raster)
        #expect([fit.width, fit.height] == [4, 6])
    }

    @Test(
        "a turned picture of any size has every pixel in its place", arguments: [(1, 1), (31, 33), (64, 5), (100, 67)])
    func turning(width: Int, height: Int) throws {
        var generator = SplitMix(seed: 7)
        let values = (0..<width * height).map { _ in
            SIMD4<UInt8>(truncatingIfNeeded: SIMD4<UInt32>(repeating: .random(in: 0...255, using: &generator)))
        }
        for orientation in (1...8).compactMap(ImageInfo.Orientation.init(rawValue:)) {
            let raster = try Samples.raster(width, height, values, orientation: orientation)
            let upright = try ImageFilter.upright.applied(to: raster)
            let (right, down) = (width - 1, height - 1)
            // The displayed place of a stored pixel (Exif 2.3, 4.6.4).
            let place: (Int, Int) -> (Int, Int) =
                switch orientation {
                case .up: { ($0, $1) }
                case .upMirrored: { (right - $0, $1) }
                case .down: { (right - $0, down - $1) }
                case .downMirrored: { ($0, down - $1) }
                case .leftMirrored: { ($1, $0) }
                case .right: { (down - $1, $0) }
                case .rightMirrored: { (down - $1, right - $0) }
                case .left: { ($1, right - $0) }
                }
            for y in 0..<height {
                for x in 0..<width {
                    let (left, top) = place(x, y)
                    #expect(upright[left, top] == raster[x, y], "\(orientation) \(x) \(y)")
                }
            }
        }
    }

    // MARK: Corners

    @Test("a circle is the centre of the image, smooth at its edge and clear outside")
    func circle() throws {
        let side = 64
        let raster = try Samples.raster(side + 20, side, Array(repeating: Self.red, count: (side + 20) * side))
        let circle = try ImageFilter.circle.applied(to: raster)
        #expect([circle.width, circle.height] == [side, side])
        var area = 0.0
        for (index, pixel) in pixels(circle).enumerated() {
            let (x, y) = (Double(index % side) + 0.5 - 32, Double(index / side) + 0.5 - 32)
            let distance = (x * x + y * y).squareRoot()
            if distance < 31 { #expect(pixel == Self.red) }
            if distance > 33 { #expect(pixel.w == 0) }
            area += Double(pixel.w) / 255
        }
        #expect(abs(area - .pi * 32 * 32) < 0.005 * area)
    }

    @Test("a circle is symmetric at any size", arguments: [1, 2, 3, 5, 8, 33, 100])
    func symmetry(side: Int) throws {
        let raster = try Samples.raster(side, side + 3, Array(repeating: Self.red, count: side * (side + 3)))
        let circle = try ImageFilter.circle.applied(to: raster)
        let last = side - 1
        for y in 0..<side {
            for x in 0..<side {
                let others = [circle[last - x, y], circle[x, last - y], circle[y, x]]
                #expect(others.allSatisfy { $0 == circle[x, y] }, "\(x) \(y)")
            }
        }
    }

    @Test("rounded corners leave the rest of the image unchanged, and a radius of zero changes nothing")
    func corners() throws {
        let raster = try Samples.raster(40, 20, Array(repeating: Self.blue, count: 800))
        let round = try ImageFilter.roundedCorners(radius: 5).applied(to: raster)
        for (x, y) in [(0, 0), (39, 0), (0, 19), (39, 19)] { #expect(round[x, y].w == 0) }
        let opaque = pixels(round).count { $0.w == 255 }
        #expect(opaque >= 800 - 4 * 25 && opaque < 800)
        for x in 5..<35 { #expect(round[x, 0] == Self.blue && round[x, 19] == Self.blue) }
        for radius in [0, -1, .nan] {
            #expect(try ImageFilter.roundedCorners(radius: radius).applied(to: raster) == raster)
        }
        #expect(try ImageFilter.roundedCorners(radius: 1e9).applied(to: raster)[20, 0].w > 200)
    }

    // MARK: Composition

    @Test("the ID of a composed filter consists of the IDs of its parts")
    func composition() throws {
        let both = ImageFilter.aspectFill(width: 8, height: 8).then(.circle)
        #expect(both.id == "aspectFill(8x8)|circle")
        #expect(both == ImageFilter.aspectFill(width: 8, height: 8).then(.circle))
        #expect(both != ImageFilter.aspectFill(width: 8, height: 9).then(.circle))
        let result = try both.applied(to: try Samples.raster(20, 16, Array(repeating: Self.red, count: 320)))
        #expect([result.width, result.height] == [8, 8])
        #expect(result[0, 0].w == 0)
        #expect(result[4, 4] == Self.red)
        let own = ImageFilter(id: "first") { raster in
            Raster(width: 1, height: 1, pixels: raster.pixels.slice(0..<4), of: raster)
        }
        #expect(pixels(try own.applied(to: try Samples.raster(1, 2, [Self.red, Self.blue]))) == [Self.red])
    }
}
#endif
