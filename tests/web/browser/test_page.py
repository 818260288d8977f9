"""The page in a real browser: what a reader sees, reads, asks and corrects."""

import base64
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.store import Store
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.web.guard import Access
from tests.query_cases import sample
from tests.web.browser.conftest import Open, Site, serve, until
from tests.web.server_cases import running, write_settings

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.long]

MAP = "document.querySelector('.graph-map').drawing"


def wait_for_map(page: Any) -> dict[str, Any]:
    """Return what is on the map, once labels are drawn."""
    until(page, f"document.documentElement.dataset.ready === 'map' && {MAP}.drawn.labels.length > 0")
    drawn: dict[str, Any] = page.evaluate(f"{MAP}.drawn")
    return drawn


def colours(browser: Any, picture: bytes) -> int:
    """Return how many different colours a picture has, counted by a browser of its own."""
    page = browser.new_page()
    count: int = page.evaluate(
        """async (data) => {
          const image = new Image();
          image.src = 'data:image/png;base64,' + data;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
          canvas.drawImage(image, 0, 0);
          return new Set(new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer)).size;
        }""",
        base64.b64encode(picture).decode(),
    )
    page.close()
    return count


def test_the_map_is_drawn_with_labels_inside_that_do_not_collide(open_page: Open, browser: Any) -> None:
    page = open_page()
    drawn = wait_for_map(page)
    assert len(drawn["labels"]) > 10
    for one in drawn["labels"]:
        assert one["x"] >= 0 and one["x"] + one["width"] <= drawn["width"], one
        assert one["y"] >= 0 and one["y"] + one["height"] <= drawn["height"], one
    boxes = [(one["x"], one["y"], one["x"] + one["width"], one["y"] + one["height"]) for one in drawn["labels"]]
    overlapping = [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[:i]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert overlapping == []
    assert colours(browser, page.locator(".graph-map").screenshot()) > 50


@pytest.mark.parametrize(("width", "height", "most"), [(1400, 900, 10), (390, 800, 4)])
def test_the_best_connected_entities_are_named_and_no_title_of_a_theme_lies_on_them(
    open_page: Open, width: int, height: int, most: int
) -> None:
    page = open_page(width=width, height=height)
    labels = wait_for_map(page)["labels"]
    nodes = page.evaluate(
        f"{MAP}.model.byRank.slice(0, {most}).map((node) => ({{ name: {MAP}.model.nodes.name[node], ...{MAP}.point(node) }}))"
    )
    assert [one["name"] for one in nodes if one["name"] not in {label["text"] for label in labels}] == []
    titles = page.evaluate(f"{MAP}.model.shown.map((index) => {MAP}.model.communities.title[index])")
    drawn = [label for label in labels if label["text"] in titles]
    assert drawn
    for one in nodes:
        for at in drawn:
            inside = 0 < one["x"] - at["x"] < at["width"] and 0 < one["y"] - at["y"] < at["height"]
            assert not inside, (one["name"], at["text"])


def test_levels_are_counted_as_the_command_counts_them(open_page: Open, site: Site) -> None:
    page = open_page()
    wait_for_map(page)
    assert page.inner_text(".level-name") == "level 0, broadest"
    entity = site.api("/tables/entities?columns=id&sort=-degree&limit=1")["items"][0]["id"]
    themes = site.api(f"/entities/{entity}")["communities"]
    page = open_page(f"#/entity/{entity}")
    page.wait_for_selector(".entity ul.plain")
    said = page.locator(".entity ul.plain .number").all_inner_texts()
    assert [one.strip() for one in said] == [f"level {one['level']}" for one in themes] and said[0].strip() == "level 0"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (">> On Fri, Ingrid wrote. > Dear Tomasz. **Decision 5:** she goes.", "On Fri, Ingrid wrote. Dear Tomasz. Decision 5: she goes."),
        ("> which sensor\n> you would buy", "which sensor\nyou would buy"),
        ("See it. | Data agreement | Ann Kerr | 11 April |.", "See it. Data agreement · Ann Kerr · 11 April."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a · b\n\n1 · 2"),
        ("# Scope\n- the *lean* mode of `AV-12`, see [the note](notes/a_(b).md)", "Scope\nthe lean mode of AV-12, see the note"),
        ("a * b * c, 2**3, snake_case_name, x | y", "a * b * c, 2**3, snake_case_name, x · y"),
        ("Menu > Settings, 5 > 3, C# and -5 degrees", "Menu > Settings, 5 > 3, C# and -5 degrees"),
    ],
)  # fmt: skip
def test_descriptions_are_shown_without_the_marks_of_markdown_and_mail(open_page: Open, text: str, shown: str) -> None:
    page = open_page("#/entities")
    page.wait_for_selector("td.wide")
    address = page.evaluate("[...document.scripts].map((one) => one.src).find((one) => one.includes('app.js'))")
    plain = f"(await import({address.replace('app.js', 'core/format.js')!r})).plain"
    assert page.evaluate(f"(async (text) => {plain}(text))", text) == shown


