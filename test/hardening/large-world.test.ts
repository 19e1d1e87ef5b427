// Every page, and every row of the API that reads, in a small world and in one that is ten times as large as any of its
// pages: what an answer costs does not grow with what there is. Nothing is measured by the clock: statements, bytes, and
// the CPU of the server and of its connections to the database, as multiples of what the small world takes.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { upsertRemoteAccount } from "../../src/domain/people/accounts/upsert-remote.ts";
import { publishTerms } from "../../src/domain/about/instance/terms.ts";
import { createDomainBlock } from "../../src/domain/staff/moderation/blocks.ts";
import { changeSettings } from "../../src/domain/staff/moderation/server.ts";
import { acceptFollow } from "../../src/domain/people/relationships/accept-follow.ts";
import { follow } from "../../src/domain/people/relationships/follow.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { loadBundle } from "../../src/pages/web/bundle.ts";
import { openBrowser } from "../browser.ts";
import { addresses, framedPaths, makeWholeVillage, MORE_POSTS, VISITOR } from "../browser/pages.ts";
import type { Village } from "../browser/village.ts";
import { castOf } from "../contract/cast.ts";
import type { Cast } from "../contract/cast.ts";
import { addressOf } from "../contract/checks.ts";
import { ADMIN } from "../contract/recipes-admin.ts";
import { ACCOUNTS } from "../contract/recipes-accounts.ts";
import { COMMUNITY } from "../contract/recipes-community.ts";
import { LISTS } from "../contract/recipes-lists.ts";
import { MEDIA } from "../contract/recipes-media.ts";
import { NOTIFICATIONS } from "../contract/recipes-notifications.ts";
import { SERVER } from "../contract/recipes-server.ts";
import { STATUSES } from "../contract/recipes-statuses.ts";
import { TRENDS } from "../contract/recipes-trends.ts";
import { ASKED, nameOf } from "../contract/rows.ts";
import { cloneDatabase } from "../database.ts";
import { freePort } from "../free-port.ts";
import { startTestApp } from "../harness.ts";
import type { Person, RequestOptions, TestApp } from "../harness.ts";
import { growWorld } from "../large-world.ts";

const RECIPES = {
  ...ADMIN,
  ...ACCOUNTS,
  ...COMMUNITY,
  ...LISTS,
  ...MEDIA,
  ...NOTIFICATIONS,
  ...SERVER,
  ...STATUSES,
  ...TRENDS,
};
const DRAWN_BY_SERVER = /^\/(?:settings|disputes|admin|auth|oauth|severed_relationships)(?:\/|$)/;

type Asked = { name: string; path: string; options: RequestOptions };
/** `cpu`: milliseconds of this process and of its connections to the database. */
type Cost = { statements: number; bytes: number; cpu: number };
type Measured = Cost & { status: number };

/** An answer in the large world: the same statements and these, so many bytes, and three times the CPU and this. */
const MORE_STATEMENTS = 3;
const BYTES = 700_000;
const TIMES_CPU = 3;
const MORE_CPU = 100;

/** Absolute bounds that are allowed instead, by the address without ids. */
const EXCEPTIONS: Record<string, Partial<Cost> & { reason: string }> = {
  "/@bob/:id (alice)": {
    statements: 45,
    cpu: 250,
    reason:
      "A long thread is presented in parts, each by the same few statements, and drawn whole: 192 ms on a slow machine.",
  },
  "/admin/reports/:id (alice)": {
    statements: 50,
    reason:
      "Other reports of the account are loaded like the first one, by the same few statements.",
  },
};

/** Whose answer is gone after the server started again. */
const IN_MEMORY = ["GET /api/v1_alpha/async_refreshes/{id}"];

let server: TestApp;

const SCOPES = [
  "read",
  "write",
  "follow",
  "push",
  "profile",
  "crypto",
  "admin:read",
  "admin:write",
];

/** Friends and strangers of alice's: those of one group of rows never meet others. */
const castFor = async (me: Person, group: string): Promise<Cast> => {
  const name = group.replaceAll(/\W/g, "_").slice(0, 20);
  const friend = await server.person(`${name}_friend`, { scopes: SCOPES });
  const stranger = await server.person(`${name}_stranger`);
  const cast = castOf(server, { me, friend, stranger });
  await cast.must(me, "POST", `/api/v1/accounts/${friend.accountId}/follow`);
  await cast.must(friend, "POST", `/api/v1/accounts/${me.accountId}/follow`);
  await cast.must(me, "POST", `/api/v1/follow_requests/${friend.accountId}/authorize`);
  return cast;
};

const rowsOf = async ({ alice }: Village): Promise<Asked[]> => {
  const me = { ...alice, token: await server.token(alice.userId, SCOPES) };
  // Who is locked posts for followers, and strangers of the recipes read what they post.
  const json = { source: { privacy: "public" } };
  await me.patch("/api/v1/accounts/update_credentials", json);
  const casts = new Map<string, Cast>();
  const asked: Asked[] = [];
  for (const row of ASKED.filter(({ method }) => method === "GET")) {
    const cast = casts.get(row.group) ?? (await castFor(me, row.group));
    casts.set(row.group, cast);
    const call = await RECIPES[nameOf(row)]!(cast);
    const token = call.token === undefined ? me.token : call.token;
    const headers = call.headers ?? {};
    asked.push({ name: nameOf(row), path: addressOf(row, call), options: { token, headers } });
  }
  return asked;
};

