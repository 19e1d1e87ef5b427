// Every page in languages as they are: nothing is too wide for a phone, or cut off. The pages take turns with the
// languages, and what people see most is looked at in each of them; LANGUAGES=all looks at every page in all of them, on
// a desk as well, LANGUAGES=el,fr in these alone, and with PICTURES=folder it takes pictures of those that are seen most.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ALL_LANGUAGES, LANGUAGES } from "../../texts/languages.ts";
import type { Language } from "../../texts/languages.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { CUT, OVERFLOW } from "./overflow.ts";
import { addresses, framedPaths, makeWholeVillage } from "./pages.ts";

const SEEN_MOST = ["/home", "/settings/preferences", "/compose"];
const ASKED = process.env["LANGUAGES"];
const ALL = ASKED !== undefined;
const isAsked = (language: Language): boolean =>
  !ALL || ASKED === "all" || ASKED.split(",").includes(language);
/** A phone has the least room. */
const SIZES = ALL ? [PHONE, DESK] : [PHONE];
const PICTURES = process.env["PICTURES"];

describe("languages", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let paths: string[];

  before(async () => {
    server = await startTestApp();
    const village = await makeWholeVillage(server);
    ({ alice } = village);
    const of = addresses(village);
    const staff = await framedPaths(server, village, Object.keys(of));
    const seen = new Set(SEEN_MOST);
    paths = [...new Set([...Object.values(of), ...staff])].filter((path) => !seen.has(path));
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const others: Language[] = ALL_LANGUAGES.filter(
    (language) => language !== "en" && isAsked(language),
  );
  for (const [turn, language] of others.entries())
    test(LANGUAGES[language], async (t) => {
      await server.write`UPDATE users SET locale = ${language} WHERE account_id = ${alice.accountId}`;
      // One window shows all languages: that of the browser is not asked about whoever has chosen one.
      const { page, allow } = await browser.visit(t, { who: "alice", scripts: false, size: PHONE });
      allow(/status of 4\d\d/);
      const own = paths.filter((_, index) => ALL || index % others.length === turn);
      const faults: string[] = [];
      let shown = 0;
      for (const path of [...SEEN_MOST, ...own]) {
        // Files are downloads, which are no pages.
        const response = await page.goto(path).catch(() => null);
        if (!response?.headers()["content-type"]?.startsWith("text/html")) continue;
        shown += 1;
        const lang = await page.evaluate("document.documentElement.lang");
        assert.equal(lang, language, `${path} ${response.status()}`);
        for (const size of SIZES) {
          if (SIZES.length > 1) await page.setViewportSize(size);
          const found = await page.evaluate(`[${OVERFLOW}, ${CUT}].filter(Boolean).join(" ")`);
          if (found) faults.push(`${path} ${size.width} px: ${String(found)}`);
          if (PICTURES !== undefined && SEEN_MOST.includes(path)) {
            const name = `${language}-${path.replaceAll(/\W+/g, "-")}-${size.width}.png`;
            await page.screenshot({ path: join(PICTURES, name) });
          }
        }
      }
      assert.deepEqual(faults, []);
      assert.ok(shown >= SEEN_MOST.length, `${shown} pages`);
    });
});
