"""A certificate authority of one's own, a developer's key and certificate, and profiles."""

import datetime
import os
import plistlib
import shutil
import subprocess

TEAM = "ABCDE12345"
PASSWORD = "correct horse 'battery' $taple"
SUBJECT = f"/UID={TEAM}/CN=Apple Development: T ({TEAM})/OU={TEAM}/O=Test/C=US"
EXTENSIONS = "extendedKeyUsage=critical,codeSigning\nkeyUsage=critical,digitalSignature\n"


def openssl(*arguments, **options):
    return subprocess.run(
        ["openssl", *arguments], check=True, capture_output=True, stdin=subprocess.DEVNULL,
        **options).stdout


class Identity:
    """Files in a folder: ca.pem, key.pem, encrypted.pem, certificate.pem, chain.pem, dev.p12."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        run = lambda *arguments: openssl(*arguments, cwd=self.folder)
        run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem",
            "-days", "3650", "-subj", "/C=US/O=Test/CN=Test CA")
        run("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "leaf.csr",
            "-subj", SUBJECT)
        with open(self.path("leaf.cnf"), "w", encoding="ascii") as file:
            file.write(EXTENSIONS)
        run("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
            "-CAcreateserial", "-days", "730", "-extfile", "leaf.cnf", "-out", "certificate.pem")
        with open(self.path("chain.pem"), "wb") as file:
            for name in ("certificate.pem", "ca.pem"):
                with open(self.path(name), "rb") as part:
                    shutil.copyfileobj(part, file)
        password = f"pass:{PASSWORD}"
        run("pkcs8", "-topk8", "-in", "key.pem", "-out", "encrypted.pem", "-passout", password)
        run("pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-certfile",
            "ca.pem", "-passout", password, "-out", "dev.p12")
        with open(self.path("password"), "w", encoding="utf-8") as file:
            file.write(PASSWORD + "\n")
        self.certificate = run("x509", "-in", "certificate.pem", "-outform", "DER")

    def path(self, name):
        return os.path.join(self.folder, name)

    def detached(self, content):
        """A CMS message over bytes that it does not hold, as one over a CodeDirectory."""
        with open(self.path("content"), "wb") as file:
            file.write(content)
        return openssl(
            "cms", "-sign", "-binary", "-in", "content", "-signer", "certificate.pem", "-inkey",
            "key.pem", "-certfile", "ca.pem", "-outform", "DER", cwd=self.folder)

    def profile(self, name, identifier="*", days=365, team=TEAM, **more):
        """Writes a development profile as a CMS message. Returns its path."""
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None, microsecond=0)
        entitlements = {
            "application-identifier": f"{team}.{identifier}", "get-task-allow": True,
            "com.apple.developer.team-identifier": team, "keychain-access-groups": [f"{team}.*"],
        }
        content = {
            "AppIDName": "Test", "ApplicationIdentifierPrefix": [team], "Name": name,
            "CreationDate": now - datetime.timedelta(days=1), "Platform": ["iOS"],
            "ExpirationDate": now + datetime.timedelta(days=days), "TeamIdentifier": [team],
            "DeveloperCertificates": [self.certificate], "Entitlements": entitlements,
            "ProvisionedDevices": ["00008030-000000000000002E"], "TeamName": "Test",
            "TimeToLive": days, "UUID": "00000000-0000-4000-8000-000000000001", "Version": 1, **more,
        }
        plist, path = self.path(f"{name}.plist"), self.path(f"{name}.mobileprovision")
        with open(plist, "wb") as file:
            plistlib.dump(content, file)
        openssl("smime", "-sign", "-binary", "-nodetach", "-outform", "DER", "-signer",
                "certificate.pem", "-inkey", "key.pem", "-certfile", "ca.pem", "-in", plist,
                "-out", path, cwd=self.folder)
        return path
