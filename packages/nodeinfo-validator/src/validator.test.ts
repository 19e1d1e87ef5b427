// Each rule of NodeInfo 2.0 from both sides, and the same result as a JSON Schema validator.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { seeded } from "../../../test/seeded.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv/dist/2020.js";
import { validateNodeInfo } from "./validator.ts";

type Json = Record<string, any>;

const schema = JSON.parse(
  readFileSync(new URL("../../../test/contract/entities/NodeInfo.json", import.meta.url), "utf8"),
) as Json;
const lists = {
  protocols: schema.properties.protocols.items.enum as string[],
  inbound: schema.properties.services.properties.inbound.items.enum as string[],
  outbound: schema.properties.services.properties.outbound.items.enum as string[],
};

const valid = (): Json => ({
  version: "2.0",
  software: { name: "rookery", version: "1.2.3" },
  protocols: ["activitypub"],
  services: { inbound: [], outbound: ["rss2.0"] },
  openRegistrations: true,
  usage: {
    users: { total: 3, activeHalfyear: 2, activeMonth: 1 },
    localPosts: 10,
    localComments: 0,
  },
  metadata: { nodeName: "A place", features: ["any", 1, null] },
});

/** A valid document with the member at `path` replaced (undefined: taken out). */
const withMember = (path: string, value: unknown): Json => {
  const document = valid();
  const names = path.split(".");
  const last = names.pop()!;
  const parent = names.reduce<Json>((object, name) => object[name], document);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return document;
};

const paths = (document: unknown): string[] =>
  [...new Set(validateNodeInfo(document).map(({ path }) => path))].sort();

const accepted: [string, unknown][] = [
  ["software.name", "a-b-9"],
  ["software.version", ""],
  ["protocols", lists.protocols],
  ["protocols", ["zot", "zot"]],
  ["services.inbound", lists.inbound],
  ["services.outbound", lists.outbound],
  ["openRegistrations", false],
  ["usage.users", {}],
  ["usage.users.total", 0],
  ["usage.users.total", 1e15],
  ["usage.users.total", undefined],
  ["usage.users.activeHalfyear", undefined],
  ["usage.users.activeMonth", undefined],
  ["usage.localPosts", undefined],
  ["usage.localComments", undefined],
  ["metadata", {}],
];

test("valid documents have no violations", () => {
  assert.deepEqual(validateNodeInfo(valid()), []);
  for (const [path, value] of accepted) {
    assert.deepEqual(validateNodeInfo(withMember(path, value)), [], `${path} = ${String(value)}`);
  }
});

const refused: [string, unknown, string?][] = [
  ...[undefined, "2.1", "2", 2, 2.0, null].map((v): [string, unknown] => ["version", v]),
  ...[undefined, null, [], "rookery"].map((v): [string, unknown] => ["software", v]),
  ...[undefined, "", "Rookery", "a b", "a_b", "é", "a\n", 7].map((v): [string, unknown] => [
    "software.name",
    v,
  ]),
  ...[undefined, 1, null].map((v): [string, unknown] => ["software.version", v]),
  ["software.repository", "https://example.com"],
  ...[undefined, [], {}, "activitypub"].map((v): [string, unknown] => ["protocols", v]),
  ["protocols", ["activitypub", "ActivityPub"], "protocols.1"],
  ["protocols", [null], "protocols.0"],
  ...[undefined, [], null].map((v): [string, unknown] => ["services", v]),
  ...[undefined, {}, "imap"].map((v): [string, unknown] => ["services.inbound", v]),
  ["services.inbound", ["smtp"], "services.inbound.0"],
  ...[undefined, {}, null].map((v): [string, unknown] => ["services.outbound", v]),
  ["services.outbound", ["smtp", "imap"], "services.outbound.1"],
  ["services.other", []],
  ...[undefined, "true", 1, null].map((v): [string, unknown] => ["openRegistrations", v]),
  ...[undefined, null, []].map((v): [string, unknown] => ["usage", v]),
  ...[undefined, null, [], 3].map((v): [string, unknown] => ["usage.users", v]),
  ...["total", "activeHalfyear", "activeMonth"].flatMap((name) =>
    [-1, 1.5, "3", null].map((v): [string, unknown] => [`usage.users.${name}`, v]),
  ),
  ["usage.users.activeWeek", 1],
  ...["localPosts", "localComments"].flatMap((name) =>
    [-1, 0.5, "0", null].map((v): [string, unknown] => [`usage.${name}`, v]),
  ),
  ["usage.remotePosts", 1],
  ...[undefined, null, [], "x"].map((v): [string, unknown] => ["metadata", v]),
  ["$schema", "http://nodeinfo.diaspora.software/ns/schema/2.0"],
  ["constructor", 1],
];

