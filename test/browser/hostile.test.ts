// What people write, wherever it is shown: nothing of it can leave its place, run, or send anything elsewhere.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { createAnnouncement } from "../../src/domain/reading/announcements/announce.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, untilQuiet } from "./until.ts";
import { upload } from "./village.ts";

const BREAKOUT = `</script></textarea></title><script>window.hacked=1</script><img src=x onerror="window.hacked=2">`;
const ATTRIBUTE = `" autofocus onfocus="window.hacked=3" x='`;
const RTL = "\u202egnp.tac\u202e \u2066\u2067";
const ZALGO = `Z${"\u0351\u0319\u0347\u0322".repeat(120)}algo`;
const LONG = "w".repeat(450);

/** As nothing of ours would write it: past the sanitiser, so that only the client is left to refuse it. */
const HOSTILE_HTML = `<p>kept ${BREAKOUT}<a href="javascript:window.hacked=4" onclick="window.hacked=5" style="position:fixed">link</a>
<a href=" java&#10;script:window.hacked=6">link</a><a href="data:text/html,<script>1</script>">link</a>
<iframe src="https://elsewhere.example/"></iframe><img src="https://elsewhere.example/pixel.png">
<svg onload="window.hacked=7"><a xlink:href="javascript:1">x</a></svg><style>body{display:none}</style>
<form action="https://elsewhere.example/"><input name=password></form><base href="https://elsewhere.example/">
<meta http-equiv=refresh content="0;url=https://elsewhere.example/"><object data=x></object></p>`;

const LOOK = `({
  hacked: window.hacked ?? null,
  scripts: document.querySelectorAll("script:not([src^='/web/'], [src^='/assets/'], #state)").length,
  outside: [...document.querySelectorAll("iframe, object, base[href], meta[http-equiv], [style]:not(.feed > .post:empty, [style^='--button:']), [onerror], [onfocus], [onclick], [onload], [src^='https://elsewhere'], [action^='https://elsewhere'], [href^='javascript' i], [href^='data' i]")].map((each) => each.outerHTML),
  wide: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
})`;
const SAFE = { hacked: null, scripts: 0, outside: [], wide: 0 };

