// Replays a recorded series of requests to a running Mastodon, and compares the answers: status, members
// with types and values, generated HTML, Link headers. Ids, times, hosts and secrets are normalised.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { checkApp, registerApp } from "../../src/domain/people/oauth/apps.ts";
import { issueToken } from "../../src/domain/people/oauth/tokens.ts";
import { startTestApp } from "../harness.ts";
import { oneDayClock } from "../clocks/one-day.ts";
import type { Answer, TestApp } from "../harness.ts";
import { ask } from "./ask.ts";
import { compareAnswers } from "./compare.ts";
import type { Comparable } from "./compare.ts";
import { contractFaults } from "./contract-row.ts";
import {
  NOT_YET,
  NOT_YET_PARTS,
  RIGHTLY_OTHER,
  STAND_INS,
  UNORDERED,
  UNRECORDED,
} from "./exceptions.ts";
import { makeLevels } from "./levels.ts";
import type { Levels } from "./levels.ts";
import { groupOf, readExchanges } from "./recording.ts";
import type { Exchange, Who } from "./recording.ts";
import { tableOf } from "./report.ts";
import type { Outcome } from "./report.ts";

const SCOPES = "read write follow push admin:read admin:write profile";
const PEOPLE = ["alice", "bob", "carol"] as const;

const exchanges = readExchanges();
const tokens = new Map<Who, string>();
const outcomes = new Map<string, Outcome>();
let server: TestApp;
let levels: Levels;

/** Id → members that the post in its place cannot have. */
const lacking = new Map(
  exchanges.flatMap(({ name, response }) => {
    const standIn = STAND_INS[name];
    return standIn ? [[(response.json as { id: string }).id, standIn.lacks]] : [];
  }),
);

const byId = (body: unknown): unknown =>
  Array.isArray(body) ? body.toSorted((a, b) => String(a.id).localeCompare(String(b.id))) : body;

const comparable = (
  { name }: Exchange,
  { status, type, link, body }: { [member in keyof Comparable]: Comparable[member] | null },
  now?: Date,
): Comparable => {
  const levelled = levels.level({ status, type: type ?? "", link: link ?? "", body }, now);
  return {
    ...levelled,
    status: status!,
    body: UNORDERED.has(name) ? byId(levelled.body) : levelled.body,
  };
};

const recordedAnswer = (exchange: Exchange): Comparable => {
  const { status, headers, json, text } = exchange.response;
  return comparable(exchange, {
    status,
    type: headers["content-type"] ?? null,
    link: headers["link"] ?? null,
    body: json === undefined ? (text ?? "") : json,
  });
};

const ourAnswer = (exchange: Exchange, { status, headers, json, text }: Answer): Comparable => {
  const answer = {
    status,
    type: headers.get("content-type"),
    link: headers.get("link"),
    body: json === undefined ? text : json,
  };
  return comparable(exchange, answer, server.app.clock.now());
};

/** Records small ids that later requests use. */
const learnNumbers = ({ name, response }: Exchange, json: any): void => {
  const recorded = response.json as any;
  if (name === "status/poll") levels.learnCounted("polls", recorded.poll.id, json.poll.id);
  if (name === "status/scheduled") levels.learnCounted("scheduled_statuses", recorded.id, json.id);
  if (name === "tag/feature") levels.learnCounted("featured_tags", recorded.id, json.id);
};

const replay = async (exchange: Exchange): Promise<string[]> => {
  for (const { who, method, path } of UNRECORDED[exchange.name] ?? []) {
    await server.as(tokens.get(who)!).send(method, levels.requested(path)).done();
  }
  const answer = await ask(server, levels, exchange, tokens.get(exchange.who) ?? null);
  if (answer.status === exchange.response.status) {
    levels.learn(exchange.response.json, answer.json);
    learnNumbers(exchange, answer.json);
  }
  if (!["GET", "AP"].includes(exchange.request.method)) await server.runJobs();
  const rules = { values: groupOf(exchange.name) !== "instance", lacking };
  const faults = compareAnswers(recordedAnswer(exchange), ourAnswer(exchange, answer), rules);
  return [...faults, ...contractFaults(exchange, answer)];
};

/** Posts the replacement for a post that needs a missing feature. */
const postStandIn = async ({ name, who, response }: Exchange): Promise<void> => {
  const json = { status: STAND_INS[name]!.status };
  const answer = await server.as(tokens.get(who)!).post("/api/v1/statuses", json).ok();
  levels.learn(response.json, answer);
  await server.runJobs();
};

/** The differences without the listed exceptions; each exception must be needed. */
const unexcused = (name: string, faults: string[]): string[] => {
  const excuses = [...(NOT_YET_PARTS[name] ?? []), ...(RIGHTLY_OTHER[name] ?? [])];
  const covers = (at: string, line: string) => line.startsWith(`${at}:`);
  for (const { at } of excuses) {
    const needed = faults.some((line) => covers(at, line));
    assert.ok(needed, `${name} ${at} agrees: strike it from exceptions.ts`);
  }
  return faults.filter((line) => !excuses.some(({ at }) => covers(at, line)));
};

const check = async (exchange: Exchange): Promise<void> => {
  const { name } = exchange;
  outcomes.set(name, "differs");
  const faults = await replay(exchange);
  if (name in NOT_YET) {
    assert.notEqual(faults.length, 0, `${name} agrees: strike it from exceptions.ts`);
    if (name in STAND_INS) await postStandIn(exchange);
    outcomes.set(name, "not yet");
    return;
  }
  const left = unexcused(name, faults);
  assert.equal(left.length, 0, `\n${left.join("\n")}\n`);
  outcomes.set(name, faults.length === 0 ? "agrees" : "in part");
};

before(async () => {
  // As the recorded server: a public name, closed registrations, all of it on one day.
  const env = { LOCAL_DOMAIN: "mast.test", LOCAL_HTTPS: "true" };
  server = await startTestApp({ env, clock: oneDayClock() });
  levels = makeLevels(server.url);
  const redirectUris = ["urn:ietf:wg:oauth:2.0:oob"];
  const form = { name: "Ref", website: "", redirectUris, scopes: SCOPES };
  const ref = await registerApp(server.app, checkApp(form));
  for (const name of PEOPLE) {
    const person = await server.person(name);
    const row = { app_id: ref.id, user_id: person.userId, scopes: SCOPES.split(" ") };
    tokens.set(name, (await issueToken(server.app.sql, row)).token);
  }
});

after(async () => {
  console.log(tableOf(exchanges, outcomes));
  await server.close();
});

describe("the recorded series", () => {
  it("has every step that is named as an exception", () => {
    const tables = [NOT_YET, STAND_INS, NOT_YET_PARTS, RIGHTLY_OTHER, UNRECORDED];
    const names = new Set(exchanges.map((exchange) => exchange.name));
    const unknown = tables.flatMap(Object.keys).filter((name) => !names.has(name));
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      Object.keys(STAND_INS).filter((name) => !(name in NOT_YET)),
      [],
    );
  });

  for (const exchange of exchanges) it(exchange.name, () => check(exchange));
});
