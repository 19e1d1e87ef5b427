// What this server adds to Mastodon's API: its level counts each change, and API-EXTENSIONS.md has its parameters and
// no others.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { EXTENSION_NAMES } from "../../src/domain/about/instance/extensions.ts";
import { OWN_API_LEVEL } from "../../src/platform/version.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { ROWS } from "./rows.ts";

type Schema = { properties?: Record<string, Schema>; "x-source"?: string };
type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

const PAGE = readFileSync(new URL("../../docs/API-EXTENSIONS.md", import.meta.url), "utf8");

let server: TestApp;
/** Names of parameters by `METHOD /path`. */
const operations = new Map<string, string[]>();
let schemas: Record<string, Schema>;

/** A list, a map and what is within them have the name of the whole. */
const nameOf = (parameter: string): string => parameter.replace(/\[.*$/, "");

const parametersOf = ({ parameters = [], requestBody }: Operation): string[] => {
  const body = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema.properties ?? {}),
  );
  const others = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  return [...new Set([...others, ...body].map(nameOf))];
};

before(async () => {
  server = await startTestApp();
  const { paths, components } = (await server.request("GET", "/api/openapi.json")).json;
  schemas = components.schemas;
  for (const [path, methods] of Object.entries<Record<string, Operation>>(paths))
    for (const [method, operation] of Object.entries(methods))
      operations.set(`${method.toUpperCase()} ${path}`, parametersOf(operation));
});
after(() => server.close());

const mastodons = new Map(
  ROWS.flatMap(({ method, alt_methods: others = [], path, params }) =>
    [method, ...others].map((each) => [
      `${each} ${path}`,
      new Set(params.map(({ name }) => nameOf(name))),
    ]),
  ),
);

/** Routes of the API that Mastodon does not have, and parameters of the others that it does not have. */
const ownParameters = (): Map<string, string[]> => {
  const all = [...operations].filter(([name]) => name.includes(" /api/"));
  return new Map(
    all.flatMap(([name, parameters]) => {
      const known = mastodons.get(name);
      const own = parameters.filter((parameter) => !known?.has(parameter));
      return known && own.length === 0 ? [] : [[name, own]];
    }),
  );
};

const ownMembers = (path: string, { properties = {}, ...rest }: Schema, all = false): string[] => {
  const isOwn = all || rest["x-source"] === "rookery";
  const below = Object.entries(properties).flatMap(([name, schema]) =>
    ownMembers(`${path}.${name}`, schema, isOwn),
  );
  return isOwn ? [path, ...below] : below;
};

/** Parameters of Mastodon's that the contract does not name with every route. */
const MASTODONS = new Set(
  `max_id since_id min_id limit file allowed_mentions quote_approval_policy show_media show_media_replies
  show_featured source lang with_dismissed format posting:default:quote_policy reading:autoplay:gifs`.split(
    /\s+/,
  ),
);

const isMastodons = (name: string): boolean => {
  const member = schemas["Preferences"]!.properties![name];
  return MASTODONS.has(name) || (member !== undefined && !member["x-source"]);
};

/** The digest of names: of routes with their parameters, of members, and of what apps look for. */
const digestOfApi = (): string => {
  const lines = [
    ...[...ownParameters()].map(([name, parameters]) => `${name}: ${parameters.toSorted().join()}`),
    ...Object.entries(schemas).flatMap(([name, schema]) => ownMembers(name, schema)),
    ...Object.keys(EXTENSION_NAMES),
  ];
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex").slice(0, 16);
};

test("the level of the own API counts up with each route, parameter and member", () => {
  const recorded = /<!-- level (\d+): (\w+) -->/.exec(PAGE)?.slice(1);
  assert.deepEqual(
    recorded,
    [String(OWN_API_LEVEL), digestOfApi()],
    "the own API has changed: raise OWN_API_LEVEL (src/platform/version.ts), and write the level with the new digest " +
      "into the comment at the top of docs/API-EXTENSIONS.md",
  );
});

test("API-EXTENSIONS.md names every parameter of the own API", () => {
  const isNamed = (name: string): boolean => new RegExp(`(?<![\\w:])${name}(?!\\w)`).test(PAGE);
  const missing = [...ownParameters()].flatMap(([route, parameters]) =>
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
  const known = new Set([...operations.values()].flat());
  const said = saidParameters();
  assert.ok(said.length > 40, `${said.length} parameters`);
  assert.deepEqual(
    said.filter((name) => !known.has(name)),
    [],
  );
});
