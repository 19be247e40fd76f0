/// Checks of archives in Python, which share no code with the module.
enum Oracle {
  /// Exits with 0 if two archives differ only in one member's content: names, modes, all header
  /// fields, extra fields, comments, packed bytes and order of all others are equal, and the bytes
  /// before and after the member and after the central directory too.
  static let sameBut = """
    import struct, sys, zipfile
    old, new, member, wanted = open(sys.argv[1], 'rb').read(), open(sys.argv[2], 'rb').read(), \\
        sys.argv[3], open(sys.argv[4], 'rb').read()
    def parse(data):
        place = data.rfind(b'PK\\5\\6')
        while place >= 0:
            count, size, start, comment = struct.unpack('<HIIH', data[place + 10:place + 22])
            end = place
            if data[place - 20:place - 16] == b'PK\\6\\7':
                end = struct.unpack('<Q', data[place - 12:place - 4])[0]
                size, start = struct.unpack('<QQ', data[end + 40:end + 56])
            if start + size == end: break
            place = data.rfind(b'PK\\5\\6', 0, place)
        records, at = [], start
        while at < start + size:
            fixed = struct.unpack('<IHHHHHHIIIHHHHHII', data[at:at + 46])
            n, x, c = fixed[10:13]
            name, extra = data[at + 46:at + 46 + n], data[at + 46 + n:at + 46 + n + x]
            note = data[at + 46 + n + x:at + 46 + n + x + c]
            us, cs, off, i = fixed[9], fixed[8], fixed[16], 0
            plain, wide = b'', list
            while i + 4 <= len(extra):
                k, l = struct.unpack('<HH', extra[i:i + 4]); body = extra[i + 4:i + 4 + l]
                if k == 1:
                    q = [struct.unpack('<Q', body[j:j + 8])[0] for j in range(0, len(body) - 7, 8)]
                    if us == 0xffffffff: us = q.pop(0)
                    if cs == 0xffffffff: cs = q.pop(0)
                    if off == 0xffffffff: off = q.pop(0)
                i += 4 + l
            records.append(dict(name=name, extra=extra, note=note, us=us, cs=cs, off=off,
                                fixed=fixed[:8] + fixed[10:16], length=46 + n + x + c))
            at += 46 + n + x + c
        return records, start, size, end, data[place + 22:], place
    a, b = parse(old), parse(new)
    assert len(a[0]) == len(b[0]), 'count'
    assert a[4] == b[4], 'comment or bytes behind the end'
    mine = [i for i, r in enumerate(a[0]) if r['name'] == member.encode()]
    assert len(mine) == 1, 'member'
    m = mine[0]
    move = (b[1] - a[1])
    for i, (r, s) in enumerate(zip(a[0], b[0])):
        assert r['name'] == s['name'] and r['note'] == s['note'], 'name or comment'
        assert r['length'] == s['length'], 'record length'
        moved = move if r['off'] > a[0][m]['off'] else 0
        assert s['off'] == r['off'] + moved, 'offset of %r' % r['name']
        if i == m:
            f, g = list(r['fixed']), list(s['fixed'])
            f[5:8] = g[5:8] = [0, 0, 0]
            assert f == g, 'fields of the member: %r %r' % (f, g)
            continue
        assert r['fixed'] == s['fixed'], 'fields of %r' % r['name']
        assert r['us'] == s['us'] and r['cs'] == s['cs'], 'sizes of %r' % r['name']
        if not any(struct.unpack('<H', x['extra'][:2])[0] == 1 for x in (r, s) if len(x['extra']) > 3):
            assert r['extra'] == s['extra'], 'extra of %r' % r['name']
    start = a[0][m]['off']
    behind = min([r['off'] for r in a[0] if r['off'] > start] + [a[1]])
    assert old[:start] == new[:start], 'bytes before'
    assert old[behind:a[1]] == new[behind + move:b[1]], 'bytes behind'
    n, x = struct.unpack('<HH', old[start + 26:start + 30])
    l, k = old[start:start + 30 + n + x], new[start:start + 30 + n + x]
    assert l[:10] == k[:10] and l[26:28] + l[30:30 + n] == k[26:28] + k[30:30 + n], 'local header'
    def unpadded(extra):
        kept = b''
        while len(extra) >= 4:
            z = 4 + struct.unpack('<H', extra[2:4])[0]
            if z > len(extra): break
            if extra[:2] != bytes([0x35, 0xd9]): kept += extra[:4] + bytes(z - 4)
            extra = extra[z:]
        return kept + extra
    y = struct.unpack('<H', new[start + 28:start + 30])[0]
    assert unpadded(l[30 + n:]) == unpadded(new[start + 30 + n:start + 30 + n + y]), 'local extra'
    import zlib
    r = b[0][m]
    data = new[start + 30 + n + y:start + 30 + n + y + r['cs']]
    data = zlib.decompress(data, -15) if r['fixed'][4] == 8 else data
    assert data == wanted and r['us'] == len(wanted), 'content'
    assert r['fixed'][7] == zlib.crc32(wanted), 'checksum'
    """

  /// Exits with 0 if Python's own reader gets a member's content and finds no other damage.
  static let zipfileReads = """
    import sys, zipfile
    z = zipfile.ZipFile(sys.argv[1])
    assert z.read(sys.argv[2]) == open(sys.argv[3], 'rb').read()
    for i in z.infolist():
        if i.compress_type in (0, 8) and not i.flag_bits & 1 and i.filename not in sys.argv[4:]:
            z.read(i)
    """
}
