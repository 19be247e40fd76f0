import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Reads each archive that standard input names, by its directory and as a stream; one line each. */
public class JudgeArchives {
  private static final byte[] buffer = new byte[1 << 16];

  public static void main(String[] arguments) throws IOException {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path = input.readLine(); path != null; path = input.readLine()) {
      System.out.println(path + "\t" + file(path) + "\t" + stream(path));
    }
  }

  private static String file(String path) {
    List<String> seen = new ArrayList<>();
    try (var archive = new ZipFile(path, StandardCharsets.ISO_8859_1)) {
      var entries = archive.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        try (InputStream data = archive.getInputStream(entry)) {
          seen.add(one(entry, data));
        } catch (IOException | RuntimeException error) {
          seen.add(name(entry) + " " + error.getClass().getSimpleName());
        }
      }
    } catch (IOException | RuntimeException error) {
      seen.add(error.getClass().getSimpleName());
    }
    return seen.size() + " " + seen.hashCode() + " " + seen.get(Math.max(0, seen.size() - 1));
  }

  private static String stream(String path) {
    List<String> seen = new ArrayList<>();
    seen.add("begin");
    try (var archive = new ZipInputStream(new FileInputStream(path), StandardCharsets.ISO_8859_1)) {
      for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
        seen.add(one(entry, archive));
      }
    } catch (IOException | RuntimeException error) {
      seen.add(error.getClass().getSimpleName());
    }
    return seen.size() + " " + seen.hashCode() + " " + seen.get(seen.size() - 1);
  }

  /** The name, and a checksum of the content where that must stay. */
  private static String one(ZipEntry entry, InputStream data) throws IOException {
    var checksum = new CRC32();
    for (int count = data.read(buffer); count > 0; count = data.read(buffer)) {
      checksum.update(buffer, 0, count);
    }
    boolean isEdited = entry.getName().endsWith(".app/Info.plist")
        || entry.getName().endsWith(".app/Contents/Info.plist");
    return name(entry) + (isEdited ? "" : " " + checksum.getValue());
  }

  private static String name(ZipEntry entry) {
    return Integer.toHexString(entry.getName().hashCode());
  }
}