describe("what hostile people write", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let mallory: Person;
  const ids: Record<string, string> = {};

  const post = async (name: string, json: object): Promise<void> => {
    ids[name] = (await mallory.post("/api/v1/statuses", json).ok()).id;
  };

  /** A profile of breakouts in every field. */
  const dressUp = async (): Promise<void> => {
    const form = new FormData();
    form.set("note", `${BREAKOUT} ${ATTRIBUTE}`);
    form.set("fields_attributes[0][name]", ATTRIBUTE);
    form.set("fields_attributes[0][value]", BREAKOUT);
    form.set("discoverable", "true");
    form.set("indexable", "true");
    await mallory.patch("/api/v1/accounts/update_credentials", form).ok();
    const name = `${RTL}${BREAKOUT}`;
    await server.write`UPDATE accounts SET display_name = ${name} WHERE id = ${mallory.accountId}`;
  };

  /** A card of a page, as no page could make it. */
  const attachCard = async (id: string): Promise<void> => {
    const card = {
      type: "link",
      title: BREAKOUT,
      description: `${ATTRIBUTE} ${LONG}`,
      author_name: BREAKOUT,
      author_url: "javascript:window.hacked=8",
      provider_name: ATTRIBUTE,
      provider_url: "javascript:window.hacked=9",
      html: '<iframe src="https://elsewhere.example/"></iframe>',
      embed_url: "",
      width: 0,
      height: 0,
      language: null,
      published_at: null,
      image_description: ATTRIBUTE,
      blurhash: null,
      image_url: "https://elsewhere.example/pixel.png",
    };
    await server.fixture(async (sql) => {
      await sql`
        INSERT INTO preview_cards (url_hash, url, card, ask_again_at, kept_until)
        VALUES ('\\x01', 'javascript:window.hacked=10', ${sql.json(card as never)}, now(), now() + interval '1 day')`;
      await sql`UPDATE statuses SET card_hash = '\\x01' WHERE id = ${id}`;
    });
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice", { role: "Owner" });
    mallory = await server.person("mallory");
    await dressUp();
    await post("warned", { status: BREAKOUT, spoiler_text: `${ATTRIBUTE} ${BREAKOUT}` });
    await post("long", { status: `${RTL} ${ZALGO} ${LONG}` });
    const options = [BREAKOUT.slice(0, 50), ATTRIBUTE];
    await post("poll", { status: "A poll", poll: { options, expires_in: 600 } });
    const media_ids = [await upload(mallory, `${BREAKOUT} ${LONG}`)];
    await post("media", { status: `A picture ${ATTRIBUTE}`, media_ids });
    await post("direct", { status: `@alice ${BREAKOUT}`, visibility: "direct" });
    await post("mention", { status: `@alice ${BREAKOUT} #hostile` });
    await mallory
      .put(`/api/v1/statuses/${ids["mention"]}`, {
        status: `@alice ${ATTRIBUTE} ${BREAKOUT} #hostile`,
      })
      .ok();
    await post("card", { status: "A link" });
    await attachCard(ids["card"]!);
    await post("html", { status: "hostile :evil:", language: "ar" });
    await server.write`UPDATE statuses SET content = ${HOSTILE_HTML} WHERE id = ${ids["html"]!}`;
    await server.write`UPDATE accounts SET note_html = ${HOSTILE_HTML} WHERE id = ${mallory.accountId}`;
    await alice.post(`/api/v1/accounts/${mallory.accountId}/follow`).ok();
    await mallory.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    await mallory
      .post("/api/v1/reports", {
        account_id: alice.accountId,
        comment: `${BREAKOUT} ${ATTRIBUTE}`,
      })
      .ok();
    const list = await alice.post("/api/v1/lists", { title: BREAKOUT }).ok();
    ids["list"] = list.id;
    await alice
      .post("/api/v2/filters", {
        title: BREAKOUT,
        context: ["home", "thread", "account"],
        keywords_attributes: [{ keyword: "picture" }],
      })
      .ok();
    await createAnnouncement(server.app, COMMAND_LINE, { text: `${BREAKOUT} ${ATTRIBUTE}` });
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const check = async (page: Page, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      await untilQuiet(page, () => open(page, path));
      assert.deepEqual(await page.evaluate(LOOK), SAFE, path);
    }
  };

  test("stays in its place for a member", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", size: PHONE });
    allow(/Failed to load resource/);
    const query = encodeURIComponent(BREAKOUT);
    await check(page, [
      ..."/home /public/local /notifications /conversations /explore /explore/people /directory /catch-up".split(
        " ",
      ),
      ..."/@mallory /@mallory/with_replies /@mallory/media /@mallory/followers /@mallory/report /@mallory/mute".split(
        " ",
      ),
      ..."/@alice/followers /lists /settings/filters /tags/hostile /search?q=mallory /@mallory/lists".split(
        " ",
      ),
      ...["warned", "long", "poll", "media", "direct", "card", "html"].map(
        (name) => `/@mallory/${ids[name]}`,
      ),
      `/@mallory/${ids["mention"]}/history`,
      `/lists/${ids["list"]}/edit`,
      `/search?q=${query}`,
      `/share?text=${query}&title=${query}&url=${encodeURIComponent("javascript:window.hacked=11")}`,
      `/authorize_interaction?uri=${query}`,
    ]);
  });

  test("stays in its place where it opens above a page", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource/);
    const openings: [path: string, press: string][] = [
      [`/@mallory/${ids["html"]}`, ".post-main .act-more"],
      [`/@mallory/${ids["html"]}`, ".post-main [data-act=quote]"],
      [`/@mallory/${ids["html"]}`, ".post-main [data-act=reply]"],
      [`/@mallory/${ids["media"]}`, ".post-main a[data-media]"],
      [`/@mallory`, ".menu-button"],
    ];
    for (const [path, press] of openings) {
      await untilQuiet(page, () => open(page, path));
      await page.evaluate(
        "document.querySelectorAll('details:not(.alt)').forEach((each) => (each.open = true))",
      );
      await untilQuiet(page, () => page.click(press));
      const { outside: _placed, ...seen } = (await page.evaluate(LOOK)) as typeof SAFE;
      assert.deepEqual(seen, { hacked: null, scripts: 0, wide: 0 }, `${path} ${press}`);
    }
  });

  test("stays in its place for visitors, in frames elsewhere and for its author", async (t) => {
    const visitor = await browser.visit(t, { size: PHONE });
    visitor.allow(/Failed to load resource/);
    await check(visitor.page, [
      "/@mallory",
      `/@mallory/${ids["html"]}`,
      `/@mallory/${ids["card"]}/embed`,
    ]);
    await check(visitor.page, [`/@mallory/${ids["html"]}/embed`, `/interact/${ids["html"]}`]);
    const author = await browser.visit(t, { who: "mallory", size: PHONE });
    author.allow(/Failed to load resource/);
    await check(author.page, ["/settings", "/settings/profile", "/settings/export", "/compose"]);
  });

  test("keeps what may stay, and a name cannot turn the handle beside it", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", size: PHONE });
    allow(/Failed to load resource/);
    await open(page, `/@mallory/${ids["html"]}`);
    assert.match((await page.locator("main").textContent())!, /kept/);
    const author = page.locator("article", { hasText: "kept" }).locator(".post-author").first();
    assert.match(await author.locator(".handle").innerText(), /^@mallory$/);
    const direction = await page.evaluate(
      `getComputedStyle(document.querySelector(".post-author .name")).unicodeBidi`,
    );
    assert.equal(direction, "isolate");
  });
});
