"""site.py SOURCE: the documentation site. Every link leads to a file and to a section that exist, nothing is loaded from
a network, every page can be reached, and the search index names every section."""
import html.parser
import json
import pathlib
import posixpath
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

source = pathlib.Path(sys.argv[1])
problems = []


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.loads, self.count, self.stack = [], [], [], {}, []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.count[tag] = self.count.get(tag, 0) + 1
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
        elif "href" in a or "src" in a:
            self.loads.append(a.get("src", a.get("href")))
        if tag == "img" and not a.get("alt"):
            problems.append(f"an image without a text: {a.get('src')}")
        if tag not in ("img", "br", "hr", "input", "meta", "link"):
            self.stack.append(tag)

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            problems.append(f"</{tag}> does not close the element before it")


def read(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    if page.stack:
        problems.append(f"{path}: open elements {page.stack}")
    return page


with tempfile.TemporaryDirectory() as scratch:
    out, again = pathlib.Path(scratch, "site"), pathlib.Path(scratch, "again")
    for folder in (out, again):
        subprocess.run([source / "scripts/site", folder], check=True)
    files = {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()}
    for name in files:
        if (out / name).read_bytes() != (again / name).read_bytes():
            problems.append(f"{name} differs between two runs")
    pages = {name: read(out / name) for name in sorted(files) if name.endswith(".html")}
    links = 0
    for name, page in pages.items():
        if page.count.get("h1") != 1:
            problems.append(f"{name} has {page.count.get('h1', 0)} titles")
        if len(set(page.ids)) != len(page.ids):
            problems.append(f"{name} has two elements with one name")
        for link in page.loads:
            if ":" in link.split("/")[0] or link.startswith("//"):
                problems.append(f"{name} loads {link}")
        for link in page.links + page.loads:
            if link.startswith(("http://", "https://", "mailto:")):
                continue
            links += 1
            path, _, section = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if target not in files:
                problems.append(f"{name}: the link {link} is broken")
            elif section and urllib.parse.unquote(section) not in pages[target].ids:
                problems.append(f"{name}: {target} has no section {section}")

    # every page can be reached from the first one
    reached, new = set(), ["index.html"]
    while new:
        name = new.pop()
        if name in reached or name not in pages:
            continue
        reached.add(name)
        new += [posixpath.normpath(posixpath.join(posixpath.dirname(name), l.partition("#")[0]))
                for l in pages[name].links if not l.startswith(("http", "#", "mailto:"))]
    problems += [f"{name} cannot be reached" for name in sorted(set(pages) - reached)]

    # the search index: addresses exist, and every page is in it
    text = (out / "search-index.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("window.searchIndex=").rstrip().removesuffix(";"))
    for address, title, section, words in index:
        path, _, name = address.partition("#")
        if path not in pages or (name and name not in pages[path].ids) or not title:
            problems.append(f"the search index has {address}")
    missing = {n for n in pages if not n.startswith("files/")} - {row[0].partition("#")[0] for row in index}
    problems += [f"the search index has no {name}" for name in sorted(missing)]
    # words of a page are in the index, at their section
    if not any("--holdout" in words and address.startswith("cli/identify.html#") for address, _, _, words in index):
        problems.append("--holdout is not found at the page of identify")

    # a page with a broken link, and a page that the menu does not have, are refused
    copy = pathlib.Path(scratch, "copy")
    for name in ("scripts", "web", "docs", "include", "examples", "python"):
        shutil.copytree(source / name, copy / name)
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"):
        shutil.copy(source / name, copy / name)
    (copy / "docs/lost.md").write_text("# Lost\n\n[nowhere](nowhere.md)\n")
    refused = subprocess.run([copy / "scripts/site", out], capture_output=True, text=True)
    for wanted in ("docs/lost.md: there is no docs/nowhere.md", "web/site/menu.txt: docs/lost.md is missing"):
        if refused.returncode != 1 or wanted not in refused.stderr:
            problems.append(f"not refused: {wanted}")
    print(f"{len(pages)} pages, {links} links, {len(index)} sections")
    if len(pages) < 60 or links < 1000:
        problems.append("too few pages or links were found")
print("\n".join(problems))
sys.exit(1 if problems else 0)
