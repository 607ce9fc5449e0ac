"""What the self-contained packages hold, as SPDX 2.3: Roberval, the shared libraries in wheel and archive by their Debian packages, and the
packages of web/package-lock.json that are in the report's script."""
import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
IN_REPORT = ("three",)


def git(*words):
    """The answer of git; empty outside a clone."""
    done = subprocess.run(["git", "-C", str(ROOT), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, encoding="utf-8")
    return done.stdout.strip() if (ROOT / ".git").exists() else ""


def entry(name, version, licence, url):
    return {"SPDXID": "SPDXRef-" + "".join(c if c.isalnum() else "-" for c in name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "filesAnalyzed": False,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}]}


def document(version, debian):
    """The text for these Debian packages. The same commit and packages give the same bytes."""
    packages = [entry("roberval", version, "Apache-2.0", f"pkg:generic/roberval@{version}")]
    for name in debian:
        found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], stdout=subprocess.PIPE, check=True, encoding="utf-8")
        packages.append(entry(name, found.stdout, "NOASSERTION", f"pkg:deb/debian/{name}@{found.stdout}"))
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    for name in IN_REPORT:
        package = lock[f"node_modules/{name}"]
        packages.append(entry(name, package["version"], package.get("license", "MIT"), f"pkg:npm/{name}@{package['version']}"))
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-roberval"}]
    relations += [{"spdxElementId": "SPDXRef-roberval", "relationshipType": "CONTAINS", "relatedSpdxElement": p["SPDXID"]}
                  for p in packages[1:]]
    seconds = git("log", "-1", "--format=%ct") or os.environ.get("SOURCE_DATE_EPOCH", "1577836800")
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"roberval-{version}",
        "documentNamespace": f"urn:roberval:{version}:{git('rev-parse', 'HEAD') or 'sources'}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))), "creators": ["Tool: scripts/sbom"]},
        "packages": packages, "relationships": relations}, indent=1) + "\n"
