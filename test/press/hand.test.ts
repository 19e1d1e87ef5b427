// The crawler itself, on pages that behave as those of the client do.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { withoutChromium } from "../browser/open.ts";
import { isKnown } from "./accepted-findings.ts";
import type { Finding } from "./accepted-findings.ts";
import { watchAnswers } from "./answers.ts";
import { launchBrowser } from "./browsers.ts";
import { crawl, SIZES } from "./crawl.ts";
import { listControls, openPage, press } from "./judge.ts";
import type { Visit } from "./judge.ts";
import type { Browser } from "./port.ts";
import type { World } from "./world.ts";

/** Keeps a choice in the browser: with it, the menu offers less, and the page more. */
const KEPT = `<main>
  <button id="more">More</button>
  <button id="undo" style="position: absolute; left: 100px; top: 100px">Publish now</button>
  <div id="layer" popover="auto"
    style="position: fixed; inset: 0; width: auto; height: auto; margin: 0; padding: 0; pointer-events: none">
    <div style="position: fixed; left: 90px; top: 90px; padding: 40px; background: white; pointer-events: auto">
      <button id="later">Publish later</button>
    </div>
  </div>
</main>
<script>
  const draw = () => { later.hidden = !!localStorage.late; undo.hidden = !localStorage.late; };
  more.onclick = () => layer.togglePopover();
  layer.ontoggle = ({ newState }) => more.setAttribute("aria-expanded", newState === "open");
  later.onclick = () => { localStorage.late = "yes"; layer.hidePopover(); draw(); };
  undo.onclick = () => { localStorage.removeItem("late"); draw(); };
  draw();
</script>`;

/** Grows above the button the first times that it is scrolled, as lists that are drawn near the window only. */
const GROWS = `<main style="overflow-anchor: none"><div id="above" style="height: 3000px"></div>
  <button id="aim">Press me</button><p id="said"></p><div style="height: 3000px"></div></main>
<script>
  let height = 3000;
  onscroll = () => { if (height < 3500) above.style.height = (height += 200) + "px"; };
  aim.onclick = () => { said.textContent = "pressed"; };
</script>`;

const PLAIN = `<main><a href="http://elsewhere.example/">Away</a> <input type="file">
  <details><summary>More</summary><p>A text</p></details><button id="aim">By scripts alone</button>
  <p id="said"></p></main><script>aim.onclick = () => { said.textContent = "pressed"; };</script>`;

/** The browser itself says that the field is empty. */
const REFUSED = `<main><form><input required autofocus><button>Send</button></form></main>`;

/** Answers late, as downloads do on a busy machine. */
const LATE = `<main><button id="aim">Press me</button><p id="said"></p></main>
<script>aim.onclick = () => setTimeout(() => { said.textContent = "pressed"; }, 500);</script>`;

const PAGES: Record<string, string> = {
  "/kept": KEPT,
  "/grows": GROWS,
  "/plain": PLAIN,
  "/refused": REFUSED,
  "/late": LATE,
};

describe("the crawler", { skip: withoutChromium }, () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>Page</title>${PAGES[request.url ?? ""] ?? ""}`);
  });
  let browser: Browser;
  let world: World;

  before(async () => {
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const none = new Map<string, string>();
    world = {
      url: `http://127.0.0.1:${port}`,
      answers: watchAnswers(port),
      cookies: { newcomer: none, busy: none, moderator: none, visitor: none },
      paths: Object.keys(PAGES),
      hasPage: async () => true,
      reset: async () => {},
      close: async () => {},
    };
    browser = await launchBrowser("chromium", false);
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  const visit = async (): Promise<Visit> => {
    const { url: origin, answers, cookies } = world;
    const window = await browser.window({
      ...SIZES.desk,
      origin,
      cookies: cookies.busy,
    });
    return { window, answers };
  };

  const crawlPage = async (page: string, withoutScripts: boolean) => {
    const findings: Finding[] = [];
    const { controls } = await crawl(browser, world, {
      size: "desk",
      person: "busy",
      withoutScripts,
      pages: [page],
      choose: (keys) => keys,
      alike: Infinity,
      presses: Infinity,
      onFinding: async (finding) => void findings.push(finding),
    });
    return { findings, controls };
  };

  test("goes to a control as it was met, though the browser has kept something since", async () => {
    const { findings, controls } = await crawlPage("/kept", false);
    assert.deepEqual(findings, []);
    assert.equal(controls, 3);
  });

  test("finds without scripts what only scripts do, and follows no link to other servers", async () => {
    assert.deepEqual((await crawlPage("/plain", false)).findings, []);
    const { findings, controls } = await crawlPage("/plain", true);
    assert.equal(controls, 3);
    assert.equal(findings.length, 1);
    assert.deepEqual(findings[0]!.keys, ["main | button | By scripts alone"]);
    const refused = await crawlPage("/refused", true);
    assert.deepEqual([refused.findings, refused.controls], [[], 2]);
  });

  test("presses a control where it has come to rest", async () => {
    const seen = await visit();
    await openPage(seen, "/grows");
    const [key] = await listControls(seen);
    assert.deepEqual((await press(seen, key!)).faults, []);
    await seen.window.close();
  });

  test("waits a little for what follows from a press", async () => {
    assert.deepEqual((await crawlPage("/late", false)).findings, []);
  });

  test("tells a press that the browser gave to no document from one that does nothing", async () => {
    const seen = await visit();
    const deaf: Visit = { ...seen, window: { ...seen.window, press: async () => {} } };
    await openPage(deaf, "/grows");
    const [key] = await listControls(deaf);
    const { faults } = await press(deaf, key!);
    assert.equal(faults.length, 1);
    const [fault] = faults as [string];
    assert.match(fault, /^no document gets the press/);
    const finding = {
      size: "phone",
      person: "busy",
      page: "/grows",
      keys: [key!],
      what: "",
      fault,
    };
    assert.equal(isKnown({ ...finding, browser: "firefox" }), true);
    assert.equal(isKnown({ ...finding, browser: "chromium" }), false);
    await deaf.window.close();
  });
});
