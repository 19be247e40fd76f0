"""Harmless oddities of names, and of what an app's archive holds beside the app."""

import struct
import zlib

from . import shown
from .base import APP, PLIST, app, folders, info, other, plist, prepared, program
from .writer import FOLDER, LINK, Archive, Member, extra

UTF8 = 0x800
OTHER = "Payload/Odd.app/other"


def register():
    _names()
    _escaping()
    _apps()
    _companions()


def _named(case, why, name, kind="name", flags=0, **options):
    prepared(f"name-{case}", kind, why, Archive(app(other(name, flags=flags))), **options)


def _names():
    chinese, accent = "\u4e2d\u6587.png".encode(), "e\u0301.txt".encode()
    _named("utf8", "UTF-8 with the flag", chinese, flags=UTF8)
    _named("utf8-unmarked", "UTF-8 without the flag, as ditto writes it", chinese)
    _named("decomposed", "a decomposed accent, as on a Mac", accent, flags=UTF8)
    _named("decomposed-unmarked", "a decomposed accent without the flag", accent)
    prepared("name-two-forms", "name-collision", "one name in two Unicode forms",
             Archive(app(other(accent, flags=UTF8), other("\u00e9.txt".encode(), flags=UTF8))))
    _named("cp437", "a byte of CP437", b"caf\x82.png")
    _named("latin1", "a byte of Latin-1", b"caf\xe9.png")
    _named("shift-jis", "Shift-JIS, whose bytes hold a backslash", "\u8868\u793a.txt".encode("shift_jis"))
    _named("not-utf8", "bytes that are no UTF-8 though the flag says so", b"bad\xff\xfe.png", flags=UTF8)
    _named("cut-utf8", "UTF-8 that ends in the middle of a character", b"cut\xe4\xb8", flags=UTF8)
    _named("overlong", "a slash in three bytes", b"over\xe0\x80\xaflong", flags=UTF8)
    _named("surrogate", "half of a surrogate pair", b"half\xed\xa0\x80", flags=UTF8)
    _named("newline", "a line end", b"two\nlines")
    _named("carriage-return", "a carriage return", b"fake\rname")
    _named("tab", "a tab", b"two\tcolumns")
    _named("escape", "an escape sequence that clears the terminal", b"\x1b[2J\x1b]0;title\x07gone")
    _named("c1-control", "a control character of the upper half", "a\u009b31mred".encode(), flags=UTF8)
    _named("delete", "the delete character", b"del\x7fete")
    _named("right-to-left", "a mark that turns the reading direction", "a\u202egnp.exe".encode(), flags=UTF8)
    _named("zero-width", "characters of no width", "a\u200bb\ufeffc".encode(), flags=UTF8)
    _named("line-separator", "a line separator of Unicode", "a\u2028b".encode(), flags=UTF8)
    _named("emoji", "characters beyond 16 bits", "\U0001f600\U0001f468\u200d\U0001f4bb.png".encode(), flags=UTF8)
    _named("spaces", "spaces alone", b"   ")
    _named("trailing-dot", "a dot and a space at its end", b"dots. . ")
    _named("device", "a device's name of Windows", b"aux.txt")
    _named("wildcards", "characters of patterns", b"*?[a-z]{b}~$!'\"|<>&;")
    _named("dash", "it begins with a dash", b"-rf")
    _named("long-part", "a part of 1,000 bytes", b"p" * 1000)
    _named("longest", "65,535 bytes in all", b"/".join([b"x" * 200] * 326)[:65535 - len(APP)])
    _named("deepest", "as deep as the limit allows", b"/".join([b"d"] * (512 - 1)), kind="name")
    prepared("name-empty", "name", "a member without a name", Archive([*app(), Member(b"", b"x")]))
    prepared("name-twice", "name-collision", "another name is there twice", Archive(
        app(other(), other(data=b"again"))), unpacking=("unpack-twin", OTHER))
    prepared("name-thrice", "name-collision", "another name is there three times",
             Archive(app(other(), other(data=b"2"), other(data=b"3"))), unpacking=("unpack-twin", OTHER))
    prepared("name-case", "name-collision", "two names that differ in case",
             Archive(app(other(), other(b"OTHER"))))
    prepared("name-file-and-folder", "name-collision", "a file and a folder of one name",
             Archive(app(other(), other(b"other/", b"", mode=FOLDER))), unpacking=("unpack-below", OTHER))
    prepared("name-below-file", "name-collision", "a member lies below a file",
             Archive(app(other(), other(b"other/below"))), unpacking=("unpack-below", OTHER))
    prepared("name-below-link", "name-collision", "a member lies below a link that leads out",
             Archive(app(other(b"out", b"/tmp", method=0, mode=LINK), other(b"out/evil"))),
             unpacking=("unpack-below", "Payload/Odd.app/out"))
    prepared("name-below-inner-link", "name-collision", "a member lies below a link that stays inside",
             Archive(app(other(b"in", b"en.lproj", method=0, mode=LINK), other(b"in/evil"))),
             unpacking=("unpack-below", "Payload/Odd.app/in"))
    prepared("name-unicode-path", "name-unicode-path", "another member has another Unicode path",
             Archive(app(_renamed(b"caf\x82", "Payload/Odd.app/caf\u00e9".encode()))))
    prepared("name-unicode-path-wrong", "name-unicode-path", "a Unicode path of another name's checksum",
             Archive(app(_renamed(b"caf\x82", b"new", checksum=1))))


def _renamed(name, new, checksum=None):
    crc = zlib.crc32(APP + name) if checksum is None else checksum
    path = extra(0x7075, b"\1" + struct.pack("<I", crc) + new)
    return other(name, extra=path, local_extra=path)