def test_the_first_view_says_what_the_corpus_is_about(open_page: Open, site: Site) -> None:
    page = open_page()
    themes = site.api()["themes"]
    wait_for_map(page)
    shown = page.locator(".theme-title").all_inner_texts()
    assert shown == [theme["title"] for theme in themes]
    assert page.locator(".theme-title").first.is_visible() and page.locator(".graph-map").is_visible()


def test_a_theme_a_report_and_a_passage_are_three_clicks(open_page: Open) -> None:
    page = open_page()
    page.locator(".theme-title").first.click()
    page.locator(".report .citations a[href^='#/read/']").first.click()
    page.wait_for_selector("mark.cited")
    assert page.locator("mark.cited").first.is_visible()


def test_the_reader_marks_the_very_characters_of_a_citation(open_page: Open, site: Site) -> None:
    theme = site.api()["themes"][0]["community"]
    cited = [
        one
        for finding in site.api(f"/reports/{theme}")["findings"]
        for one in finding["citations"]
        if one["start"] is not None
    ]
    one = cited[0]
    page = open_page(f"#/read/{one['document']}?chunk={one['chunk']}&start={one['start']}&end={one['end']}")
    page.wait_for_selector("mark.cited")
    chunks = Store(sample()).open().table("chunks").to_pylist()
    (text,) = [chunk["text"] for chunk in chunks if chunk["id"] == one["chunk"]]
    marked = "".join(page.locator("mark.cited").all_text_contents())
    assert marked == text[one["start"] : one["end"]]
    top = page.locator("mark.cited").first.bounding_box()["y"]
    assert 0 < top < 800, "the reader scrolled there"


