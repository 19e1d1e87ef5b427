// Two changes of the same thing at the same moment, each of which leaves out what the other sends: both are kept.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

type Json = Record<string, any>;
const ROUNDS = 10;

let t: TestApp;
let alice: Person;

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
});
after(() => t?.close());

type Changed = {
  /** The path of what is changed, and how. */
  make: () => Promise<{ method: string; path: string; read?: string }>;
  /** Of each round: what the two send, and what both are to have left. */
  first: (n: number) => Json;
  second: (n: number) => Json;
  kept: (json: any) => unknown[];
  values: (n: number) => unknown[];
};

const CHANGED: Record<string, Changed> = {
  "a post": {
    make: async () => {
      const { id } = await alice.post("/api/v1/statuses", { status: "begun" }).ok();
      return {
        method: "PUT",
        path: `/api/v1/statuses/${id}`,
        read: `/api/v1/statuses/${id}/source`,
      };
    },
    first: (n) => ({ status: `text ${n}` }),
    second: (n) => ({ spoiler_text: `warning ${n}` }),
    kept: ({ text, spoiler_text }) => [text, spoiler_text],
    values: (n) => [`text ${n}`, `warning ${n}`],
  },
  "a list": {
    make: async () => {
      const { id } = await alice.post("/api/v1/lists", { title: "list" }).ok();
      return { method: "PUT", path: `/api/v1/lists/${id}` };
    },
    first: (n) => ({ title: `list ${n}` }),
    second: (n) => ({ exclusive: n % 2 === 0 }),
    kept: ({ title, exclusive }) => [title, exclusive],
    values: (n) => [`list ${n}`, n % 2 === 0],
  },
  "a filter": {
    make: async () => {
      const { id } = await alice
        .post("/api/v2/filters", { title: "filter", context: ["home"] })
        .ok();
      return { method: "PUT", path: `/api/v2/filters/${id}` };
    },
    first: (n) => ({ title: `filter ${n}` }),
    second: (n) => ({ filter_action: n % 2 === 0 ? "hide" : "warn" }),
    kept: ({ title, filter_action }) => [title, filter_action],
    values: (n) => [`filter ${n}`, n % 2 === 0 ? "hide" : "warn"],
  },
  "a keyword": {
    make: async () => {
      const keywords_attributes = [{ keyword: "word", whole_word: true }];
      const filter = { title: "words", context: ["home"], keywords_attributes };
      const { keywords } = await alice.post("/api/v2/filters", filter).ok();
      return { method: "PUT", path: `/api/v2/filters/keywords/${keywords[0].id}` };
    },
    first: (n) => ({ keyword: `word${n}` }),
    second: (n) => ({ whole_word: n % 2 === 0 }),
    kept: ({ keyword, whole_word }) => [keyword, whole_word],
    values: (n) => [`word${n}`, n % 2 === 0],
  },
  "the policy of notifications": {
    make: async () => ({ method: "PATCH", path: "/api/v2/notifications/policy" }),
    first: (n) => ({ for_bots: n % 2 === 0 ? "filter" : "accept" }),
    second: (n) => ({ for_new_accounts: n % 2 === 0 ? "filter" : "accept" }),
    kept: ({ for_bots, for_new_accounts }) => [for_bots, for_new_accounts],
    values: (n) => (n % 2 === 0 ? ["filter", "filter"] : ["accept", "accept"]),
  },
  preferences: {
    make: async () => ({ method: "PATCH", path: "/api/v1/preferences" }),
    first: (n) => ({ "posting:default:language": n % 2 === 0 ? "de" : "en" }),
    second: (n) => ({ "posting:default:sensitive": n % 2 === 0 }),
    kept: (json) => [json["posting:default:language"], json["posting:default:sensitive"]],
    values: (n) => [n % 2 === 0 ? "de" : "en", n % 2 === 0],
  },
  "a profile": {
    make: async () => ({
      method: "PATCH",
      path: "/api/v1/accounts/update_credentials",
      read: "/api/v1/accounts/verify_credentials",
    }),
    first: (n) => ({ display_name: `Alice ${n}`, source: { language: n % 2 === 0 ? "fr" : "it" } }),
    second: (n) => ({ note: `note ${n}`, fields_attributes: [{ name: "n", value: `${n}` }] }),
    kept: ({ display_name, source }) => [
      display_name,
      source.language,
      source.note,
      source.fields[0]?.value,
    ],
    values: (n) => [`Alice ${n}`, n % 2 === 0 ? "fr" : "it", `note ${n}`, `${n}`],
  },
};

for (const [name, { make, first, second, kept, values }] of Object.entries(CHANGED))
  test(`${name}: none of two changes is lost`, async () => {
    const { method, path, read = path } = await make();
    for (let n = 0; n < ROUNDS; n++) {
      await Promise.all([
        alice.send(method, path, first(n)).ok(),
        alice.send(method, path, second(n)).ok(),
      ]);
      assert.deepEqual(kept(await alice.get(read).ok()), values(n), `round ${n}`);
    }
  });
