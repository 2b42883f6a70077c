import Foundation
import GraphKit
import TestTools
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import Nodes

/// The text of SVG pictures.
@Suite(.inTurn) struct WaveformSVGTests {
  @Test func oneBarIsOneRectangle() throws {
    var image = plainImage(12, 20)
    (image.style, image.barWidth, image.barGap, image.waveformColor) = (.bars, 8, 4, "ff000080")
    #expect(
      try written(image, level(16_384, count: 1)) == """
        <svg xmlns="http://www.w3.org/2000/svg" width="12" height="20" viewBox="0 0 12 20">
        <path fill="#ffffff" d="M0 0h12v20h-12z"/>
        <path fill="#ff0000" fill-opacity=".502" d="M2 5h8v10h-8z"/>
        </svg>

        """)
  }

  @Test func runsBecomeOneLine() throws {
    let svg = try written(plainImage(800, 100), level(16_384, count: 5000))
    #expect(svg.contains("d=\"M0 25h800v50h-800z\""))
  }

  /// Loud and quiet points by turns touch each other: the outline is one.
  @Test func columnsTouch() throws {
    let svg = try written(plainImage(2, 100), peaks([16_384, 16_384, -16_384, -16_384]))
    #expect(svg.contains("d=\"M0 25h1v25h1v26h-1v-26h-1z\""), "\(svg)")
  }

  @Test(arguments: WaveformImage.Style.allCases)
  func isSmallAndWellFormed(style: WaveformImage.Style) throws {
    var image = WaveformImage()
    image.style = style
    let values = (0..<8000).flatMap { point -> [Int16] in
      let level = Int16(truncatingIfNeeded: point * 7919) / 2
      return [-abs(level), abs(level) / 3]
    }
    let svg = try written(image, peaks(values))
    #expect(svg.utf8.count < 20_000)
    let reader = ElementCounter()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.counts["svg"] == 1 && reader.counts["path"] == 3)
    #expect(reader.numbers.allSatisfy { $0.contains(/^-?[0-9]*(\.[0-9])?$/) })
  }

  private final class ElementCounter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var numbers: [Substring] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      counts[name, default: 0] += 1
      numbers += (attributes["d"] ?? "").matches(of: /-?[0-9.]+/).map(\.output)
    }
  }

  /// Ten points a second over 800 pixels.
  @Test(arguments: [
    (100, ["0:00", "0:01", "0:02", "0:03"], 12), (800, ["0:00", "0:10", "0:20", "0:30"], 10),
    (18_000, ["0:00", "5:00", "10:00", "15:00"], 8),
    (288_000, ["0:00", "1:00:00", "2:00:00", "3:00:00"], 10), (1, ["0:00.00", "0:00.01"], 11),
  ])
  func timesAreRound(points: Int, first: [String], count: Int) throws {
    let labels = try written(WaveformImage(), level(1, count: points))
      .matches(of: />([0-9:.]+)<\/text>/).map { String($0.output.1) }
    #expect(labels.starts(with: first), "\(labels)")
    #expect((5...13).contains(labels.count), "\(labels)")
  }

  @Test func timesAreThoseOfThePoints() throws {
    var image = WaveformImage()
    (image.fit, image.startAt) = (false, 95)
    let svg = try written(image, level(1, count: 5000))
    // The next whole ten seconds are 5 s, or 50 pixels, behind the border.
    #expect(svg.contains("<text x=\"55\" y=\"244\">1:40</text>"), "\(svg)")
    #expect(svg.contains("M51 230h1v6h-1z"))
  }

  @Test func smallPicturesHaveNoAxis() throws {
    var image = WaveformImage()
    image.height = 59
    #expect(try !written(image, level(1, count: 100)).contains("<text"))
    (image.height, image.axisLabels) = (60, false)
    #expect(try !written(image, level(1, count: 100)).contains("<text"))
    image.axisLabels = true
    #expect(try written(image, level(1, count: 100)).contains("<text"))
  }

  @Test func labelsAreSeen() throws {
    var image = WaveformImage()
    image.axisLabelColor = "ff0000"
    let picture = try drawn(image, level(1, count: 100))
    var reds = 0
    for y in 230..<249 {
      for x in 1..<799 where picture[x, y] >> 24 > 200 && picture[x, y] >> 16 & 255 < 128 {
        reds += 1
      }
    }
    #expect(reds > 100)
  }

  @Test func anEmptyWaveformIsAnEmptyPicture() throws {
    #expect(try drawn(plainImage(10, 10)).colors == [white])
    #expect(try drawn(plainImage(10, 10), peaks([])).colors == [white])
  }
}