def _escaping():
    """Kept in an archive, where names are no paths; what unpacks the archive refuses them."""
    for case, why, name in (
            ("up", "it leads up", b"../../../../tmp/evil"),
            ("up-inside", "it leads up in the middle", APP + b"a/../../../../evil"),
            ("absolute", "it is absolute", b"/tmp/evil"),
            ("dots", "it is two dots", b"..")):
        prepared(f"name-escapes-{case}", "name-escapes", why, Archive([*app(), Member(name, b"evil")]),
                 unpacking=("unpack-absolute" if case == "absolute" else "unpack-up", shown.name(name)))
    for case, why, name in (
            ("backslash", "backslashes lead up on Windows", b"Payload\\Odd.app\\..\\..\\evil"),
            ("drive", "it names a drive of Windows", b"C:\\evil"),
            ("share", "it names a share of Windows", b"\\\\server\\share\\evil")):
        prepared(f"name-windows-{case}", "name-escapes", why, Archive([*app(), Member(name, b"evil")]))
    for case, why, name in (("dot", "a part is a dot", b"a/./b"), ("slashes", "two slashes meet", b"a//b"),
                            ("zero-byte", "a zero byte", b"a\0b")):
        _named(case, why, name, kind="name-escapes", unpacking=(
            "unpack-zero" if case == "zero-byte" else "unpack-part", shown.name(APP + name)))


def _apps():
    for case, why, folder, flags in (
            ("spaces", "spaces", b"My Odd App.app", 0),
            ("utf8", "UTF-8 with the flag", "\u5947\u6570.app".encode(), UTF8),
            ("utf8-unmarked", "UTF-8 without the flag", "\u5947\u6570.app".encode(), 0),
            ("decomposed", "a decomposed accent", "Re\u0301sume\u0301.app".encode(), UTF8),
            ("cp437", "a byte of CP437", b"R\x82sum\x82.app", 0),
            ("escape", "an escape character", b"\x1b[1mBold.app", 0),
            ("newline", "a line end", b"Two\nLines.app", 0),
            ("apostrophe", "quotes", b"It's \"odd\".app", 0),
            ("dot", "it begins with a dot", b".hidden.app", 0),
            ("long", "200 bytes", b"a" * 196 + b".app", 0)):
        path = b"Payload/" + folder + b"/Info.plist"
        members = [Member(m.name.replace(b"Odd.app", folder), m.data, m.method, mode=m.mode, flags=flags)
                   for m in app()]
        prepared(f"app-{case}", "app-name", f"the app's name: {why}", Archive(members), plist=path)
    deep = b"Payload/Odd.app/Contents/Info.plist"
    prepared("app-deep", "app-name", "Info.plist lies in Contents, as on macOS",
             Archive([m for m in app(info(name=deep)) if m.name != PLIST]), plist=deep)
    prepared("app-both", "two-infos", "Info.plist lies in the app and in its Contents",
             Archive(app(info(name=deep, data=plist(1, "org.example.deep")))))


def _companions():
    zip_metadata = Member(b"META-INF/com.apple.ZipMetadata.plist", plist(1), method=0)
    prepared("with-zip-metadata", "zip-metadata", "Apple's file of totals is the first member",
             Archive([Member(b"META-INF/", mode=FOLDER), zip_metadata, *app()]))
    prepared("with-apple-double", "companion", "__MACOSX, AppleDouble and .DS_Store files",
             Archive([*app(other(b"._Info.plist"), other(b".DS_Store")),
                      Member(b"__MACOSX/Payload/Odd.app/._Info.plist", b"double"),
                      Member(b"Payload/._Odd.app", b"double"), Member(b"Payload/.DS_Store", b"store")]))
    prepared("with-store-files", "companion", "what an archive from the App Store holds",
             Archive([Member(b"iTunesMetadata.plist", plist(2)), Member(b"iTunesArtwork", b"png" * 99),
                      *app(other(b"SC_Info/Odd.sinf", b"sinf"))]))
    prepared("with-swift-support", "companion", "SwiftSupport, Symbols, WatchKitSupport2",
             Archive([*app(), Member(b"SwiftSupport/iphoneos/libswiftCore.dylib", b"dylib"),
                      Member(b"Symbols/0A.symbols", b"symbols"), Member(b"WatchKitSupport2/WK", b"wk"),
                      Member(b"BCSymbolMaps/0A.bcsymbolmap", b"map")]))
    nested = [other(name, plist(1, "org.example.nested")) for name in (
        b"PlugIns/E.appex/Info.plist", b"Watch/W.app/Info.plist", b"AppClips/C.app/Info.plist",
        b"Frameworks/F.framework/Info.plist", b"Base.lproj/Info.plist", b"Settings.bundle/Info.plist")]
    prepared("with-nested", "companion", "nested bundles with an Info.plist each, before the app's own",
             Archive([*folders(), *nested, program(), info()]))
    prepared("with-other-infos", "companion", "an Info.plist at the top, in Payload and elsewhere",
             Archive([info(name=b"Info.plist"), info(name=b"Payload/Info.plist"), *app(),
                      info(name=b"Other/Payload/Odd.app/Info.plist")]))
    prepared("with-file-app", "companion", "a file in Payload whose name ends in .app",
             Archive([*app(), Member(b"Payload/file.app", b"no folder")]))
    prepared("with-empty-app", "companion", "an empty folder in Payload whose name ends in .app",
             Archive([*app(), Member(b"Payload/Empty.app/", mode=FOLDER)]))
    prepared("with-link-app", "companion", "a link in Payload whose name ends in .app",
             Archive([*app(), Member(b"Payload/Link.app", b"Odd.app", method=0, mode=LINK)]))
