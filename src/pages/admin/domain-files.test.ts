// Files of servers and relays in the browser: taken out, looked at, read in; subscribed to and ended.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import { createDomainBlock } from "../../domain/staff/moderation/blocks.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";

const FILES = "/admin/domains/files";
const RELAYS = "/admin/domains/relays";

let t: TestApp;
let owner: Browser;
let plain: Browser;
let boss: Person;

before(async () => {
  t = await startTestApp();
  boss = await t.person("boss", { role: "Owner" });
  await t.person("alice");
  [owner, plain] = [openBrowser(t), openBrowser(t)];
  await owner.signIn("boss");
  await plain.signIn("alice");
});
after(() => t.close());

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

const sendForm = (
  who: Browser,
  page: Answer,
  action: string,
  values: Record<string, string | Blob>,
) => {
  const multipart = new FormData();
  for (const [name, value] of Object.entries({ ...hiddenFields(page.text, action), ...values })) {
    if (typeof value === "string") multipart.set(name, value);
    else multipart.set(name, value, "list.csv");
  }
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, accept: "text/html" };
  return t.visitor.post(action, multipart, headers);
};

const preview = async (text: string, values: Record<string, string> = {}) =>
  sendForm(owner, await owner.get(FILES), `${FILES}/preview`, {
    list: "blocks",
    ...values,
    ...(text !== "" && { file: new Blob([text], { type: "text/csv" }) }),
  });

const carryOut = async (page: Answer, values: Record<string, string> = {}) => {
  const answer = await sendForm(owner, page, `${FILES}/import`, values);
  assert.equal(answer.status, 302, answer.text);
  await t.runJobs();
  return owner.get(answer.headers.get("location")!);
};

const blocks = async () =>
  (await t.app.sql`SELECT domain::text, severity FROM domain_blocks ORDER BY domain`).map(
    ({ domain, severity }) => `${domain} ${severity}`,
  );