def test_a_name_is_found_while_it_is_typed_and_selected_on_the_map(open_page: Open) -> None:
    page = open_page()
    wait_for_map(page)
    page.keyboard.press("/")
    page.keyboard.type("joan of")
    page.wait_for_selector("#suggestions [role=option]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("aside h1:has-text('Joan of Arc')")
    until(page, f"{MAP}.selected >= 0 && {MAP}.drawn.labels.some(l => l.text === 'Joan of Arc')")


def test_a_question_streams_and_its_quotes_open_the_reader_at_their_characters(open_page: Open) -> None:
    page = open_page("#/ask")
    page.fill("#question", "Where was Joan of Arc captured?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer-text .cite")
    page.wait_for_selector(".quotes .quote")
    assert page.locator(".steps li").count() > 0
    quote = page.locator(".quote blockquote").first.inner_text().rstrip("…").strip()
    page.locator(".quote a").first.click()
    page.wait_for_selector("mark.cited")
    marked = " ".join("".join(page.locator("mark.cited").all_text_contents()).split())
    assert marked and quote[:60] in marked


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_next_question_is_at_hand_below_an_answer_and_its_answer_begins_at_the_top(
    open_page: Open, width: int, height: int
) -> None:
    page = open_page("#/ask", width=width, height=height)
    for turns, question in enumerate(("Who was crowned at Reims?", "And who crowned him?"), 1):
        field = page.locator("#question").bounding_box()
        assert field["y"] + field["height"] <= height
        before = page.evaluate("scrollY")
        page.locator("#question").press_sequentially(question)
        assert page.evaluate("scrollY") == before, "who types goes on seeing what is read"
        page.keyboard.press("Enter")
        until(page, f"document.querySelectorAll('.answer-actions button').length === {turns}")
    assert page.locator(".turn-question").last.bounding_box()["y"] < height / 4
    field = page.locator("#question").bounding_box()
    assert field["y"] > height / 2 and field["y"] + field["height"] <= height
    last = page.locator(".turn").last.locator(".quote:not(.is-close) a").last
    last.focus()
    link = last.bounding_box()
    assert link["y"] + link["height"] <= field["y"], "what has the focus is not behind the field"
    page.click("text=New conversation")
    assert page.locator(".turn").count() == 0


def test_no_line_of_an_answer_begins_with_a_citation(open_page: Open) -> None:
    page = open_page("#/ask?q=What are the main themes?", width=390, height=844)
    page.wait_for_selector(".answer-actions button")
    words = page.evaluate(
        "[...document.querySelectorAll('.cited-word')].map((one) => [one.innerText, one.getClientRects().length])"
    )
    assert len(words) > 5
    for word, lines in words:
        assert word[0].isalnum() and lines == 1, word


def test_questions_that_may_follow_an_answer_are_asked_by_a_click(open_page: Open) -> None:
    page = open_page("#/ask?q=Who was crowned at Reims?")
    page.wait_for_selector(".follow-ups button")
    follows = page.locator(".follow-ups button").first.inner_text()
    page.locator(".follow-ups button").first.click()
    until(page, "document.querySelectorAll('.answer-actions button').length === 2")
    assert page.locator(".turn-question").last.inner_text() == follows
    assert not page.locator(".follow-ups").first.is_visible()


def test_where_nothing_answers_the_words_before_the_passages_are_their_heading(open_page: Open) -> None:
    page = open_page("#/ask?q=Welche Farbe hatte das Pferd von Joan of Arc?")
    page.wait_for_selector(".quote.is-close")
    said, heading = page.inner_text(".answer-text").strip(), page.inner_text("li.quotes-rest").strip()
    assert said.endswith(".") and heading and ":" not in heading and "Closest" not in heading
    assert "\n" in page.locator(".quote.is-close blockquote").first.inner_text(), "lines of a passage stay lines"
    assert page.locator(".quote.is-close mark").first.inner_text(), "what is closest in it is marked"


def test_names_are_suggested_with_their_type_in_words(open_page: Open) -> None:
    page = open_page("#/entities")
    page.fill("#search", "charles")
    page.wait_for_selector(".suggestion-detail")
    details = page.locator(".suggestion.is-entity .suggestion-detail").all_inner_texts()
    assert details[0].startswith("Person, ") and details[0].endswith(" relationships")
    assert not [one for one in details if ", 1 relationships" in one]


@pytest.mark.parametrize(("width", "shown"), [(1280, False), (1500, True)])
def test_steps_lead_to_the_map_only_where_it_is_beside_them(open_page: Open, width: int, shown: bool) -> None:
    page = open_page("#/ask?q=What are the main themes?", width=width, height=800)
    page.wait_for_selector(".answer-actions button")
    page.click(".trace summary")
    assert page.locator(".step-show").first.is_visible() == shown == page.locator(".way").is_visible()


def test_a_text_is_cut_behind_a_word(open_page: Open) -> None:
    page = open_page("#/entities")
    page.wait_for_selector("td.wide")
    address = page.evaluate("[...document.scripts].map((one) => one.src).find((one) => one.includes('app.js'))")
    cut = f"(await import({address.replace('app.js', 'core/dom.js')!r})).cut"
    assert page.evaluate(f"(async () => {cut}('one two three', 10))()") == "one two…"
    assert page.evaluate(f"(async () => {cut}('{'x' * 40}', 10))()") == "x" * 9 + "…"
    assert page.evaluate(f"(async () => {cut}('a\\n\\n b', 10, true))()") == "a\nb"


def test_documents_are_listed_with_their_files_and_no_empty_column(open_page: Open) -> None:
    page = open_page("#/documents")
    page.wait_for_selector("tbody tr")
    assert page.locator("thead th").all_inner_texts() == ["Title", "Characters", "Chunks", "File"]
    assert "joan-of-arc.md" in page.locator("tbody td:last-child").all_inner_texts()


@pytest.mark.parametrize("view", ["entities", "documents"])
def test_on_a_phone_no_column_of_a_list_is_cut_off(open_page: Open, view: str) -> None:
    page = open_page(f"#/{view}", width=390, height=844)
    page.wait_for_selector("tbody tr")
    assert (
        page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))"
        )
        == 0
    )


