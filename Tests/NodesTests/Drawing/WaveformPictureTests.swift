import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// The pixels of PNG pictures.
@Suite(.inTurn) struct WaveformPictureTests {
  @Test func aFullScaleSquareWaveFillsThePicture() throws {
    let picture = try drawn(plainImage(20, 10), level(.max, count: 20))
    #expect((picture.width, picture.height) == (20, 10))
    #expect(picture.colors == [black])
  }

  @Test(arguments: [10, 11]) func silenceIsALine(height: Int) throws {
    let picture = try drawn(plainImage(20, height), level(0, count: 5))
    for x in 0..<20 { #expect(picture.rows(inColumn: x, except: white) == [5]) }
    #expect(picture.colors == [black, white])
  }

  /// A quarter of full scale is a quarter of half the height, to either side.
  @Test func levelsAreDrawnToScale() throws {
    let picture = try drawn(
      plainImage(3, 80), peaks([-8192, 8192, 0, 16_384, -16_384, 0]))
    #expect(picture.rows(inColumn: 0, except: white) == Array(30..<50))
    #expect(picture.rows(inColumn: 1, except: white) == Array(20..<40))
    #expect(picture.rows(inColumn: 2, except: white) == Array(40..<60))
  }

  @Test(arguments: [(0.5, 35..<45), (2.0, 20..<60), (100.0, 0..<80)])
  func amplitudesAreScaled(factor: Double, rows: Range<Int>) throws {
    var image = plainImage(2, 80)
    image.amplitudeScale = factor
    let picture = try drawn(image, level(8192, count: 2))
    #expect(picture.rows(inColumn: 1, except: white) == Array(rows))
  }

  @Test func theHighestLevelFillsThePicture() throws {
    var image = plainImage(2, 80)
    image.amplitudeScale = nil
    let picture = try drawn(image, peaks([-1000, 1000, -500, 250]))
    #expect(picture.rows(inColumn: 0, except: white) == Array(0..<80))
    #expect(picture.rows(inColumn: 1, except: white) == Array(30..<60))
  }

  @Test func partsArePutTogether() throws {
    let (loud, quiet) = (level(.max, count: 7), level(0, count: 3))
    let whole = try drawn(
      plainImage(10, 10), peaks(loud.values + quiet.values))
    let parts = try drawn(plainImage(10, 10), loud, peaks([]), quiet)
    for x in 0..<10 {
      let rows = parts.rows(inColumn: x, except: white)
      #expect(rows.count == (x < 7 ? 10 : 1))
      #expect(rows == whole.rows(inColumn: x, except: white))
    }
  }

  @Test func coloursHaveStraightAlpha() throws {
    var image = plainImage(4, 4)
    (image.backgroundColor, image.waveformColor) = ("00000000", "ff804080")
    #expect(try drawn(image, level(.max, count: 4)).colors == [0xFF80_4080])
    #expect(try drawn(image, peaks([])).colors == [0])
    image.backgroundColor = "#10203040"
    #expect(try drawn(image, peaks([])).colors == [0x1020_3040])
  }

  /// Half of red over blue, by the rule of "over".
  @Test func coloursShowWhatIsBehindThem() throws {
    var image = plainImage(4, 4)
    (image.backgroundColor, image.waveformColor) = ("0000ff", "ff000080")
    let color = try drawn(image, level(.max, count: 4))[2, 2]
    #expect(abs(Int(color >> 24) - 128) <= 1 && abs(Int(color >> 8 & 255) - 127) <= 1)
    #expect(color & 0x00FF_00FF == 255)
  }

  @Test(arguments: WaveformImage.Style.allCases, [(1, 1), (4000, 2000), (1, 300), (300, 1)])
  func anySizeIsDrawn(style: WaveformImage.Style, size: (Int, Int)) throws {
    var image = WaveformImage()
    (image.width, image.height, image.style) = (size.0, size.1, style)
    (image.backgroundColor, image.waveformColor) = ("ffffff", "000000")
    let picture = try drawn(image, level(.max, count: 9000, channels: 2))
    #expect((picture.width, picture.height) == size)
    #expect(picture.rows(inColumn: size.0 / 2, except: white).count >= size.1 / 2)
  }

  @Test func scaledPicturesHaveTheSameLayout() throws {
    var image = plainImage(24, 20)
    (image.style, image.barWidth, image.barGap) = (.bars, 4, 2)
    let small = try drawn(image, level(16_384, count: 24))
    image.scale = 3
    let large = try drawn(image, level(16_384, count: 24))
    #expect((large.width, large.height) == (72, 60))
    for (x, y) in (0..<24).flatMap({ x in (0..<20).map { (x, $0) } }) {
      #expect(large[x * 3 + 1, y * 3 + 1] == small[x, y], "\(x), \(y)")
    }
  }
}