test("every rule refuses what breaks it, and says where", () => {
  for (const [path, value, at] of refused) {
    const label = `${path} = ${JSON.stringify(value)}`;
    assert.deepEqual(paths(withMember(path, value)), [at ?? path], label);
  }
});

test("what is no object at all is one violation of the whole", () => {
  for (const value of [null, [], "x", 1, true, undefined]) assert.deepEqual(paths(value), [""]);
});

test("all violations come at once, each with a reason", () => {
  const document = { ...withMember("usage.users.total", -1), version: "1.0", extra: true };
  assert.deepEqual(validateNodeInfo(document), [
    { path: "version", message: 'must be "2.0"' },
    { path: "usage.users.total", message: "must be an integer of at least 0" },
    { path: "extra", message: "is not a member of this object" },
  ]);
});

const containers = (value: unknown): (Json | unknown[])[] =>
  typeof value === "object" && value !== null
    ? [value, ...Object.values(value).flatMap(containers)]
    : [];

const VALUES: (() => unknown)[] = [
  ...[null, true, false, "", "2.0", "zot", "imap", "smtp", "a b", 0, -0, -1, 1.5, 7, 1e300].map(
    (value) => () => value,
  ),
  ...[[], {}, ["imap"], ["zot", 1], { total: 1 }, { name: "x", version: "y" }].map(
    (value) => () => structuredClone(value),
  ),
];
const NAMES = ["version", "name", "total", "users", "extra", "inbound", "length", "toString"];

const mutate = (document: Json, next: () => number): void => {
  const pick = <T>(list: T[]): T => list[Math.floor(next() * list.length)]!;
  const place = pick(containers(document)) as Json;
  const keys = Object.keys(place);
  if (Array.isArray(place))
    place.splice(Math.floor(next() * 2), Math.floor(next() * 2), pick(VALUES)());
  else if (next() < 0.3 && keys.length > 0) delete place[pick(keys)];
  else place[next() < 0.7 && keys.length > 0 ? pick(keys) : pick(NAMES)] = pick(VALUES)();
};

const pathOf = ({ instancePath, params }: ErrorObject): string => {
  const names = instancePath.split("/").slice(1);
  const last = params.missingProperty ?? params.additionalProperty;
  return [...names, ...(last === undefined ? [] : [last])].join(".");
};

test("agrees with the schema on thousands of documents, to the path", () => {
  const check = new Ajv2020({ allErrors: true, strict: false }).compile(schema);
  let good = 0;
  for (let seed = 1; seed <= 5000; seed++) {
    const next = seeded(seed);
    const document = valid();
    for (let left = Math.floor(next() * 4); left >= 0; left--) mutate(document, next);
    const isValid = check(document);
    const expected = [...new Set((check.errors ?? []).map(pathOf))].sort();
    assert.deepEqual(paths(document), expected, `seed ${seed}: ${JSON.stringify(document)}`);
    if (isValid) good++;
  }
  assert.ok(good > 200 && good < 4000, `${good} of 5000 were valid: too one-sided to prove much`);
});
