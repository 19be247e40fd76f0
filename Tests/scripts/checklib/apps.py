"""What the apps that checks make have in common."""


def info_plist(identifier="com.example.app", **more):
    """The keys that every app has, and more or others."""
    return {
        "CFBundleExecutable": "App", "CFBundleIdentifier": identifier, "CFBundleName": "App",
        "CFBundlePackageType": "APPL", "CFBundleVersion": "1", "CFBundleShortVersionString": "1.0",
        "MinimumOSVersion": "15.0", "CFBundleSupportedPlatforms": ["iPhoneOS"], **more,
    }
