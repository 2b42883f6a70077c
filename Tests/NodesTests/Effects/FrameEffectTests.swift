import GraphKit
import Nodes
import TestTools
import Testing

/// What every effect on frames has to answer.
@Suite("Effects on frames", .inTurn)
struct FrameEffectTests {
  static let sizes = [(1, 1), (2, 1), (1, 3), (17, 16), (33, 19)]

  @Test("neutral settings change nothing", arguments: FrameEffectCase.all)
  func neutral(_ effect: FrameEffectCase) throws {
    for layout in FrameEffectCase.layouts {
      for (width, height) in Self.sizes {
        let picture = RawPicture.noise(layout, width, height)
        #expect(try effect.neutral(picture, 0) == picture, "\(layout) \(width)x\(height)")
        #expect(try effect.neutral(picture, 12) == picture, "\(layout) \(width)x\(height)")
      }
    }
  }

  @Test("rows that lie further apart give the same picture", arguments: FrameEffectCase.all)
  func padding(_ effect: FrameEffectCase) throws {
    for layout in FrameEffectCase.layouts {
      for (width, height) in Self.sizes {
        let picture = RawPicture.noise(layout, width, height)
        let tight = try effect.active(picture, 0)
        #expect(try effect.active(picture, 52) == tight, "\(layout) \(width)x\(height)")
      }
    }
  }

  @Test("a large picture of odd sides is taken", arguments: FrameEffectCase.all)
  func odd(_ effect: FrameEffectCase) throws {
    for layout in FrameEffectCase.layouts {
      let picture = RawPicture.noise(layout, 321, 179)
      let result = try effect.active(picture, 0)
      #expect(result != picture && result.format.width > 0, "\(layout)")
    }
  }

  @Test("all layouts of the same colours show the same", arguments: FrameEffectCase.all)
  func layouts(_ effect: FrameEffectCase) throws {
    // GStreamer's converter has a way of its own for each layout.
    guard effect.name != "scale" else { return }
    let planar = RawPicture.noise(.i420, 33, 19)
    let pairs = RawPicture(.nv12, 33, 19) { plane, row, column in
      plane == 0
        ? planar.planes[0][row][column] : planar.planes[1 + column % 2][row][column / 2]
    }
    let (one, other) = (try effect.active(planar, 0), try effect.active(pairs, 0))
    #expect(one.planes[0] == other.planes[0])
    for (row, values) in other.planes[1].enumerated() {
      for (column, value) in values.enumerated() {
        #expect(value == one.planes[1 + column % 2][row][column / 2])
      }
    }
    let blue = RawPicture.noise(.bgra, 33, 19)
    let red = RawPicture(.rgba, 33, 19) { _, row, column in
      blue.planes[0][row][column % 4 == 0 ? column + 2 : column % 4 == 2 ? column - 2 : column]
    }
    let (first, second) = (try effect.active(blue, 0), try effect.active(red, 0))
    for (row, values) in second.planes[0].enumerated() {
      let wanted = first.planes[0][row]
      for column in stride(from: 0, to: values.count, by: 4) {
        #expect(values[column] == wanted[column + 2] && values[column + 1] == wanted[column + 1])
      }
    }
  }

  @Test("a plain picture stays plain", arguments: FrameEffectCase.all)
  func plain(_ effect: FrameEffectCase) throws {
    // Bars, shades and drawings are what these are for.
    guard !["scale", "vignette", "text", "particles"].contains(effect.name) else { return }
    for layout in FrameEffectCase.layouts {
      let values: [UInt8] =
        layout == .bgra || layout == .rgba ? [9, 90, 200, 255] : [120, 80, 200]
      let picture = RawPicture.plain(layout, 34, 20, layout == .nv12 ? [120, 80] : values)
      let result = try effect.active(picture, 0)
      #expect(Set(result.bytes) == Set(picture.bytes), "\(layout)")
    }
  }
}
