import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Which point is drawn where.
@Suite(.inTurn) struct WaveformLayoutTests {
  @Test func channelsHaveRowsAndColours() throws {
    var image = plainImage(10, 21)
    image.waveformColor = "ff0000, 00ff00"
    let picture = try drawn(image, level(.max, count: 10, channels: 2))
    let column = (0..<21).map { picture[5, $0] }
    let (red, green): (UInt32, UInt32) = (0xFF00_00FF, 0x00FF_00FF)
    #expect(
      column == Array(repeating: red, count: 10) + [white] + Array(repeating: green, count: 10))
  }

  @Test func moreChannelsThanRowsStayInThePicture() throws {
    let picture = try drawn(plainImage(4, 3), level(.max, count: 4, channels: 8))
    #expect(picture.colors == [black])
  }

  /// Each column has the extremes of its points, so no click gets lost.
  @Test func allPointsCountWhereThereAreMoreThanPixels() throws {
    var values = level(0, count: 1000).values
    (values[2 * 555], values[2 * 555 + 1]) = (.min, .max)
    let picture = try drawn(plainImage(10, 20), peaks(values))
    let heights = (0..<10).map { picture.rows(inColumn: $0, except: white).count }
    #expect(heights == [1, 1, 1, 1, 1, 20, 1, 1, 1, 1])
  }

  /// Two points, one of them loud: one column has the root of the mean square, or the mean.
  @Test(arguments: [(PeakReduction.rms, 14), (.mean, 10), (.peak, 20), (.minMax, 20)])
  func pointsBecomeOneAsTheirReductionHasIt(reduction: PeakReduction, height: Int) throws {
    let picture = try drawn(plainImage(1, 40), peaks([0, 0, -16_384, 16_384], reduction))
    #expect(picture.rows(inColumn: 0, except: white).count == height)
  }

  @Test func onePointAPixelLeavesTheRestEmpty() throws {
    var image = plainImage(10, 8)
    image.fit = false
    let picture = try drawn(image, level(.max, count: 4))
    let heights = (0..<10).map { picture.rows(inColumn: $0, except: white).count }
    #expect(heights == [8, 8, 8, 8, 0, 0, 0, 0, 0, 0])
  }

  /// Ten points a second: 0.5 s is the fifth.
  @Test(arguments: [(0.0, 5), (0.5, 0), (0.3, 2), (99, nil)] as [(Double, Int?)])
  func picturesBeginAtATime(start: Double, column: Int?) throws {
    var image = plainImage(4, 8)
    (image.fit, image.startAt) = (false, start)
    var values = level(0, count: 20).values
    (values[2 * 5], values[2 * 5 + 1]) = (.min, .max)
    image.width = 8
    let picture = try drawn(image, peaks(values))
    #expect((0..<8).first { picture.rows(inColumn: $0, except: white).count == 8 } == column)
    image.fit = true
    image.width = max(1, 20 - Int(start * 10))
    let fitted = try drawn(image, peaks(values))
    let columns = 0..<image.width
    #expect(columns.first { fitted.rows(inColumn: $0, except: white).count == 8 } == column)
  }

  @Test func barsStandOnTheirGrid() throws {
    var image = plainImage(24, 20)
    (image.style, image.barWidth, image.barGap) = (.bars, 4, 2)
    let picture = try drawn(image, level(16_384, count: 24))
    for x in 0..<24 {
      let rows = picture.rows(inColumn: x, except: white)
      #expect(rows == ((x + 5) % 6 < 4 ? Array(5..<15) : []), "\(x)")
    }
    #expect(picture.colors == [black, white])
  }

  /// Bars of one point a pixel stand at the same times wherever the picture begins.
  @Test func barsKeepTheirTimes() throws {
    var image = plainImage(12, 20)
    (image.style, image.barWidth, image.barGap, image.fit) = (.bars, 4, 2, false)
    image.startAt = 0.3
    let picture = try drawn(image, level(.max, count: 99))
    let filled = (0..<12).map { !picture.rows(inColumn: $0, except: white).isEmpty }
    #expect(filled == (3..<15).map { $0 % 6 < 4 })
  }

  @Test func roundedBarsHaveSoftCorners() throws {
    var image = plainImage(12, 40)
    (image.style, image.barStyle, image.barWidth, image.barGap) = (.bars, .rounded, 10, 2)
    let picture = try drawn(image, level(16_384, count: 12))
    #expect(picture[1, 10] == white && picture[1, 29] == white)
    #expect(picture[1, 20] == black && picture[6, 10] != white)
    // Edges are softened in steps, which needn't be the same above and below.
    for (x, y) in (0..<12).flatMap({ x in (0..<20).map { (x, $0) } }) {
      let (upper, lower) = (Int(picture[x, y] >> 24), Int(picture[x, 39 - y] >> 24))
      #expect(abs(upper - lower) <= 4, "\(x), \(y)")
    }
  }

  @Test(arguments: [WaveformImage.BarStyle.square, .rounded])
  func silenceIsARowOfSmallBars(style: WaveformImage.BarStyle) throws {
    var image = plainImage(12, 40)
    (image.style, image.barStyle) = (.bars, style)
    let picture = try drawn(image, level(0, count: 12))
    #expect(picture.rows(inColumn: 6, except: white).count == (style == .square ? 2 : 4))
  }

  @Test func mirroredCurvesHaveMarginsAndAreTheSameOnBothSides() throws {
    var image = plainImage(200, 100)
    image.style = .mirrored
    let values = (0..<200).flatMap { [Int16(0), Int16($0 * 160)] }
    let picture = try drawn(image, peaks(values))
    #expect(picture.rows(inColumn: 4, except: white).isEmpty)
    #expect(picture.rows(inColumn: 195, except: white).isEmpty)
    #expect((0..<200).allSatisfy { picture[$0, 6] == white && picture[$0, 93] == white })
    #expect(picture[193, 12] != white)
    for (x, y) in (0..<200).flatMap({ x in (0..<50).map { (x, $0) } }) {
      let (upper, lower) = (Int(picture[x, y] >> 24), Int(picture[x, 99 - y] >> 24))
      #expect(abs(upper - lower) <= 4, "\(x), \(y)")
    }
    image.inset = 0
    #expect(try !drawn(image, peaks(values)).rows(inColumn: 199, except: white).isEmpty)
  }

  @Test func insetsKeepTheEdgesFree() throws {
    var image = plainImage(20, 20)
    image.inset = 3
    let picture = try drawn(image, level(.max, count: 20))
    for x in 0..<20 {
      let rows = (3..<17).contains(x) ? Array(3..<17) : []
      #expect(picture.rows(inColumn: x, except: white) == rows)
    }
  }
}