/** What the index of pages has another address of in this world. */
const askedAs = (path: string, village: Village): string => {
  const of: Record<string, string> = {
    "/authorize_interaction?uri=acct:bob": `/authorize_interaction?uri=${encodeURIComponent(`${server.url}/@bob`)}`,
    "/oauth/authorize": `/oauth/authorize?${village.ids["authorize"]}`,
  };
  return of[path] ?? path;
};

/**
 * Pages without a list, which are there for who has the secret of a mail or a token, or was asked something; and a file
 * that is sent as it is.
 */
const LEFT_OUT = [
  "/admin/question/0",
  "/oauth/token/info",
  "/oauth/userinfo",
  "/oauth/authorize/native",
  "/auth/confirmation",
  "/auth/password/edit",
  "/settings/email/confirm",
  "/settings/export/archive/0",
];

/** What is not there by intent. */
const REFUSED = [
  "/nothing-here (visitor)",
  // The server has no provider.
  "/auth/auth/openid_connect/callback (alice)",
  "/auth/auth/saml/callback (alice)",
  "/auth/auth/saml/metadata (alice)",
  "/auth/sso/0/callback (alice)",
  "/settings/ways/add/0 (alice)",
];

const pagesOf = async (village: Village): Promise<Asked[]> => {
  const { pagePaths } = await loadBundle();
  const browser = openBrowser(server);
  await browser.signIn("alice");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const paths = new Set([
    ...Object.values(addresses(village)),
    ...MORE_POSTS.map((name) => `/@bob/${village.ids[name]}`),
    ...(await framedPaths(server, village, pagePaths, DRAWN_BY_SERVER)),
  ]);
  const page =
    (who: string, headers: Record<string, string>) =>
    (path: string): Asked => ({
      name: `${path} (${who})`,
      path,
      options: { headers: { ...headers, accept: "text/html" } },
    });
  const all = [...paths].filter((path) => !LEFT_OUT.includes(path));
  const asked = all.map((path) => askedAs(path, village));
  return [...asked.map(page("alice", { cookie })), ...VISITOR.map(page("visitor", {}))];
};

/** A server of which alice followed somebody, and somebody her, is blocked. */
const loseServer = async ({ alice, ids }: Village): Promise<void> => {
  const { app } = server;
  const remote = (name: string) => {
    const uri = `https://lost.example/users/${name}`;
    return upsertRemoteAccount(app.sql, {
      username: name,
      domain: "lost.example",
      uri,
      url: uri,
      inbox_url: "",
      shared_inbox_url: null,
      public_key: "none",
      key_id: null,
      fetched_at: new Date(),
    });
  };
  const [followed, follower] = [await remote("rosa"), await remote("remy")];
  await follow(app, { accountId: alice.accountId, targetId: followed });
  await acceptFollow(app, { accountId: alice.accountId, targetId: followed });
  const uri = "https://lost.example/f";
  await follow(app, { accountId: follower, targetId: alice.accountId, uri });
  await acceptFollow(app, { accountId: follower, targetId: alice.accountId });
  await createDomainBlock(app, COMMAND_LINE, "lost.example", { severity: "suspend" });
  await server.runJobs();
  const [row] = await app.sql`
    SELECT event_id FROM severed_relationships WHERE account_id = ${alice.accountId} LIMIT 1
  `;
  ids["severed_relationships"] = row!["event_id"];
};

/** What the server and its owner have for the pages that would find nothing otherwise. */
const addToServer = async ({ ids }: Village): Promise<void> => {
  const { app } = server;
  await publishTerms(app, COMMAND_LINE, "2020-01-01", "Be kind.");
  await changeSettings(app, COMMAND_LINE, { registrations: "open" });
  const redirect_uri = "https://app.example/back";
  const json = { client_name: "App", redirect_uris: redirect_uri, scopes: "read" };
  const { client_id } = (await server.visitor.post("/api/v1/apps", json)).json;
  const query = { client_id, redirect_uri, response_type: "code", scope: "read" };
  ids["authorize"] = String(new URLSearchParams(query));
};

/** What neither the village nor the recipes leave behind of alice's. */
const addBelongings = async ({ alice, bob, ids }: Village): Promise<void> => {
  const { must } = castOf(server, { me: alice, friend: bob, stranger: bob });
  await must(alice, "POST", "/api/v1/saved_searches", { q: "owls" });
  await must(alice, "POST", "/api/v1/drafts", { statuses: [{ status: "Not yet" }] });
  await must(alice, "POST", "/api/v1/tags/mill/mute");
  await must(alice, "POST", `/api/v1/accounts/${bob.accountId}/note`, { comment: "Owls" });
  // The recipes remove what there was.
  const millers = { name: "Millers", description: "", account_ids: [bob.accountId] };
  ids["collection"] = (await must(alice, "POST", "/api/v1/collections", millers)).collection.id;
};

