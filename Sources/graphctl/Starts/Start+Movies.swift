extension Start {
  /// Another codec, size and bit rate.
  static let transcode = Start(
    name: "transcode", help: "Encode a movie anew, in another size.",
    json: """
      {
        "description": [
          "Encodes a file anew as H.264 and AAC, `height` pixels high.",
          "Put effects between `size` and `video`, or `sound` and `audio`; `graphctl nodes` lists them.",
          "`optional` leaves out what a file lacks, such as the audio of a silent one."
        ],
        "parameters": { "input": null, "output": "transcoded.mp4", "height": 720 },
        "nodes": {
          "source": { "type": "file", "path": "${input}", "optional": true },
          "frames": { "type": "decoder" },
          "sound":  { "type": "decoder" },
          "size":   { "type": "scale", "height": "${height}" },
          "video":  { "type": "h264Encoder" },
          "audio":  { "type": "aacEncoder", "bitRate": "128k" },
          "movie":  { "type": "mp4Sink", "path": "${output}", "optimizeForNetworkUse": true }
        },
        "wires": [
          "source.video -> frames -> size -> video -> movie.video",
          "source.audio -> sound -> audio -> movie.audio"
        ]
      }
      """)

  /// The same packets in another file.
  static let copy = Start(
    name: "copy", help: "Copy a movie's tracks into another file, without loss.",
    json: """
      {
        "description": [
          "Copies video and audio into another file as they are encoded: fast, and without loss.",
          "The ending of `output` says which file: .mp4, .mov or .m4a.",
          "For .mkv or .webm the sink is a `matroskaSink`, for .ts a `tsSink`."
        ],
        "parameters": { "input": null, "output": "copy.mp4" },
        "nodes": {
          "source": { "type": "file", "path": "${input}", "optional": true },
          "movie":  { "type": "mp4Sink", "path": "${output}" }
        },
        "wires": ["source.video -> movie.video", "source.audio -> movie.audio"]
      }
      """)

  /// A part of a movie.
  static let excerpt = Start(
    name: "excerpt", help: "Cut a part out of a movie, exact to the frame and the sample.",
    json: """
      {
        "description": [
          "Cuts a part out of a file, exact to the frame and the sample, and encodes it.",
          "Times are seconds, or text such as `1:05`."
        ],
        "parameters": { "input": null, "output": "excerpt.mp4", "from": 0, "duration": 10 },
        "nodes": {
          "source": { "type": "file", "path": "${input}", "optional": true,
                      "from": "${from}", "duration": "${duration}" },
          "frames": { "type": "decoder" },
          "sound":  { "type": "decoder" },
          "video":  { "type": "h264Encoder" },
          "audio":  { "type": "aacEncoder", "bitRate": "128k" },
          "movie":  { "type": "mp4Sink", "path": "${output}" }
        },
        "wires": [
          "source.video -> frames -> video -> movie.video",
          "source.audio -> sound -> audio -> movie.audio"
        ]
      }
      """)

  /// An animation for pages and messages.
  static let gif = Start(
    name: "gif", help: "Make an animated GIF of a video.",
    json: """
      {
        "description": [
          "Makes an animated GIF of the first seconds of a video.",
          "Fewer frames and a smaller width make a smaller file."
        ],
        "parameters": {
          "input": null, "output": "animation.gif", "from": 0, "duration": 5, "width": 320, "frameRate": 12
        },
        "nodes": {
          "source": { "type": "file", "path": "${input}", "from": "${from}", "duration": "${duration}" },
          "frames": { "type": "decoder" },
          "slower": { "type": "videoConvert", "frameRate": "${frameRate}" },
          "small":  { "type": "scale", "width": "${width}" },
          "gif":    { "type": "gifSink", "path": "${output}" }
        },
        "wires": ["source.video -> frames -> slower -> small -> gif"]
      }
      """)
}
