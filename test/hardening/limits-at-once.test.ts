// Every limit of an account or of the server holds when what it bounds is made at once: each request alone would find room for the last.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { createInvite } from "../../src/domain/people/users/invites.ts";
import { addDomainList } from "../../src/domain/staff/domain-lists/lists.ts";
import { addModerationNote } from "../../src/domain/staff/moderation/moderation-notes.ts";
import { createPreset, createRule } from "../../src/domain/staff/moderation/server.ts";
import { addSpamRule } from "../../src/domain/staff/moderation/spam.ts";
import { createWebhook } from "../../src/domain/staff/moderation/webhooks.ts";
import { Unprocessable } from "../../src/platform/errors.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { makeReceiver } from "../push-service.ts";

/** One place is left when so many want it. */
const AT_ONCE = 6;

type Kind = {
  /** Each new one replaces the oldest, so that all are made. */
  isReplacing?: true;
  /** Makes number `n`; true: it was made. */
  make: (n: number, who: Person) => Promise<boolean>;
  /** How many there are. */
  count: string;
  most: number;
  /** Fills all but one place: with SQL where there are very many. */
  fill?: (who: Person, count: number) => Promise<unknown>;
};

let t: TestApp;
/** Lists of servers to block: a subscription reads them. */
const keeper = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/csv" });
  response.end("bad.example,suspend\n");
});
const lists = { origin: "" };
before(async () => {
  t = await startTestApp({ worker: false });
  await new Promise<void>((resolve) => keeper.listen(0, "127.0.0.1", resolve));
  lists.origin = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}`;
});
after(async () => {
  keeper.close();
  await t.close();
});

const send =
  (method: string, path: (n: number) => string, json?: (n: number) => object) =>
  async (n: number, by: Person): Promise<boolean> => {
    const answer = await t.request(method, `/api/${path(n)}`, {
      token: by.token,
      ...(json && { json: json(n) }),
    });
    assert.ok(answer.status === 200 || answer.status === 422, `${answer.status} ${answer.text}`);
    return answer.status === 200;
  };
const rowsOf = (table: string): string =>
  `SELECT count(*)::int FROM ${table} WHERE account_id = $1`;
/** Counts what belongs to nobody. */
const ofServer = (table: string): string =>
  `SELECT count(*)::int FROM ${table} WHERE $1::bigint > 0`;

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Unprocessable)) throw error;
      return false;
    },
  );
const tomorrow = (): string => {
  const day = new Date(t.app.clock.now().getTime() + 2 * 86_400_000);
  return new Date(day.setUTCHours(12)).toISOString();
};

const posts = new Map<string, string[]>();
const postOf = async (n: number, who: Person): Promise<string> => {
  const ids = posts.get(who.accountId) ?? [];
  posts.set(who.accountId, ids);
  ids[n] ??= (await who.post("/api/v1/statuses", { status: `p${n}` })).json.id;
  return ids[n]!;
};

const KINDS: Record<string, Kind> = {
  "saved searches": {
    make: send(
      "POST",
      () => "v1/saved_searches",
      (n) => ({ q: `word${n}` }),
    ),
    count: rowsOf("saved_searches"),
    most: 100,
  },
  filters: {
    make: send(
      "POST",
      () => "v2/filters",
      (n) => ({ title: `f${n}`, context: ["home"] }),
    ),
    count: rowsOf("filters"),
    most: 500,
    fill: ({ accountId }, count) => t.write`
      INSERT INTO filters (account_id, title, context, action)
      SELECT ${accountId}::bigint, 'f', '{home}', 'warn' FROM generate_series(1, ${count}::int)
    `,
  },
  lists: {
    make: send(
      "POST",
      () => "v1/lists",
      (n) => ({ title: `l${n}` }),
    ),
    count: rowsOf("lists"),
    most: 50,
  },
  collections: {
    make: send(
      "POST",
      () => "v1/collections",
      (n) => ({ name: `c${n}`, description: "" }),
    ),
    count: `SELECT count(*)::int FROM collections WHERE account_id = $1`,
    most: 10,
  },
  pins: {
    make: async (n, who) =>
      send("POST", () => `v1/statuses/${posts.get(who.accountId)![n]}/pin`)(n, who),
    count: rowsOf("status_pins"),
    most: 5,
  },
  "featured tags": {
    make: send(
      "POST",
      () => "v1/featured_tags",
      (n) => ({ name: `tag${n}` }),
    ),
    count: rowsOf("featured_tags"),
    most: 10,
  },
  "muted tags": {
    make: send("POST", (n) => `v1/tags/tag${n}/mute`),
    count: rowsOf("tag_mutes"),
    most: 200,
  },
  "followed tags": {
    make: send("POST", (n) => `v1/tags/tag${n}/follow`),
    count: rowsOf("tag_follows"),
    most: 2000,
    fill: ({ accountId }, count) => t.write`
      WITH added AS (
        INSERT INTO tags (name, display_name)
        SELECT 'filled' || n, 'filled' || n FROM generate_series(1, ${count}::int) n RETURNING id
      )
      INSERT INTO tag_follows (account_id, tag_id) SELECT ${accountId}::bigint, id FROM added
    `,
  },
  "push subscriptions": {
    isReplacing: true,
    make: async (n, { userId }) => {
      const token = await t.token(userId, ["push"]);
      const endpoint = `https://push.example/${n}`;
      const json = { subscription: { endpoint, keys: makeReceiver().keys } };
      const answer = await t.as(token).post("/api/v1/push/subscription", json);
      return answer.status === 200;
    },
    count: rowsOf("push_subscriptions"),
    most: 50,
  },
  groups: {
    make: send(
      "POST",
      () => "v1/groups",
      (n) => ({ name: `group${n}` }),
    ),
    count: `SELECT count(*)::int FROM groups WHERE owner_id = $1`,
    most: 10,
  },
  drafts: {
    make: send(
      "POST",
      () => "v1/drafts",
      (n) => ({ statuses: [{ status: `d${n}` }] }),
    ),
    count: rowsOf("drafts"),
    most: 100,
  },
  "scheduled posts of a day": {
    make: send(
      "POST",
      () => "v1/statuses",
      (n) => ({ status: `s${n}`, scheduled_at: tomorrow() }),
    ),
    count: rowsOf("scheduled_statuses"),
    most: 25,
  },
  "moderation notes": {
    make: (n, { accountId }) => isDone(addModerationNote(t.app, COMMAND_LINE, accountId, `n${n}`)),
    count: `SELECT count(*)::int FROM account_remarks WHERE target_account_id = $1`,
    most: 200,
  },
  "rules of the server": {
    make: (n) => isDone(createRule(t.app, COMMAND_LINE, { text: `r${n}`, hint: "" })),
    count: ofServer("rules"),
    most: 100,
  },
  "rules against spam": {
    make: (n) =>
      isDone(
        addSpamRule(t.app, COMMAND_LINE, {
          name: `s${n}`,
          conditions: { links: 3 },
          actions: ["hold"],
        }),
      ),
    count: ofServer("spam_rules"),
    most: 50,
  },
  webhooks: {
    make: (n) =>
      isDone(createWebhook(t.app, COMMAND_LINE, `https://hooks.example/${n}`, ["status.created"])),
    count: ofServer("webhooks"),
    most: 20,
  },
  "texts of warnings": {
    make: (n) => isDone(createPreset(t.app, COMMAND_LINE, `t${n}`, "Mind the rules.")),
    count: ofServer("warning_presets"),
    most: 100,
  },
  "lists of servers": {
    make: (n) => isDone(addDomainList(t.app, COMMAND_LINE, { url: `${lists.origin}/${n}` })),
    count: ofServer("domain_lists"),
    most: 20,
  },
  invitations: {
    make: (_n, { accountId }) =>
      isDone(createInvite(t.app, accountId, { maxUses: null, expiresIn: null })),
    count: rowsOf("invites"),
    most: 1000,
    fill: ({ accountId }, count) => t.write`
      INSERT INTO invites (account_id, code, created_at)
      SELECT ${accountId}::bigint, 'code' || n, now() FROM generate_series(1, ${count}::int) AS n
    `,
  },
};

const countOf = async (sql: string, { accountId }: Person): Promise<number> => {
  const [row] = await t.app.sql.unsafe(sql, [accountId]);
  return row!["count"] as number;
};

for (const [name, { make, count, most, fill, isReplacing }] of Object.entries(KINDS)) {
  test(`${name}: ${AT_ONCE} at once for the last place of ${most}`, async () => {
    const who = await t.person(name.replaceAll(/\W/g, ""));
    const numbers = Array.from({ length: most - 1 + AT_ONCE }, (_, n) => n);
    if (name === "pins") for (const n of numbers) await postOf(n, who);
    if (fill) await fill(who, most - 1);
    else await Promise.all(numbers.slice(0, most - 1).map((n) => make(n, who)));
    assert.equal(await countOf(count, who), most - 1);
    const made = await Promise.all(numbers.slice(most - 1).map((n) => make(n, who)));
    assert.equal(await countOf(count, who), most);
    assert.equal(made.filter(Boolean).length, isReplacing ? AT_ONCE : 1);
  });
}
