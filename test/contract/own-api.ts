// Reads what this server adds to Mastodon's API from its OpenAPI document. `npm run level` raises the level of the own
// API where that has changed, once for all changes since the last commit, and writes what the level stands for.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION_NAMES, OWN_API_LEVEL } from "../../src/domain/about/instance/extensions.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { ROOT } from "../sources.ts";
import { operationsOf } from "./operations.ts";
import { ROWS } from "./rows.ts";

type Schema = { properties?: Record<string, Schema>; "x-source"?: string };
type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

export type OwnApi = {
  /** Names of parameters by `METHOD /path`, of every route. */
  operations: Map<string, string[]>;
  /** The same, of routes that Mastodon does not have, and without the parameters that it has. */
  own: Map<string, string[]>;
  schemas: Record<string, Schema>;
};

/** A list, a map and what is within them have the name of the whole. */
const nameOf = (parameter: string): string => parameter.replace(/\[.*$/, "");

const parametersOf = ({ parameters = [], requestBody }: Operation): string[] => {
  const body = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema.properties ?? {}),
  );
  const others = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  return [...new Set([...others, ...body].map(nameOf))];
};

const mastodons = new Map(
  ROWS.flatMap(({ method, alt_methods: others = [], path, params }) =>
    [method, ...others].map((each) => [
      `${each} ${path}`,
      new Set(params.map(({ name }) => nameOf(name))),
    ]),
  ),
);

const ownOf = (operations: OwnApi["operations"]): OwnApi["own"] => {
  const all = [...operations].filter(([name]) => name.includes(" /api/"));
  return new Map(
    all.flatMap(([name, parameters]) => {
      const known = mastodons.get(name);
      const own = parameters.filter((parameter) => !known?.has(parameter));
      return known && own.length === 0 ? [] : [[name, own]];
    }),
  );
};

export const readOwnApi = async (server: TestApp): Promise<OwnApi> => {
  const { json: document } = await server.request("GET", "/api/openapi.json");
  const operations = new Map(
    operationsOf<Operation>(document).map(([name, each]) => [name, parametersOf(each)]),
  );
  return { operations, own: ownOf(operations), schemas: document.components.schemas };
};

const ownMembers = (path: string, { properties = {}, ...rest }: Schema, all = false): string[] => {
  const isOwn = all || rest["x-source"] === "rookery";
  const below = Object.entries(properties).flatMap(([name, schema]) =>
    ownMembers(`${path}.${name}`, schema, isOwn),
  );
  return isOwn ? [path, ...below] : below;
};

/** The digest of names: of routes with their parameters, of members, and of what apps look for. */
export const digestOf = ({ own, schemas }: OwnApi): string => {
  const lines = [
    ...[...own].map(([name, parameters]) => `${name}: ${parameters.toSorted().join()}`),
    ...Object.entries(schemas).flatMap(([name, schema]) => ownMembers(name, schema)),
    ...Object.keys(EXTENSION_NAMES),
  ];
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex").slice(0, 16);
};

/** What API-EXTENSIONS.md says at its top. */
export const levelMark = (level: number, digest: string): string =>
  `<!-- level ${level}: ${digest} -->`;

const DOCUMENT = "docs/API-EXTENSIONS.md";
const SOURCE = "src/domain/about/instance/extensions.ts";
const LEVEL = /(?<=OWN_API_LEVEL = )\d+/;
const MARK = /<!-- level .* -->/;

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });

/** Returns the levels before and after the last change of the mark; none where Git does not know the change. */
export const lastLevels = (): string[] => {
  if (!existsSync(join(ROOT, ".git"))) return [];
  const isMark = "-G<!-- level";
  const change =
    git("diff", "HEAD", isMark, "--", DOCUMENT) ||
    git("log", "-1", "-p", "--format=", isMark, "--", DOCUMENT);
  const marks = change.matchAll(/^[-+]<!-- level (\d+):/gm);
  return [...marks].map(([, level]) => level!);
};

const rewrite = (path: string, place: RegExp, text: string): void => {
  const file = join(ROOT, path);
  writeFileSync(file, readFileSync(file, "utf8").replace(place, text));
};

/** Returns the level after the one of the last commit. */
const nextLevel = (): number => Number(LEVEL.exec(git("show", `HEAD:${SOURCE}`))![0]) + 1;

if (import.meta.main) {
  const server = await startTestApp();
  const digest = digestOf(await readOwnApi(server));
  await server.close();
  const isRecorded = readFileSync(join(ROOT, DOCUMENT), "utf8").includes(
    levelMark(OWN_API_LEVEL, digest),
  );
  const level = isRecorded ? OWN_API_LEVEL : nextLevel();
  rewrite(SOURCE, LEVEL, String(level));
  rewrite(DOCUMENT, MARK, levelMark(level, digest));
  console.log(
    `The level of the own API is ${level}. CHANGELOG.md says what "level ${level}" adds.`,
  );
}
