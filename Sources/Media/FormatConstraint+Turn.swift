extension FormatConstraint {
  /// The same, of frames that are turned.
  public func turned(_ turn: PictureTurn) -> FormatConstraint {
    guard turn.transposes else { return self }
    var turned = self
    (turned.width, turned.height) = (height, width)
    return turned
  }

  /// The same, of frames that are turned as their file says.
  public var upright: FormatConstraint {
    guard let rotation else { return self }
    var upright = turned(rotation.turn)
    upright.rotation = Rotation.none
    return upright
  }
}

extension Rotation {
  /// The same, as it is done to pixels.
  public var turn: PictureTurn {
    switch self {
    case .none: .none
    case .rotate90: .clockwise
    case .rotate180: .upsideDown
    case .rotate270: .counterclockwise
    case .mirror: PictureTurn(reversesColumns: true)
    case .mirrorRotate90: PictureTurn(transposes: true, reversesColumns: true, reversesRows: true)
    case .mirrorRotate180: PictureTurn(reversesRows: true)
    case .mirrorRotate270: PictureTurn(transposes: true)
    }
  }
}
