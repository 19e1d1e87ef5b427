// `npm run press` presses every control of every page in every installed browser, and prints what it found. Options
// limit it: `--browser=firefox --person=busy --size=phone --page=/settings --each=5 --presses=100 --seed=1`, and
// `--pictures=FOLDER` keeps a picture of each finding. `--without-scripts` presses what Chromium shows when pages may run
// none. Without `--each` every control of a page is pressed; of controls that differ in their text alone, as emojis and
// languages do, `--alike=16` are.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTestServer } from "../database.ts";
import { isHere, launchBrowser } from "./browsers.ts";
import { crawl, SIZES } from "./crawl.ts";
import type { SizeName } from "./crawl.ts";
import { describeFinding } from "./accepted-findings.ts";
import type { Finding } from "./accepted-findings.ts";
import { BROWSERS } from "./port.ts";
import type { Window } from "./port.ts";
import { shuffler } from "./shuffle.ts";
import { makeWorld, PEOPLE } from "./world.ts";

const { values } = parseArgs({
  options: {
    browser: { type: "string", multiple: true },
    person: { type: "string", multiple: true },
    size: { type: "string", multiple: true },
    page: { type: "string", multiple: true },
    each: { type: "string", default: "Infinity" },
    alike: { type: "string", default: "16" },
    presses: { type: "string", default: "Infinity" },
    seed: { type: "string" },
    pictures: { type: "string" },
    "without-scripts": { type: "boolean", default: false },
  },
});

const chosen = <T extends string>(all: readonly T[], names?: string[]): T[] =>
  all.filter((name) => names?.includes(name) ?? true);

const findings: Finding[] = [];

const onFinding = async (finding: Finding, window: Window | null): Promise<void> => {
  findings.push(finding);
  console.log(`\n✖ ${describeFinding(finding)}`);
  if (!values.pictures || !window) return;
  mkdirSync(values.pictures, { recursive: true });
  const name = `${String(findings.length).padStart(3, "0")}-${finding.browser}-${finding.size}.png`;
  await window.picture(join(values.pictures, name)).catch(() => {});
};

const server = await startTestServer();
process.env["TEST_DATABASE_URL"] = server.url;
const world = await makeWorld();
const shuffle =
  values.seed === undefined ? <T>(all: T[]): T[] => all : shuffler(Number(values.seed));
const pages = shuffle(
  world.paths.filter((path) => values.page?.some((part) => path.startsWith(part)) ?? true),
);
let [allPages, allControls] = [0, 0];
const opened = new Set<string>();
const withoutScripts = values["without-scripts"];
const names = chosen(BROWSERS, withoutScripts ? ["chromium"] : values.browser);
for (const name of names) {
  if (!isHere(name)) {
    console.log(`${name} is not here`);
    continue;
  }
  for (const size of chosen(Object.keys(SIZES) as SizeName[], values.size)) {
    const browser = await launchBrowser(name, SIZES[size].touch);
    for (const person of chosen(PEOPLE, values.person)) {
      const begun = Date.now();
      const { pages: seen, controls } = await crawl(browser, world, {
        size,
        person,
        withoutScripts,
        pages,
        choose: (keys) => shuffle(keys).slice(0, Number(values.each)),
        alike: Number(values.alike),
        presses: Number(values.presses),
        onPage: (page, controls) => console.log(`${controls} controls up to ${page}`),
        onFinding,
      });
      for (const page of seen) opened.add(page);
      allPages += seen.length;
      allControls += controls;
      const seconds = Math.round((Date.now() - begun) / 1000);
      console.log(
        `${browser.version}, ${size}, ${person}: ${controls} controls of ${seen.length} pages, ${seconds} s`,
      );
    }
    await browser.close();
  }
}
if (values.presses === "Infinity" && !values.person) {
  const never = pages.filter((page) => !opened.has(page));
  console.log(`\nfiles, redirects or refusals for everybody: ${never.join(" ")}`);
}
await world.close();
await server.stop();
console.log(`\n${allControls} controls of ${allPages} pages pressed, ${findings.length} findings`);
process.exit(findings.length > 0 ? 1 : 0);
