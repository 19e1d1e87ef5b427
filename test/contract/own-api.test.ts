// What this server adds to Mastodon's API: its level counts each change, the changelog says what a level adds, and
// API-EXTENSIONS.md has its parameters and no others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OWN_API_LEVEL } from "../../src/domain/about/instance/extensions.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { readSource } from "../sources.ts";
import { digestOf, lastLevels, levelMark, readOwnApi } from "./own-api.ts";
import type { OwnApi } from "./own-api.ts";

const PAGE = readSource("docs/API-EXTENSIONS.md");

let server: TestApp;
let api: OwnApi;

before(async () => {
  server = await startTestApp();
  api = await readOwnApi(server);
});
after(() => server.close());

/** Parameters of Mastodon's that the contract does not name with every route. */
const MASTODONS = new Set(
  `max_id since_id min_id limit file allowed_mentions quote_approval_policy show_media show_media_replies
  show_featured source lang with_dismissed format posting:default:quote_policy reading:autoplay:gifs`.split(
    /\s+/,
  ),
);

const isMastodons = (name: string): boolean => {
  const member = api.schemas["Preferences"]!.properties![name];
  return MASTODONS.has(name) || (member !== undefined && !member["x-source"]);
};

test("the level of the own API counts up with each route, parameter and member", () => {
  assert.ok(
    PAGE.includes(levelMark(OWN_API_LEVEL, digestOf(api))),
    "the own API has changed: `npm run level` raises OWN_API_LEVEL and writes the digest into docs/API-EXTENSIONS.md",
  );
});

test("a digest that was written by hand has a level of its own", () => {
  const [before, after] = lastLevels();
  assert.notEqual(
    before ?? 0,
    after ?? 1,
    "the digest has changed, and its level has not: `npm run level`",
  );
});

test("the changelog says what the level of the own API adds", () => {
  const level = `level ${OWN_API_LEVEL}`;
  assert.match(readSource("CHANGELOG.md"), new RegExp(`\\b${level}\\b`), `no line has "${level}"`);
});

test("API-EXTENSIONS.md names every parameter of the own API", () => {
  const isNamed = (name: string): boolean => new RegExp(`(?<![\\w:])${name}(?!\\w)`).test(PAGE);
  const missing = [...api.own].flatMap(([route, parameters]) =>
    parameters
      .filter((name) => !isMastodons(name) && !isNamed(name))
      .map((name) => `${name} of ${route}`),
  );
  assert.deepEqual(missing, []);
});

/** What the page says that a request takes: after `with` in a table, after `take` in a sentence, and in queries. */
const saidParameters = (): string[] => {
  const code = "`[^`\\n]+`(?: \\([^)]*\\))?";
  const list = `${code}(?:(?:,|,? and| or)\\s+${code})*`;
  const requests = [...PAGE.matchAll(/^\| [^|]+/gm)].join("\n");
  const said = [
    ...requests.matchAll(new RegExp(`\\bwith\\s+(${list})`, "g")),
    // Words that a parameter takes besides others are no parameters.
    ...PAGE.matchAll(new RegExp(`(?<!\`[a-z_]+\` also )\\btakes?\\s+(${list})`, "g")),
  ].flatMap(
    ([, names]) => names!.replaceAll(/\([^)]*\)/g, "").match(/(?<=`)[a-z_:]+(?=[`[])/g) ?? [],
  );
  const queries = [...PAGE.matchAll(/[?&`]([a-z_]+)=/g)].map(([, name]) => name!);
  return [...new Set([...said, ...queries])];
};

test("the parameters that API-EXTENSIONS.md names exist", () => {
  const known = new Set([...api.operations.values()].flat());
  const said = saidParameters();
  assert.ok(said.length > 40, `${said.length} parameters`);
  assert.deepEqual(
    said.filter((name) => !known.has(name)),
    [],
  );
});