describe("files of servers", () => {
  before(async () => {
    const severity = "suspend" as const;
    await createDomainBlock(t.app, COMMAND_LINE, "old.example", {
      severity,
      public_comment: "Spam",
    });
    await createDomainBlock(t.app, COMMAND_LINE, "there.example", { severity: "silence" });
  });

  const FILE = [
    "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate",
    'new.example,suspend,false,false,"Bad, very",false',
    "sub.old.example,silence,false,false,,false",
    "there.example,suspend,false,false,,false",
    "old.example,suspend,false,false,Spam,false",
    "<i>,suspend,false,false,,false",
    "odd.example,sometimes,false,false,,false",
  ].join("\n");

  test("nothing changes until what would change is confirmed; then each is in the audit log", async () => {
    const page = await preview(FILE);
    assert.equal(page.status, 200);
    const text = flat(page.text);
    assert.match(text, /New: 1<\/h3> ?<p class="soft"> ?new\.example \(Blocked\)/);
    assert.match(text, /Kept: has a different entry here: 1/);
    assert.match(text, /Already there: 1/);
    assert.match(
      text,
      /Covered by blocks of parent domains: 1<\/h3> ?<p class="soft"> ?sub\.old\.example/,
    );
    assert.match(text, /unknown severity: 2<\/h3> ?<p class="soft"> ?&lt;i> and odd\.example/);
    assert.deepEqual(await blocks(), ["old.example suspend", "there.example silence"]);
    assert.match((await carryOut(page)).text, /are being added/);
    assert.deepEqual(await blocks(), [
      "new.example suspend",
      "old.example suspend",
      "there.example silence",
    ]);
    const [entry] = await t.app.sql`
      SELECT account_id, action, target_label FROM audit_log ORDER BY id DESC LIMIT 1`;
    assert.deepEqual(
      { ...entry },
      { account_id: boss.accountId, action: "domain_block.create", target_label: "new.example" },
    );
  });

  test("what is there in another way changes where that is chosen", async () => {
    const page = await preview(FILE, { overwrite: "1" });
    assert.match(flat(page.text), /Changed: 1<\/h3> ?<p class="soft"> ?there\.example \(Blocked\)/);
    await carryOut(page);
    assert.ok((await blocks()).includes("there.example suspend"));
    const again = await preview(FILE, { overwrite: "1" });
    assert.doesNotMatch(again.text, /name="data"/);
  });

  test("servers to allow", async () => {
    const page = await preview("#domain\ngood.example\nbetter.example\n", { list: "allows" });
    assert.match(
      flat(page.text),
      /New: 2<\/h3> ?<p class="soft"> ?good\.example and better\.example/,
    );
    await carryOut(page);
    const csv = await owner.get(`${FILES}/allowed.csv`);
    assert.equal(csv.text.replaceAll("\r", ""), "#domain\nbetter.example\ngood.example\n");
    const same = await preview("good.example\n", { list: "allows" });
    assert.match(flat(same.text), /Already there: 1/);
  });

  test("of many the first are named, with a mark after them", async () => {
    const names = Array.from({ length: 201 }, (_, place) => `many${place + 1}.example`);
    const page = await preview(`#domain\n${names.join("\n")}\n`, { list: "allows" });
    assert.match(
      flat(page.text),
      /New: 201<\/h3> ?<p class="soft"> ?many1\.example, [^<]*, and many200\.example … ?<\/p>/,
    );
  });

  test("what cannot be read is refused with a sentence", async () => {
    for (const [text, why] of [
      ["", /Choose a file/],
      ["# nothing\n", /contains no domains/],
      [`${"x".repeat(1_000_001)}\n`, /larger than 1 MB/],
    ] as const) {
      const page = await preview(text);
      assert.equal(page.status, 422);
      assert.match(page.text, why);
    }
  });

  test("the export is as Mastodon writes it, and only for those who may", async () => {
    const csv = await owner.get(`${FILES}/blocked.csv`);
    assert.match(csv.headers.get("content-disposition")!, /domain_blocks\.csv/);
    assert.match(
      csv.text,
      /^#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\r?\n/,
    );
    assert.match(csv.text, /new\.example,suspend,false,false,"Bad, very",false/);
    for (const path of [FILES, `${FILES}/blocked.csv`, `${FILES}/allowed.csv`, RELAYS]) {
      assert.equal((await plain.get(path)).status, 403, path);
    }
  });

  test("who may no longer do it has begun nothing", async () => {
    const { accountId } = await t.person("former");
    await t.app.jobs.add(t.app.sql, "domain_blocks.import", {
      accountId,
      entries: [
        {
          domain: "late.example",
          severity: "suspend",
          reject_media: false,
          reject_reports: false,
          public_comment: null,
          obfuscate: false,
        },
      ],
    });
    await t.app.jobs.add(t.app.sql, "domain_allows.import", {
      accountId,
      domains: ["late.example"],
    });
    await t.runJobs();
    assert.ok(!(await blocks()).includes("late.example suspend"));
    assert.doesNotMatch((await owner.get(`${FILES}/allowed.csv`)).text, /late/);
  });
});

describe("relays", () => {
  let peer: FakePeer;

  before(async () => {
    peer = await startPeer();
  });
  after(() => peer.close());

  test("one is asked, shown with its state, and ended after a question", async () => {
    const address = `${peer.origin}/inbox`;
    const added = await owner.submit(await owner.get(RELAYS), RELAYS, { address });
    assert.equal(added.status, 302, added.text);
    await t.runJobs();
    assert.equal(peer.inbox().at(-1)!["type"], "Follow");
    const page = await owner.get(RELAYS);
    assert.match(flat(page.text), /Waiting for a response/);
    const [entry] = await t.app.sql`SELECT action, target_label FROM audit_log ORDER BY id DESC`;
    assert.deepEqual({ ...entry }, { action: "relay.add", target_label: address });
    const twice = await owner.submit(page, RELAYS, { address });
    assert.equal(twice.status, 422);
    assert.match(twice.text, /already subscribes/);
    const bad = await owner.submit(page, RELAYS, { address: "ftp://relay.example" });
    assert.equal(bad.status, 422);
    assert.match(bad.text, /value="ftp:\/\/relay\.example"[^]*isn’t a relay address/);
    const remove = new RegExp(`action="(${RELAYS}/[^"]+/delete)"`).exec(page.text)![1]!;
    const question = await owner.submit(page, remove, {});
    assert.match(question.text, /Unsubscribe from this relay\?/);
    assert.equal((await owner.submit(question, remove, {})).status, 302);
    await t.runJobs();
    assert.equal(peer.inbox().at(-1)!["type"], "Undo");
    assert.match((await owner.get(RELAYS)).text, /No relays yet/);
    assert.equal((await owner.submit(page, remove, {})).status, 404);
  });
});