/** Milliseconds that the database's processes for this server took, where the system tells (Linux). */
const readDatabaseCpu = async (): Promise<number> => {
  const rows = await server.app.sql<{ pid: number }[]>`
    SELECT /* of the test */ pid FROM pg_stat_activity WHERE datname = current_database()
  `;
  const files = rows.map(({ pid }) => `/proc/${pid}/schedstat`).filter((file) => existsSync(file));
  const times = files.map((file) => Number(readFileSync(file, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
};

const readCpu = async (): Promise<number> => {
  const database = await readDatabaseCpu();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + database;
};

const ask = ({ path, options }: Asked) => server.request("GET", path, options);

const askMeasured = async (asked: Asked) => {
  const before = await readCpu();
  const answer = await ask(asked);
  return { answer, cpu: (await readCpu()) - before };
};

const cpuOf = async (asked: Asked): Promise<number> => (await askMeasured(asked)).cpu;

/** What an answer takes without caches. */
const costOf = async (asked: Asked): Promise<Measured> => {
  const { result, queries } = await server.countQueries(() => askMeasured(asked));
  const { answer, cpu } = result;
  const bytes = Buffer.byteLength(answer.text);
  return { status: answer.status, statements: queries, bytes, cpu };
};

/** The least of two requests: the first one of a kind also compiles what answers it. */
const costInSmall = async (asked: Asked): Promise<Measured> => {
  const cost = await costOf(asked);
  return { ...cost, cpu: Math.min(cost.cpu, await cpuOf(asked)) };
};

const kindOf = ({ name }: Asked): string => name.replaceAll(/\d{15,}/g, ":id");

const boundOf = (asked: Asked, small: Cost): Cost => ({
  statements: small.statements + MORE_STATEMENTS,
  bytes: BYTES,
  cpu: TIMES_CPU * small.cpu + MORE_CPU,
  ...EXCEPTIONS[kindOf(asked)],
});

/** Asked again where it took too much: the machine may be slow, and work of the server's own is counted with it. */
const costInLarge = async (asked: Asked, bound: Cost): Promise<Measured> => {
  const cost = await costOf(asked);
  const isOver = () => cost.statements > bound.statements || cost.cpu > bound.cpu;
  for (let n = 0; n < 3 && isOver(); n++) {
    const again = await costOf(asked);
    cost.statements = Math.min(cost.statements, again.statements);
    cost.cpu = Math.min(cost.cpu, again.cpu, await cpuOf(asked));
  }
  return cost;
};

type Compared = { asked: Asked; small: Measured; large: Measured; bound: Cost };
let compared: Compared[];

const start = (url: string, port: number) =>
  startTestApp({
    databaseUrl: url,
    checked: false,
    env: { PORT: String(port), LOCAL_DOMAIN: `127.0.0.1:${port}` },
  });

const growVillage = async ({ alice, bob, ids }: Village): Promise<void> => {
  await server.app.sql.begin((tx) =>
    growWorld(tx, {
      me: alice.accountId,
      friend: bob.accountId,
      thread: ids["thread"]!,
      own: ids["own"]!,
      list: ids["list"]!,
      filter: ids["filter"]!,
      group: ids["group"]!,
    }),
  );
  await server.app.sql`ANALYZE`;
};

let drop: () => Promise<void>;

before(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  const port = await freePort();
  server = await start(database.url, port);
  const village = await makeWholeVillage(server);
  await loseServer(village);
  await addToServer(village);
  const rows = await rowsOf(village);
  await addBelongings(village);
  const all = [...(await pagesOf(village)), ...rows];
  await server.runJobs();
  const small: Measured[] = [];
  for (const asked of all) small.push(await costInSmall(asked));
  await growVillage(village);
  await server.close();
  server = await start(database.url, port);
  compared = [];
  for (const [at, asked] of all.entries()) {
    const bound = boundOf(asked, small[at]!);
    compared.push({ asked, small: small[at]!, bound, large: await costInLarge(asked, bound) });
  }
});
after(async () => {
  await server.close();
  await drop();
});

const differing = (what: keyof Measured, isWrong: (one: Compared) => boolean) =>
  Object.fromEntries(
    compared
      .filter(isWrong)
      .map(({ asked, small, large }) => [asked.name, [small[what], large[what]]]),
  );

test("each address answers in the large world as in the small one", () => {
  const isOther = ({ asked, small, large }: Compared) =>
    small.status !== large.status && !IN_MEMORY.includes(asked.name);
  assert.deepEqual(differing("status", isOther), {});
  const isNone = ({ asked, small }: Compared) =>
    small.status >= 400 && !REFUSED.includes(asked.name);
  assert.deepEqual(differing("status", isNone), {});
});

for (const what of ["statements", "bytes", "cpu"] as const) {
  test(`no address takes more ${what} than it may where there is much`, () => {
    assert.deepEqual(
      differing(what, ({ large, bound }) => large[what] > bound[what]),
      {},
    );
  });
}
