// A part of `npm run press`, always the same one: some controls of some pages for each person, in two browsers.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launchBrowser, skipOf } from "./browsers.ts";
import { crawl, SIZES } from "./crawl.ts";
import type { SizeName } from "./crawl.ts";
import { describeFinding } from "./accepted-findings.ts";
import type { Browser, BrowserName } from "./port.ts";
import { shuffler } from "./shuffle.ts";
import { makeWorld } from "./world.ts";
import type { PersonName, World } from "./world.ts";

const SEED = 1;
/** Of each page. */
const MOST_CONTROLS = 2;

const PARTS: [BrowserName, SizeName, PersonName, presses: number][] = [
  ["chromium", "desk", "busy", 6],
  ["chromium", "desk", "moderator", 4],
  ["chromium", "phone", "newcomer", 4],
  ["chromium", "phone", "visitor", 3],
  ["firefox", "phone", "busy", 3],
];

describe("press", () => {
  let world: World;
  /** By name and size. */
  const browsers = new Map<string, Promise<Browser>>();
  before(async () => {
    world = await makeWorld();
  });
  after(async () => {
    for (const browser of browsers.values()) await (await browser).close();
    await world.close();
  });

  for (const [name, size, person, presses] of PARTS) {
    test(`${name}, ${size}, ${person}`, { skip: skipOf(name) }, async () => {
      const shuffle = shuffler(SEED);
      const findings: string[] = [];
      const key = `${name} ${size}`;
      const browser = browsers.get(key) ?? launchBrowser(name, SIZES[size].touch);
      browsers.set(key, browser);
      const { controls } = await crawl(await browser, world, {
        size,
        person,
        pages: shuffle(world.paths),
        choose: (keys) => shuffle(keys).slice(0, MOST_CONTROLS),
        alike: Infinity,
        presses,
        onFinding: async (finding) => void findings.push(describeFinding(finding)),
      });
      assert.deepEqual(findings, []);
      assert.equal(controls, presses);
    });
  }
});