def test_two_methods_answer_beside_each_other(open_page: Open) -> None:
    page = open_page("#/ask")
    page.select_option("#method", "basic")
    page.select_option("#second", "global")
    page.fill("#question", "What are the main themes?")
    page.click("button:has-text('Ask')")
    until(page, "document.querySelectorAll('.answer-actions button').length >= 2")
    assert page.locator(".columns.is-two .answer").count() == 2


def test_a_correction_shows_what_it_changes_before_it_is_written(open_page: Open, site: Site, project: Path) -> None:
    name = site.api("/search?q=Joan%20of%20Arc")["items"][0]
    path = project / "corrections.yaml"
    page = open_page(f"#/entity/{name['id']}")
    page.click("button:has-text('Correct')")
    page.get_by_label("Rename").check()
    page.fill("#rename-to", "Jeanne d'Arc")
    page.click("button:has-text('Preview')")
    page.wait_for_selector("h3:has-text('What would change')")
    assert not path.exists(), "a preview writes nothing"
    page.click("button:has-text('Write to corrections.yaml')")
    page.wait_for_selector(".done")
    try:
        assert "Jeanne d'Arc" in path.read_text(encoding="utf-8")
    finally:
        path.unlink()


def test_health_lists_runs_and_verifies(open_page: Open) -> None:
    page = open_page("#/health")
    page.wait_for_selector(".stages tbody tr")
    assert page.locator(".stages").inner_text().count("find communities") == 1
    page.click("button:has-text('Verify')")
    page.wait_for_selector(".health .good:has-text('All checks hold')")
    assert "checks found no fault" in page.inner_text(".health details summary")
    assert not page.locator("text=no key twice").is_visible()
    page.click(".health details summary")
    assert page.locator("text=no key twice").is_visible()


@pytest.mark.parametrize("view", ["map", "themes", "entities", "documents", "ask", "health"])
def test_nothing_is_wider_than_a_narrow_screen(open_page: Open, view: str) -> None:
    page = open_page(f"#/{view}", width=360, height=740)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_dark_is_dark_and_text_has_contrast_in_both(open_page: Open) -> None:
    for scheme, dark in (("light", False), ("dark", True)):
        page = open_page("#/themes", color_scheme=scheme)
        page.wait_for_selector(".report h1")
        values = page.evaluate(CONTRAST)
        assert (values["paper"] < 0.2) == dark
        assert values["least"] >= 4.5, f"{scheme}: {values['worst']}"


CONTRAST = """() => {
  const lum = (c) => { const [r, g, b] = c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c.slice(0, 3); } return [255, 255, 255]; };
  let least = 99, worst = '';
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.offsetParent) continue;
    const a = lum(rgb(getComputedStyle(e).color).slice(0, 3)), b = lum(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < least) { least = ratio; worst = e.className + ' ' + e.textContent.slice(0, 30); }
  }
  return { least, worst, paper: lum(rgb(getComputedStyle(document.body).backgroundColor).slice(0, 3)) };
}"""


