"""Takes the pictures of the page for README and docs, with the sample corpus: make screenshots."""

import base64
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)

from benchmarks.browser import chromium, served
from benchmarks.measure import command, run

IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = (1280, 800), (360, 740)
QUESTION = "Where was Joan of Arc captured?"
TO_WEBP = """async (png) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(bytes.reduce((text, one) => text + String.fromCharCode(one), ''));
}"""


def main() -> None:
    """Index the sample, open each view and write its picture."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        project = Path(folder) / "joan-of-arc"
        shutil.copytree(ROOT / "input", project / "input")
        shutil.copy(ROOT / "settings.yaml", project)
        run(command("index", "--root", str(project)))
        with served(project) as url:
            take(browser, url, "page-map", "#/map", ".graph-map")
            take(browser, url, "page-map-dark", "#/map", ".graph-map", scheme="dark", act=select)
            take(browser, url, "page-theme", "#/themes", ".report h1")
            take(browser, url, "page-reader", "#/themes", ".report h1", act=follow_citation)
            take(browser, url, "page-entity", "#/entity/Joan%20of%20Arc", ".entity h1")
            take(browser, url, "page-ask", f"#/ask?q={QUESTION}", ".answer-actions button", size=(1500, 860))
            take(browser, url, "page-health", "#/health", ".stages")
            take(browser, url, "page-phone", "#/map", ".graph-map", size=PHONE)


def take(
    browser: Any,
    url: str,
    name: str,
    view: str,
    shown: str,
    size: tuple[int, int] = WIDE,
    scheme: str = "light",
    act: Any = lambda page: None,
) -> None:
    """Write the picture of one view."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(url + view)
    page.wait_for_selector(shown)
    page.wait_for_timeout(1200)
    act(page)
    page.wait_for_timeout(900)
    picture = base64.b64encode(page.screenshot()).decode()
    page.close()
    blank = browser.new_page()
    content = base64.b64decode(blank.evaluate(TO_WEBP, picture))
    blank.close()
    (IMAGES / f"{name}.webp").write_bytes(content)
    print(f"{name}.webp: {len(content) / 1000:.0f} KB")


def select(page: Any) -> None:
    """Select the best connected entity on the map."""
    page.locator(".graph-map").focus()
    page.keyboard.press("n")


def follow_citation(page: Any) -> None:
    """Open the first passage that the report cites."""
    page.locator(".report .citations a[href^='#/read/']").first.click()
    page.wait_for_selector("mark.cited")


if __name__ == "__main__":
    main()
