// However a server spells its own name, it meets the block of its domain. The table of cases is in
// identity.test.ts.

import assert from "node:assert/strict";
import { domainToUnicode } from "node:url";
import { after, before, describe, test } from "node:test";
import { createFetch } from "../../src/platform/fetch/index.ts";
import { TEST_KEYS } from "../keys.ts";
import { ACTIVITY, answers, finger, jrd, startRaw } from "./raw.ts";
import type { RawServer } from "./raw.ts";
import { PUBLIC, startStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

const DOMAIN = "xn--bcher-kva.example";

let stage: Stage;
let raw: RawServer;
let served: ReturnType<Parameters<typeof answers>[0]> = {};
let port: string;

before(async () => {
  stage = await startStage();
  raw = await startRaw(answers(() => served));
  port = new URL(raw.origin).port;
  await stage.server.app.fetch.close();
  stage.server.app.fetch = createFetch({
    allowedPrivateAddresses: ["127.0.0.0/8"],
    allowHttp: true,
    userAgent: "test",
    lookup: async () => [{ address: "127.0.0.5", family: 4 }],
  });
  const json = { domain: `${DOMAIN}:${port}` };
  await stage.alice.post("/api/v1/domain_blocks", json).ok();
});
after(async () => {
  await raw.close();
  await stage.close();
});

let serial = 0;

/** An actor whose server writes its own name like this everywhere. */
const actorOn = (spelling: string) => {
  const name = `m${++serial}`;
  const origin = `http://${spelling}:${port}`;
  const uri = `${origin}/users/${name}`;
  const { publicKeyPem, privateKeyPem } = TEST_KEYS[2]!;
  const keyId = `${uri}#main-key`;
  const document = {
    id: uri,
    type: "Person",
    preferredUsername: name,
    inbox: `${uri}/inbox`,
    publicKey: { id: keyId, owner: uri, publicKeyPem },
  };
  served = { [`/users/${name}`]: { type: ACTIVITY, body: document } };
  const hosts = [`${spelling}:${port}`, `${DOMAIN}:${port}`, `${DOMAIN}.:${port}`];
  for (const host of hosts) served[finger(`${name}@${host}`)] = jrd(`acct:${name}@${host}`, uri);
  return { name, uri, keyId, privateKeyPem, document };
};

const mention = (actor: ReturnType<typeof actorOn>) => {
  const object = {
    id: `${actor.uri}/1`,
    type: "Note",
    attributedTo: actor.uri,
    content: "<p>it is me</p>",
    to: [PUBLIC],
    tag: [{ type: "Mention", href: stage.uriOf(stage.alice), name: "@alice" }],
  };
  return { id: `${actor.uri}/1/a`, type: "Create", actor: actor.uri, object, to: [PUBLIC] };
};

const notifiedActors = async (): Promise<string[]> => {
  await stage.server.runJobs();
  const { json } = await stage.get("/api/v1/notifications", stage.alice);
  return json.map((status: any) => status.account.acct);
};

const domainsOf = async (name: string): Promise<(string | null)[]> => {
  const rows = await stage.server.app.sql<{ domain: string | null }[]>`
    SELECT domain FROM accounts WHERE username = ${name}`;
  return rows.map(({ domain }) => domain);
};

describe("IDN, case, trailing dot and port variants of a domain meet the same domain block.", () => {
  test("a domain that is not blocked notifies", async () => {
    const actor = actorOn("other.example");
    const { status, text } = await stage.post(actor, mention(actor));
    assert.equal(status, 202, text);
    assert.deepEqual(await notifiedActors(), [`${actor.name}@other.example:${port}`]);
  });

  const SPELLINGS = [
    DOMAIN,
    DOMAIN.toUpperCase(),
    "BÜCHER.example",
    `${DOMAIN}.`,
    "bücher.example.",
  ];
  for (const spelling of SPELLINGS) {
    test(`${spelling}: in the ids of actors, keys and posts`, async () => {
      const before = await notifiedActors();
      const actor = actorOn(spelling);
      const { status } = await stage.post(actor, mention(actor), { keyId: encodeURI(actor.keyId) });
      assert.ok(status === 202 || (status >= 400 && status < 500), String(status));
      assert.deepEqual(await notifiedActors(), before);
      // It is stored under the one spelling, or not at all.
      for (const domain of await domainsOf(actor.name)) assert.equal(domain, `${DOMAIN}:${port}`);
    });

    test(`${spelling}: in a search for the handle`, async () => {
      const actor = actorOn(spelling);
      const { accounts } = await stage.resolve(`@${actor.name}@${spelling}:${port}`);
      // People are shown its letters; it is stored and compared in ASCII.
      const shown = `${actor.name}@${domainToUnicode(DOMAIN)}:${port}`;
      for (const { acct } of accounts) assert.equal(acct, shown);
      for (const domain of await domainsOf(actor.name)) assert.equal(domain, `${DOMAIN}:${port}`);
    });
  }

  test("one of them at least is stored, under the blocked domain", async () => {
    const [row] = await stage.server.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM accounts WHERE domain = ${`${DOMAIN}:${port}`}`;
    assert.ok(row!.count > 0);
  });
});