def test_the_map_is_walked_by_keyboard_alone(open_page: Open) -> None:
    page = open_page()
    wait_for_map(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('graph-map')"):
            break
    assert page.evaluate("document.activeElement.classList.contains('graph-map')")
    page.keyboard.press("n")
    until(page, f"{MAP}.selected >= 0")
    first = page.evaluate(f"{MAP}.selected")
    page.keyboard.press("n")
    until(page, f"{MAP}.selected >= 0 && {MAP}.selected !== {first}")
    page.keyboard.press("Enter")
    page.wait_for_selector(".entity h1")
    assert "#/entity/" in page.url


def test_without_webgl_the_map_is_a_list(open_page: Open, browser: Any, site: Site) -> None:
    context = browser.new_context()
    context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page = context.new_page()
    page.goto(site.page())
    page.wait_for_selector(".map-list h2 a")
    assert page.locator(".map-list section").count() > 5
    context.close()


def test_without_javascript_the_reports_are_one_click_away(browser: Any, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.page(""))
    page.click("noscript a[href=reports]")
    assert site.api()["themes"][0]["title"] in page.inner_text("body")
    context.close()


def test_a_server_with_a_token_asks_for_it(browser: Any, project: Path) -> None:
    with running([project], Access(token="a-token-of-this-test")) as server:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/p/{project.name}/")
        page.fill("#token", "a-token-of-this-test")
        page.keyboard.press("Enter")
        page.wait_for_selector(".theme-title")
        page.close()


def test_with_several_projects_the_token_goes_with_the_links_and_into_no_request(browser: Any, project: Path) -> None:
    token = "a-token-of-this-test"
    with running([project, project], Access(token=token)) as server:
        context = browser.new_context()
        page = context.new_page()
        asked: list[str] = []
        context.on("request", lambda one: asked.append(one.url + str(one.headers.get("referer", ""))))
        page.goto(f"http://127.0.0.1:{server.port}/#token={token}")
        second = page.locator("a.project").nth(1)
        until(page, "document.querySelector('a.project').href.includes('token=')")
        with context.expect_page() as opened:
            second.click(modifiers=["Control"])
        other = opened.value
        other.wait_for_selector(".theme-title")
        assert token not in other.url
        page.locator("a.project").first.click()
        page.wait_for_selector(".theme-title")
        page.select_option(".project-choice", index=1)
        page.wait_for_selector(".theme-title")
        assert len(asked) > 10 and not any(token in one.replace(f"#token={token}", "") for one in asked)
        context.close()


def test_entities_are_listed_by_relationships_and_found_by_a_part_of_their_name(open_page: Open, site: Site) -> None:
    page = open_page("#/entities")
    page.wait_for_selector("table.rows tbody tr")
    first = site.api("/tables/entities?columns=title&sort=-degree&limit=1")["items"][0]["title"]
    assert page.inner_text("tbody tr:first-child th") == first
    page.locator("main input").fill("orl")
    until(page, "[...document.querySelectorAll('tbody th')].every(e => e.textContent.toLowerCase().includes('orl'))")
    assert page.locator("tbody tr").count() >= 1


def test_the_map_is_walked_by_touch(open_page: Open) -> None:
    page = open_page(width=360, height=740, has_touch=True, is_mobile=True)
    wait_for_map(page)
    camera = f"(() => {{ const c = {MAP}.sigma.getCamera(); return [c.x, c.y, c.ratio]; }})()"
    box = page.locator(".graph-map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": one, "y": other, "id": number} for number, (one, other) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})
        page.wait_for_timeout(30)

    before = page.evaluate(camera)
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x + 12 * step, y))
    touch("touchEnd")
    page.wait_for_timeout(600)
    moved = page.evaluate(camera)
    assert moved[0] < before[0] and moved[2] == pytest.approx(before[2])
    touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 8):
        touch("touchMove", (x - 20 - 8 * step, y), (x + 20 + 8 * step, y))
    touch("touchEnd")
    page.wait_for_timeout(600)
    assert page.evaluate(camera)[2] < 0.7 * moved[2]
    assert page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    page.click("[aria-label='Show all']")
    page.wait_for_timeout(600)
    at = page.evaluate(f"(() => {{ const m = {MAP}; return m.point(m.model.byRank[0]); }})()")
    page.touchscreen.tap(box["x"] + at["x"], box["y"] + at["y"])
    until(page, f"{MAP}.selected >= 0 || {MAP}.selectedCommunity >= 0")
    page.wait_for_selector(".overview h1")
    assert "entity=" in page.url or "theme=" in page.url


