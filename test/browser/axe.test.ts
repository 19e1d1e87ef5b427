// Every page of the web client by axe-core's rules, in light and dark, on a desk and on a phone: no violation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + " " + (node.any[0]?.message ?? "")).join(" | ")))`;

const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  return (await page.evaluate(RUN)) as string[];
};

describe("axe", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let thread: string;

  before(async () => {
    server = await startTestApp();
    const alice = await server.person("alice");
    const bob = await server.person("bob");
    const post = async (who: typeof bob, status: string, more: object = {}): Promise<string> => {
      const json = { status, ...more };
      const answer = await server.request("POST", "/api/v1/statuses", { token: who.token, json });
      assert.equal(answer.status, 200, answer.text);
      return answer.json.id;
    };
    await server.request("POST", `/api/v1/accounts/${bob.accountId}/follow`, {
      token: alice.token,
    });
    const first = await post(bob, "Has anybody seen the #owls at https://example.com/mill?");
    const answer = await post(alice, "@bob yes", { in_reply_to_id: first });
    await post(bob, "@alice where?", { in_reply_to_id: answer });
    await post(bob, "Hidden", { spoiler_text: "The end", language: "de" });
    await post(bob, "Which?", { poll: { options: ["Rook", "Owl"], expires_in: 600 } });
    await post(bob, "Look", { quoted_status_id: first });
    await post(bob, "@alice between us", { visibility: "direct" });
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
    await post(alice, "Later", { scheduled_at: later });
    for (const act of ["favourite", "reblog", "bookmark"])
      await server.request("POST", `/api/v1/statuses/${first}/${act}`, { token: alice.token });
    await server.request("POST", `/api/v1/statuses/${answer}/favourite`, { token: bob.token });
    await server.runJobs();
    thread = `/@bob/${first}`;
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const MEMBER =
    "/home /public /public/local /bookmarks /favourites /notifications /conversations /explore /search /lists /compose /scheduled /welcome /settings /settings/accounts /@bob /@alice /tags/owls".split(
      " ",
    );
  const VISITOR =
    "/ /about /privacy-policy /@bob /@bob/followers /tags/owls /explore /nothing-here".split(" ");

  for (const [label, paths, who] of [
    ["a member", MEMBER, "alice"],
    ["a visitor", VISITOR, undefined],
  ] as const) {
    for (const [name, size, dark] of [
      ["light, on a desk", DESK, false],
      ["dark, on a phone", PHONE, true],
    ] as const) {
      test(`${label}, ${name}`, async (t) => {
        const { page, allow } = await browser.visit(t, { ...(who && { who }), size, dark });
        allow(/Failed to load resource.*404/);
        const found: Record<string, string[]> = {};
        for (const path of [...paths, thread]) {
          const response = await page.goto(server.url + path);
          // Not there yet, or not of the client.
          if (response!.status() === 404 && path !== "/nothing-here") continue;
          const list = await violations(page);
          if (list.length > 0) found[path] = list;
        }
        assert.deepEqual(found, {});
      });
    }
  }
});
