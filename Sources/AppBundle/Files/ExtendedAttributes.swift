/// An object that keeps a file or folder open, and lends its descriptor for the length of a call.
protocol DescriptorOwner: ~Copyable {
  /// Calls with the descriptor, which stays open at least that long.
  func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result
}

extension DescriptorOwner where Self: ~Copyable {
  /// Gives this file or folder the extended attributes of another one, access control lists among them.
  ///
  /// Call it before the permission bits are set: lists and bits change each other, and attributes need
  /// the right to write. What a file system or this process cannot keep is left out, as `cp -a` does;
  /// attributes that this one has already stay, but for
  /// an access control list that it got from its folder.
  /// - Returns: the names that were left out although they are the user's own (`user.…`), sorted.
  func copyExtendedAttributes(from source: borrowing some DescriptorOwner & ~Copyable) -> [String] {
    source.withDescriptor { source in
      withDescriptor { target in ExtendedAttributes.copy(from: source, to: target) }
    }
  }
}

/// The system's calls on extended attributes, in a file for each system.
enum ExtendedAttributes {}
