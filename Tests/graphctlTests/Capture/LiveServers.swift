import Foundation
import Testing

/// What sends live streams to the tests, on this machine alone.
enum LiveServers {
  /// A port that is free now, for datagrams or connections.
  static func freePort() async throws -> String {
    let words = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
    let program = try await BackgroundProgram(
      "python3", ["-c", words + "s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"])
    return try #require(await program.lines.next())
  }

  /// Writes a transport stream of twenty seconds, with video of 96 by 72 at 25 frames a second: a flash and
  /// a beep at the beginning of each second.
  static func writeStream(
    to name: String = "stream.ts", in folder: Folder, audio codec: String = "aac",
    video options: [String] = ["-tune", "zerolatency", "-g", "5"]
  ) throws {
    let words = [
      "-f", "lavfi", "-i",
      "testsrc2=s=96x72:r=25:d=20,drawbox=c=white:t=fill:enable='lt(mod(t,1),0.1)'",
      "-f", "lavfi", "-i",
      "sine=440:r=48000:d=20,volume='if(lt(mod(t,1),0.1),1,0)':eval=frame", "-c:v", "libx264",
      "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a",
      codec == "mp3" ? "libmp3lame" : codec, "-ac", "2",
    ]
    try Tool.generate(words + options, to: name, in: folder)
  }

  /// Sends it to an address as time passes, by ffmpeg: each of `seconds` once, one after the other
  /// with `awaySeconds` between them, from a time of its clock on.
  static func send(
    _ folder: Folder, to address: String, as format: String = "mpegts", seconds: [Double] = [20],
    from start: Double = 0, awaySeconds: Double = 0
  ) async throws -> BackgroundProgram {
    // Not the one that is forked for short runs: a test that is over ends it.
    let command =
      "/usr/bin/ffmpeg -v quiet -re -i \"$1\" -c copy -f \(format) -output_ts_offset \(start)"
    let runs = seconds.map { "\(command) -t \($0) \"$2\"" }
    let pause = "; sleep \(awaySeconds); "
    let words = runs.dropLast().map { $0 + pause }.joined() + "exec " + (runs.last ?? "true")
    return try await BackgroundProgram(
      "bash", ["-c", words, "bash", "\(folder.path)/stream.ts", address])
  }

  /// The same to a server of RTMP, once that is there.
  static func publish(_ folder: Folder, to port: String, _ name: String) async throws
    -> BackgroundProgram
  {
    let words =
      "until (exec 3<>/dev/tcp/127.0.0.1/$2) 2>/dev/null; do :; done; "
      + "exec /usr/bin/ffmpeg -v quiet -re -i \"$1\" -c copy -f flv rtmp://127.0.0.1:$2/live/\(name)"
    return try await BackgroundProgram(
      "bash", ["-c", words, "bash", "\(folder.path)/stream.ts", port])
  }

  /// A server of RTSP that shows a pattern with a tone, the same with B-frames as `/reordered`, and writes
  /// what is published to it into two files;
  /// the first line is its port. With a certificate, the beginning of the names of two files, it is
  /// encrypted.
  static func rtsp(
    recording path: String = "/dev/null", certificate: String = ""
  ) async throws -> BackgroundProgram {
    // The system's own Python, which Debian's bindings belong to.
    try await BackgroundProgram("/usr/bin/python3", ["-u", "-c", rtspServer, path, certificate])
  }

  private static let rtspServer = """
    import gi, sys
    gi.require_version('Gst', '1.0')
    gi.require_version('GstRtspServer', '1.0')
    from gi.repository import Gst, GstRtspServer, GLib, Gio
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_service('0')
    server.set_address('127.0.0.1')
    shown = GstRtspServer.RTSPMediaFactory()
    shown.set_shared(True)
    shown.set_launch('( videotestsrc is-live=true ! video/x-raw,width=96,height=72,framerate=25/1 '
        '! x264enc tune=zerolatency key-int-max=5 ! rtph264pay name=pay0 pt=96 '
        'audiotestsrc is-live=true ! avenc_aac ! rtpmp4gpay name=pay1 pt=97 )')
    ordered = GstRtspServer.RTSPMediaFactory()
    ordered.set_shared(True)
    ordered.set_launch('( videotestsrc is-live=true ! video/x-raw,width=96,height=72,framerate=25/1 '
        '! x264enc bframes=3 b-adapt=false rc-lookahead=3 sync-lookahead=0 threads=1 key-int-max=10 '
        '! video/x-h264,profile=main ! rtph264pay name=pay0 pt=96 config-interval=1 '
        'audiotestsrc is-live=true ! avenc_aac ! rtpmp4gpay name=pay1 pt=97 )')
    taken = GstRtspServer.RTSPMediaFactory()
    taken.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
    kept = '! filesink buffer-mode=unbuffered sync=false async=false location=' + sys.argv[1]
    taken.set_launch('( rtph264depay name=depay1 ! h264parse '
        '! video/x-h264,stream-format=byte-stream ' + kept + '.h264 '
        'rtpmp4adepay name=depay0 ! aacparse ! audio/mpeg,stream-format=adts ' + kept + '.aac )')
    server.get_mount_points().add_factory('/shown', shown)
    server.get_mount_points().add_factory('/reordered', ordered)
    server.get_mount_points().add_factory('/taken', taken)
    if sys.argv[2]:
        access = Gst.Structure.new_from_string('anyone, media.factory.access=(boolean)true, '
            'media.factory.construct=(boolean)true')
        for factory in shown, taken: factory.add_role_from_structure(access)
        token = GstRtspServer.RTSPToken()
        token.set_string('media.factory.role', 'anyone')
        auth = GstRtspServer.RTSPAuth()
        auth.set_tls_certificate(
            Gio.TlsCertificate.new_from_files(sys.argv[2] + '.pem', sys.argv[2] + '.key'))
        auth.set_default_token(token)
        server.set_auth(auth)
    server.attach(None)
    print(server.get_bound_port(), flush=True)
    GLib.MainLoop().run()
    """

  /// A server of RTMP, which hands on what is published to `/live/…` and records what is to `/kept/…` in a
  /// folder.
  static func rtmp(_ port: String, in folder: Folder) async throws -> BackgroundProgram {
    try await nginx(
      "rtmp", in: folder,
      """
      server { listen 127.0.0.1:\(port);
        application live { live on; }
        application kept { live on; record all; record_path \(folder.path); record_suffix .flv; } }
      """)
  }

  /// nginx with what a module of its serves, by the names of the module and of its part of the
  /// configuration.
  static func nginx(_ module: String, in folder: Folder, _ configuration: String) async throws
    -> BackgroundProgram
  {
    let path = folder.path
    try folder.write(
      "\(module).conf",
      """
      load_module /usr/lib/nginx/modules/ngx_\(module)_module.so;
      user root; daemon off; master_process off; pid \(path)/\(module).pid;
      error_log \(path)/\(module).log;
      events { worker_connections 64; }
      \(module) { \(configuration) }
      """)
    return try await BackgroundProgram(
      "/usr/sbin/nginx", ["-c", "\(path)/\(module).conf", "-p", path])
  }
}
