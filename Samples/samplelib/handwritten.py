"""Info.plist texts whose layout matters: an edit of them must leave every line as it is."""

# Comments, an indentation of its own for each part, an exception and a media flag to be kept. LF only.
HARBOR = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Harbor: edited by hand, keep the groups apart. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
   <!-- what it is -->
   <key>CFBundleDevelopmentRegion</key>      <string>en</string>
   <key>CFBundleExecutable</key>             <string>Harbor</string>
   <key>CFBundleIdentifier</key>             <string>com.example.harbor</string>
   <key>CFBundleInfoDictionaryVersion</key>  <string>6.0</string>
   <key>CFBundleName</key>                   <string>Harbor</string>
   <key>CFBundlePackageType</key>            <string>APPL</string>
   <key>CFBundleShortVersionString</key>     <string>2.4.1</string>
   <key>CFBundleVersion</key>                <string>310</string>

   <!-- where it runs -->
   <key>CFBundleSupportedPlatforms</key>
      <array>
         <string>iPhoneOS</string>
      </array>
   <key>DTPlatformName</key>    <string>iphoneos</string>
   <key>DTPlatformVersion</key> <string>18.0</string>
   <key>DTSDKName</key>         <string>iphoneos18.0</string>
   <key>LSRequiresIPhoneOS</key> <true/>
   <key>MinimumOSVersion</key>  <string>15.0</string>
   <key>UIDeviceFamily</key>
      <array>
         <integer>1</integer> <!-- iPhone -->
         <integer>2</integer> <!-- iPad -->
      </array>

   <!-- The tide tables come from an old server;
        streams of the harbour cameras too. -->
   <key>NSAppTransportSecurity</key>
   <dict>
      <key>NSAllowsArbitraryLoadsForMedia</key>
      <true/>
      <key>NSExceptionDomains</key>
      <dict>
         <key>tides.example.com</key>
         <dict>
            <key>NSExceptionAllowsInsecureHTTPLoads</key> <true/>
            <key>NSExceptionMinimumTLSVersion</key>       <string>TLSv1.0</string>
            <key>NSIncludesSubdomains</key>               <true/>
         </dict>
      </dict>
   </dict>

   <key>NSCameraUsageDescription</key>
   <string>Take a picture of your berth</string>
   <key>UILaunchScreen</key>
   <dict/>
</dict>
</plist>
"""

# Everything that a careless rewrite would lose: tabs beside blanks, entities, character references,
# CDATA, comments in odd places, single quotes, a list on one line, no line end at the end. CRLF.
ODD_LAYOUT = """\
<?xml version='1.0' encoding='utf-8' standalone="yes" ?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
          "http://www.apple.com/DTDs/PropertyList-1.0.dtd" >
<?layout keep?>
<plist   version = "1.0" >
 <!-- one blank before the root -->
 <dict>
\t<key>CFBundleIdentifier</key>
\t<string>com.example.odd-layout</string>
    <key>CFBundleExecutable</key>
    <string>Odd</string>
\t  <key>CFBundleName</key>
\t  <string>Odd &amp; layout &lt;&#x201C;&#233;t&#xE9;&#8221;&gt;</string>
  \t<key>CFBundleGetInfoString</key>
  \t<string><![CDATA[Made by <hand> & left ]] > alone]]> &quot;twice&apos;</string>

\t<key>CFBundlePackageType</key> <string>APPL</string> <!-- on one line -->
\t<key>CFBundleShortVersionString</key><string>1.0</string>
\t<key>CFBundleVersion</key>
\t\t\t<string
\t\t\t\t>7</string>
\t<key>CFBundleSupportedPlatforms</key><array><string>iPhoneOS</string></array>
\t<key>MinimumOSVersion</key>
\t<!-- between a key and its value -->
\t<string>15.0</string>
    <key>Numbers</key>
    <array>
        <integer>  -0042</integer>
        <integer>+7</integer>
        <real>1.50</real>
        <real>6.02e23</real>
    </array>
    <key>Payload</key>
    <data>
        AAEC   AwQF
    \tBgc=
    </data>
\t<key>Empty</key> <string></string>
\t<key>Empty too</key> <string />
\t<key>Text of two lines</key>
\t<string>first line
  second line\t</string>
\t<key>Seen</key> <date>2026-01-01T00:00:00Z</date>
\t<key>NSAppTransportSecurity</key>
\t<dict>
\t    <key>NSExceptionDomains</key>
\t    <dict>
\t\t<key>odd.example.com</key>
\t\t<dict>
\t\t  <key>NSIncludesSubdomains</key> <false/>
\t\t</dict>
\t    </dict>
\t</dict>
  <key>UIRequiresFullScreen</key>
  <true></true>
  <!-- the last word -->
 </dict>
</plist>
<!-- behind the end -->""".replace("\n", "\r\n")
