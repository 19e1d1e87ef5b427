// What is given up first when work is late, and what is told to whom.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallServer } from "../../../test/small-server.ts";
import type { Fault } from "../health/faults.ts";
import { REFUSED_FROM_MS } from "./overload.ts";
import type { Credentials } from "./credentials.ts";
import type { Server } from "./server.ts";
import { asPerson } from "../viewer.ts";

const routes = (server: Server): void => {
  for (const url of ["/api/v1/things", "/inbox", "/users/:name/inbox", "/auth/sign_in", "/health"])
    server.route({ method: ["GET", "POST", "DELETE"], url, handler: async () => ({}) });
};

const credentialsOf = (accountId: string): Credentials => ({
  tokenId: accountId,
  sessionId: null,
  appId: null,
  scopes: ["read"],
  revoked: false,
  expiresAt: null,
  viewer: {
    userId: accountId,
    accountId,
    person: asPerson(accountId),
    username: "known",
    permissions: 0n,
    locale: "en",
    settings: {},
    standing: "active",
    by: null,
    isShared: false,
  },
});

let server: SmallServer;
before(async () => {
  server = await startSmallServer(routes, { tokens: { known: credentialsOf("1") } });
});
after(() => server.close());

const state = (load: { lateness?: number; fault?: Fault | null }): void => {
  Object.assign(server.app.pulse, {
    lateness: () => load.lateness ?? 0,
    fault: () => load.fault ?? null,
  });
};

const signedIn = { headers: { authorization: "Bearer known" } };
/** What anybody can send. */
const madeUp = (name: string, value: string) => ({ headers: { [name]: value } });
const REQUESTS: Record<string, [method: string, path: string, request?: object]> = {
  visitor: ["GET", "/api/v1/things"],
  inbox: ["POST", "/inbox"],
  "inbox of one": ["POST", "/users/a/inbox"],
  read: ["GET", "/api/v1/things", signedIn],
  "read by query": ["GET", "/api/v1/things?access_token=known"],
  "made-up token": ["GET", "/api/v1/things", madeUp("authorization", "Bearer x")],
  "made-up query": ["GET", "/api/v1/things?access_token=x"],
  "made-up cookie": ["GET", "/api/v1/things", madeUp("cookie", "rookery_session=x")],
  "made-up signature": ["GET", "/api/v1/things", madeUp("signature", "x")],
  write: ["POST", "/api/v1/things", signedIn],
  delete: ["DELETE", "/api/v1/things", signedIn],
  "sign-in": ["POST", "/auth/sign_in"],
  health: ["GET", "/health"],
};

/** The names of the requests that are refused. */
const refused = async (status: number): Promise<string[]> => {
  const names: string[] = [];
  for (const [name, [method, path, request]] of Object.entries(REQUESTS)) {
    const answer = await server.call(method, path, request);
    if (answer.status === 200) continue;
    assert.equal(answer.status, status, name);
    assert.match(answer.json.error, /\w+ \w+/);
    if (status === 503) assert.ok(Number(answer.headers["retry-after"]) > 0, name);
    names.push(name);
  }
  return names;
};

const { visitor, inbox, read, write } = REFUSED_FROM_MS;
const VISITORS = [
  "visitor",
  "made-up token",
  "made-up query",
  "made-up cookie",
  "made-up signature",
];
const INBOXES = ["inbox", "inbox of one"];
const READS = ["read", "read by query"];

const inOrder = (...kinds: string[][]): string[] =>
  Object.keys(REQUESTS).filter((name) => kinds.flat().includes(name));

test("nothing is refused while work is on time", async () => {
  state({ lateness: visitor - 1 });
  assert.deepEqual(await refused(503), []);
});

test("visitors are refused first, then the inbox, then reading, then writing", async () => {
  state({ lateness: visitor });
  assert.deepEqual(await refused(503), VISITORS);
  state({ lateness: inbox });
  assert.deepEqual(await refused(503), inOrder(VISITORS, INBOXES));
  state({ lateness: read });
  assert.deepEqual(await refused(503), inOrder(VISITORS, INBOXES, READS));
  state({ lateness: write });
  assert.deepEqual(await refused(503), inOrder(VISITORS, INBOXES, READS, ["write", "delete"]));
});

test("without a database only probes are let through", async () => {
  state({ fault: "away" });
  const all = Object.keys(REQUESTS).filter((name) => name !== "health");
  assert.deepEqual(await refused(503), all);
});

test("on a full disk nothing is written, but things can be deleted and people sign in", async () => {
  state({ fault: "full" });
  assert.deepEqual(await refused(507), [...INBOXES, "write"]);
});

test("browsers get a page", async () => {
  state({ fault: "away" });
  const { status, text } = await server.call("GET", "/somewhere", {
    headers: { accept: "text/html", "accept-language": "en" },
  });
  assert.equal(status, 503);
  assert.match(text, /<h1>Something went wrong on our end<\/h1>/);
});
