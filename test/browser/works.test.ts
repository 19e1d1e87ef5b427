// What other servers send that is no note, in the web client: articles, videos and reviews say where they go on.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { picture } from "../files.ts";
import * as w from "../inbox-world.ts";
import { LOOKS, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";

describe("articles, videos and reviews", { skip: withoutChromium }, () => {
  let browser: TestBrowser;
  const ids: Record<string, string> = {};

  const send = async (name: string, members: w.Json): Promise<void> => {
    const object = await w.create(w.bob, members);
    ids[name] = (await w.statusByUri(object["id"]))!.id;
  };

  before(async () => {
    await w.openWorld();
    browser = await startBrowser(w.test);
    const body = await picture("png", 850, 480);
    w.peer.pages.set("/1.png", { headers: { "content-type": "image/png" }, body });
    await send("article", {
      type: "Article",
      name: "A long plan",
      summary: "In short: we plan.",
      content: `<h2>First</h2>${"<p>Then we go on for quite a while, and say it again.</p>".repeat(40)}`,
      url: `${w.peer.origin}/a-long-plan`,
    });
    await send("video", {
      type: "Video",
      name: "My video",
      content: "What you see",
      mediaType: "text/markdown",
      duration: "PT1145S",
      icon: { type: "Image", url: `${w.peer.origin}/1.png`, width: 850, height: 480 },
      url: [{ type: "Link", mediaType: "text/html", href: `${w.peer.origin}/w/1` }],
    });
    await send("review", {
      type: "Article",
      name: "Review of “Dracula”",
      content: "<p>Built from letters.</p>",
      rating: 4,
    });
  });
  after(async () => {
    await browser?.close();
    await w.closeWorld();
  });

  for (const { size, dark } of LOOKS) {
    test(`name the page that they are on, ${size.width} pixels wide`, async (t) => {
      const { page } = await browser.visit(t, { who: "alice", size, dark });
      await open(page, "/home");
      const post = (name: string) => page.locator(`article[data-status="${ids[name]}"]`);
      const last = (name: string, text: string) => post(name).getByText(`${text} ${w.peer.host}`);
      const readOn = last("article", "Read on at");
      assert.equal(await readOn.getAttribute("href"), `${w.peer.origin}/a-long-plan`);
      await post("article").getByText("Show more").waitFor();
      await post("article").getByText("In short: we plan.").waitFor();
      await post("video").getByText("My video · 19:05").waitFor();
      assert.equal(await last("video", "Original at").getAttribute("href"), `${w.peer.origin}/w/1`);
      await post("video").locator(".media-item img").waitFor();
      await post("review").getByText("★★★★☆ 4/5").waitFor();
      assert.equal(await page.evaluate(OVERFLOW), "");
      await open(page, `/@bob@${w.peer.host}/${ids["article"]}`);
      await last("article", "Original at").waitFor();
      assert.equal(await post("article").getByText("Show more").count(), 0);
    });
  }
});
