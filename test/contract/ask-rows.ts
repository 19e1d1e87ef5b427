// Sends the requests of the contract's rows, each by its recipe (README.md says what is checked).

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTranslator } from "../fake-translator.ts";
import type { FakeTranslator } from "../fake-translator.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { makeCast } from "./cast.ts";
import type { Cast } from "./cast.ts";
import {
  addressOf,
  answerFaults,
  garbageFaults,
  growthFaults,
  pagingFaults,
  send,
} from "./checks.ts";
import type { Call } from "./checks.ts";
import { memberFaults } from "./members.ts";
import type { Recipes } from "./recipe.ts";
import { nameOf } from "./rows.ts";
import type { Row } from "./rows.ts";

let server: TestApp;
let translator: FakeTranslator;
const casts = new Map<string, Promise<Cast>>();
const passing = new Set<string>();

const castOf = (group: string): Promise<Cast> => {
  if (!casts.has(group)) casts.set(group, makeCast(server, group));
  return casts.get(group)!;
};

const open = async (): Promise<void> => {
  translator = await startTranslator();
  server = await startTestApp({
    env: {
      RATE_LIMITS: "false",
      TRUSTED_PROXY_IP: "127.0.0.1",
      LIBRE_TRANSLATE_ENDPOINT: translator.origin,
    },
  });
  await setSetting(server.app, "registrations", "open");
};

const report = (answered: Row[]): void => {
  const groups = [...new Set(answered.map(({ group }) => group))];
  console.log("group | rows | passing");
  for (const group of groups) {
    const rows = answered.filter((row) => row.group === group);
    const good = rows.filter(({ id }) => passing.has(id)).length;
    console.log(`${group} | ${rows.length} | ${good}${good < rows.length ? " <--" : ""}`);
  }
  console.log(`all | ${answered.length} | ${passing.size}`);
};

/** Pages for browsers, which use sessions and redirect to the sign-in without one. */
const BY_SESSION = new Set([
  "POST /oauth/authorize",
  "DELETE /oauth/authorize",
  "GET /oauth/authorize/native",
]);
/** Rows that answer another status without a token (errors.json, auth_matrix). */
const WITHOUT_TOKEN: Record<string, number> = {
  "GET /api/v1/announcements": 422,
  "GET /api/v1/accounts/{id}/identity_proofs": 422,
};

const tokenFaults = async (row: Row, call: Call): Promise<string[]> => {
  if (BY_SESSION.has(nameOf(row)) || row.path.startsWith("/oauth/authorize")) return [];
  const faults: string[] = [];
  if (row.auth !== "public") {
    const { status } = await send(server, row, { ...call, token: null });
    const expected = WITHOUT_TOKEN[nameOf(row)] ?? 401;
    if (status !== expected) faults.push(`without a token: ${status}, not ${expected}`);
  }
  if (row.scopes.length > 0) {
    const { userId } = await castOf(row.group).then(({ me }) => me);
    const token = await server.token(userId, ["write:bogus"]);
    const { status } = await send(server, row, { ...call, token });
    if (status !== 403) faults.push(`with a wrong scope: ${status}, not 403`);
  }
  return faults;
};

const UNKNOWN = "109999999999999999";

/** Calls the row with the id of a record that does not exist. */
const missingFaults = async (row: Row, call: Call): Promise<string[]> => {
  const names = Object.keys(call.path ?? {}).filter((name) => /(^|_)id$/.test(name));
  if (names.length === 0 || /\/tags\//.test(row.path)) return [];
  const path = Object.fromEntries(Object.keys(call.path!).map((name) => [name, UNKNOWN]));
  const { status } = await send(server, row, { ...call, path });
  const isDocumented = Object.keys(row.responses).includes(String(status));
  return status === 404 || (isDocumented && status < 300 && row.method === "DELETE")
    ? []
    : [`of an unknown record: ${status}, not 404`];
};

const callFaults = async (row: Row, call: Call): Promise<string[]> => {
  const faults = answerFaults(row, await send(server, row, call));
  if (row.auth === "public" && call.token && faults.length === 0) {
    const recorded = await send(server, row, { ...call, token: null });
    if (recorded.status === 401 || recorded.status === 403) faults.push("not public");
  }
  return faults;
};

const rowFaults = async (row: Row, recipes: Recipes): Promise<string[]> => {
  const recipe = recipes[nameOf(row)];
  if (!recipe) return ["no recipe"];
  const cast = await castOf(row.group);
  const call = async (): Promise<Call> => {
    const call = await recipe(cast);
    return call.token === undefined ? { ...call, token: cast.me.token } : call;
  };
  const first = await call();
  const faults = [
    ...(await tokenFaults(row, first)),
    ...(await pagingFaults(server, row, first)),
    ...(await growthFaults(server, row, first)),
    ...(await callFaults(row, first)),
    ...(await missingFaults(row, first)),
  ];
  for (const method of row.alt_methods ?? []) {
    const again = await call();
    const answer = await send(server, row, again, method, addressOf(row, again));
    faults.push(...answerFaults(row, answer).map((fault) => `${method}: ${fault}`));
  }
  return [...faults, ...(await garbageFaults(server, row, await call()))];
};

/** Declares a test for each row, in groups that have people of their own; a row without a recipe fails. */
export const askRows = (rows: Row[], recipes: Recipes): void => {
  before(open);
  after(async () => {
    report(rows);
    await server.close();
    await translator.close();
  });

  test("every recipe is of a row", () => {
    const names = new Set(rows.map(nameOf));
    assert.deepEqual(
      Object.keys(recipes).filter((name) => !names.has(name)),
      [],
    );
  });

  for (const group of new Set(rows.map((row) => row.group))) {
    describe(group, () => {
      for (const row of rows.filter((row) => row.group === group)) {
        test(nameOf(row), async () => {
          assert.deepEqual(await rowFaults(row, recipes), []);
          passing.add(row.id);
        });
      }
    });
  }

  test("what is answered is what the OpenAPI document promises, to the member", () => {
    assert.deepEqual(memberFaults(), []);
  });
};