def test_no_control_is_shown_that_does_nothing(open_page: Open) -> None:
    page = open_page("#/ask")
    page.wait_for_selector(".ask-form")
    assert not page.locator("button:has-text('Stop')").is_visible()


def test_a_page_without_an_index_shows_it_as_soon_as_there_is_one_and_a_small_map_hides_nothing(
    browser: Any, tmp_path: Path
) -> None:
    text = "Ada Thorne built the west mole of Carrow. Silas Marsh opened it. Ada Thorne left Carrow."
    write_settings(tmp_path)
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "a.txt").write_text(text, encoding="utf-8")
    with serve(tmp_path) as site:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(site.page())
        page.wait_for_selector("h1:has-text('Nothing is indexed here yet')")
        run_index(Project.open(tmp_path))
        page.wait_for_selector(".graph-map", timeout=90_000)
        drawn = wait_for_map(page)
        largest = page.evaluate(f"Math.max(...{MAP}.model.radius) * {MAP}.scale")
        page.close()
    assert drawn["nodes"] >= 2
    assert largest < 0.03 * max(drawn["width"], drawn["height"])


def test_texts_are_read_in_the_direction_of_their_letters(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "قنديل" / "input").mkdir(parents=True)
    root = write_settings(tmp_path / "قنديل")
    text = "كتبت سعاد شاهين إلى «نادر الورّاق» سنة ١٩٧٥. عمل نادر الورّاق مع سعاد شاهين في مكتبة المنارة.\n"
    (root / "input" / "رسالة.txt").write_text(text * 2, encoding="utf-8")
    run_index(Project.open(root))
    with serve(root) as site:
        page = browser.new_page()
        page.goto(site.page("#/themes"))
        page.wait_for_selector(".report .lead")
        sides = page.evaluate(SIDES)
        assert sides["stop"] < sides["first"], "the full stop is left of the first letter"
        page.goto(site.page("#/ask?q=ما هي مكتبة المنارة؟ Really?"))
        page.wait_for_selector(".turn-question")
        assert page.inner_text(".turn-question") == "ما هي مكتبة المنارة؟ Really?"
        page.close()


SIDES = """() => {
  const text = document.querySelector('.report .lead').firstChild;
  const at = (place) => { const range = document.createRange(); range.setStart(text, place); range.setEnd(text, place + 1); return range.getBoundingClientRect(); };
  const lines = [...text.data].map((_, place) => at(place)).filter((box) => box.width > 0);
  const last = at(text.data.length - 1);
  const onLast = lines.filter((box) => Math.abs(box.top - last.top) < 4);
  return { stop: last.left, first: Math.max(...onLast.slice(0, -1).map((box) => box.left)) };
}"""


def test_rows_of_a_table_are_a_table_in_an_answer_with_their_citations(open_page: Open) -> None:
    text = "**Orders** (2 of 6 rows)\n\norder | status [1]\nA-1 | open [1]\nA-2 | open [2][3]\n\n| Ship | Seats | [4]\n|---|---|\n| Auk | 210 | [5]\n\nEither | or."
    shown = open_page().evaluate(
        """async (text) => {
          const { markdown } = await import('/assets/core/markdown.js');
          const parts = markdown(text, (number) => document.createTextNode(`[${number}]`));
          const cells = (row) => [...row.cells].map((cell) => cell.textContent);
          return parts.map((part) => part.querySelector?.('table') ? [...part.querySelectorAll('tr')].map(cells) : part.textContent);
        }""",
        text,
    )
    orders = [["order", "status [1]"], ["A-1", "open [1]"], ["A-2", "open [2][3]"]]
    assert shown == ["Orders (2 of 6 rows)", orders, [["Ship", "Seats [4]"], ["Auk", "210 [5]"]], "Either | or."]
