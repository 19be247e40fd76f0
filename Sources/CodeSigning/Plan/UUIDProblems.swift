/// By what the system tells one program from another.
enum UUIDProblems {
  /// What is wrong with the LC_UUIDs of code objects, inside out: the main app has none in a slice, or two
  /// programs share one. A library may lie in an app twice.
  ///
  /// Source: Apple's TN3179, "Understanding local network privacy": the permission goes by the main
  /// executable's UUID.
  static func find(
    _ objects: [(object: CodeObject, uuids: [String?])], main: String?
  ) -> [SigningProblem] {
    var problems: [SigningProblem] = []
    var owners: [String: String] = [:]
    for (object, uuids) in objects {
      guard object.takesProfile || object.kind == .xpcService, let path = object.executablePath
      else { continue }
      if object.path == main, uuids.contains(nil) {
        problems.append(
          SigningProblem(
            .executableUUID,
            "\(path.clipped) has no LC_UUID, by which the system keeps the local-network permission; "
              + "link without -no_uuid", file: path))
      }
      for uuid in uuids.compactMap(\.self) {
        guard let owner = owners[uuid] else {
          owners[uuid] = path
          continue
        }
        guard owner != path else { continue }
        problems.append(
          SigningProblem(
            .executableUUID,
            "\(path.clipped) has the LC_UUID \(uuid) of \(owner.clipped); link each by itself",
            file: path))
      }
    }
    return problems
  }
}

extension AppSignature {
  /// What is wrong with the UUIDs of the executables, whether they are signed or not.
  public var uuidProblems: [SigningProblem] {
    UUIDProblems.find(
      objects.compactMap { one in
        one.executable.map { (one.object, $0.slices.map(\.slice.uuidText)) }
      }, main: main?.object.path)
  }
}
