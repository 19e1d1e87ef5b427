// The feed of updates: what is believed of it, what stays when it is not, and who is told.

import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import { runCommand } from "../../../test/command-line.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { crontab } from "../../../src/jobs.ts";
import { startDoctor } from "../../../src/domain/staff/moderation/doctor-due.ts";
import { runningNow } from "../../../src/platform/runs/run.ts";
import { examine } from "./examine.ts";
import { signFeed } from "./sign-feed.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { toMultikey } from "../../../src/platform/text/multibase.ts";
import { textsIn } from "../../../src/platform/text/texts.ts";
import { isNewer } from "../../../src/platform/version.ts";
import { readHealth, saidOf } from "../../../src/domain/staff/measures/health.ts";
import { troublesOf } from "../../../src/domain/staff/measures/troubles.ts";
import { readFeed } from "./feed.ts";
import type { Feed, Release } from "./feed.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { privateKey: ours } = generateKeyPairSync("ed25519");
const { privateKey: others } = generateKeyPairSync("ed25519");

const { privateKey: second } = generateKeyPairSync("ed25519");
const FEED = { UPDATE_FEED: "", UPDATE_FEED_KEY: `${toMultikey(second)}, ${toMultikey(ours)}` };

let now = new Date();
let t: TestApp;
/** What the server of the feed answers. */
let answer = { status: 200, text: "" };
let asked = 0;
const host = createServer((_request, response) => {
  asked += 1;
  response.writeHead(answer.status).end(answer.text);
});

const release = (version: string, members: Partial<Release> = {}): Release => ({
  version,
  security: false,
  changes: `What ${version} has.`,
  link: `https://rookery.example/${version}`,
  ...members,
});

const at = (ms: number): string => new Date(now.getTime() + ms).toISOString();

const feedOf = (releases: unknown[], members: Partial<Feed> = {}): string =>
  JSON.stringify({ issued_at: at(0), expires_at: at(90 * DAY_MS), releases, ...members });

/** What the doctor finds a day later, when the server of the feed answers so. */
const nextDay = async (text: string, status = 200): Promise<string[]> => {
  now = new Date(now.getTime() + DAY_MS);
  answer = { status, text };
  const patient = { app: t.app, databaseUrl: t.databaseUrl, lookup: async () => [] };
  const results = await examine(patient, undefined, "updates");
  return results.map((result) => `${result.state}: ${saidOf(textsIn("en"), result).text}`);
};

before(async () => {
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const { port } = host.address() as AddressInfo;
  t = await startTestApp({
    worker: false,
    clock: { now: () => now },
    env: Object.assign(FEED, { UPDATE_FEED: `http://127.0.0.1:${port}/updates.json` }),
  });
});
after(async () => {
  await t.close();
  host.close();
});
beforeEach(() => t.app.sql`DELETE FROM update_feed`);

const NEWER = [
  release("9.1.0", { changes: "Line <one>.\nLine two." }),
  release("9.0.1", { security: true }),
  release("0.0.1"),
];

test("what a key has signed is told, where it is newer than this version", async () => {
  assert.deepEqual(await nextDay(signFeed(feedOf(NEWER), ours, now)), [
    "warning: Version 9.1.0 is available. What changes: Line <one>. Line two. https://rookery.example/9.1.0",
    "fault: Version 9.0.1 closes a security hole. What changes: What 9.0.1 has. https://rookery.example/9.0.1",
  ]);
  const [none] = await nextDay(signFeed(feedOf([release("0.0.1")]), ours, now));
  assert.match(none!, /^ok: No version is newer than /);
});

test("what is known stays while the feed cannot be read", async () => {
  await nextDay(signFeed(feedOf(NEWER), ours, now));
  const away = await nextDay("", 500);
  assert.equal(away.length, 3);
  assert.equal(away[2], "warning: The list of versions can’t be read: the answer is 500.");
  const [, , long] = await nextDay(" ".repeat(17 * 1024));
  assert.match(long!, /can’t be read: .*(?:large|long|bytes)/);
});

test("an older answer is not taken, so that nobody hides a version", async () => {
  const earlier = signFeed(feedOf([], { issued_at: at(-HOUR_MS) }), ours, now);
  await nextDay(signFeed(feedOf(NEWER), ours, now));
  const told = await nextDay(earlier);
  assert.equal(told.length, 3);
  assert.match(told[2]!, /can’t be read: it is older than the one that was read before\.$/);
});

test("what somebody else signed, and what is not a feed, is refused", () => {
  const keys = [createPublicKey(ours)];
  const read = (text: string) => readFeed(text, keys, now);
  /** Signs what `signFeed` refuses, as it would be refused by servers. */
  const sign = (signed: string): string => {
    assert.throws(() => signFeed(signed, ours, now));
    const signature = signBytes(null, Buffer.from(signed), ours).toString("base64");
    return JSON.stringify({ signed, signature });
  };
  assert.equal(read(signFeed(feedOf(NEWER), ours, now)).releases.length, 3);
  const bad: [text: string, reason: RegExp][] = [
    [signFeed(feedOf(NEWER), others, now), /signed/],
    [signFeed(feedOf(NEWER), ours, now).replace("9.1.0", "9.2.0"), /signed/],
    ["[]", /list of versions/],
    ["null", /list of versions/],
    ["<html>", /list of versions/],
    [sign(feedOf([null])), /list of versions/],
    [sign("null"), /list of versions/],
    [sign(feedOf([release("9.0.0"), release("9.1.0")])), /list of versions/],
    [sign(feedOf([release("9.0.0"), release("9.0.0")])), /list of versions/],
    [sign(feedOf([release("v9")])), /list of versions/],
    [sign(feedOf([release("9.0.0", { link: "http://rookery.example" })])), /list of versions/],
    [sign(feedOf([release("9.0.0", { link: "javascript:1" })])), /list of versions/],
    [sign(feedOf([release("9.0.0", { changes: "a".repeat(2001) })])), /list of versions/],
    [sign(feedOf([], { expires_at: at(-DAY_MS) })), /list of versions/],
    [sign(feedOf([], { issued_at: at(2 * DAY_MS) })), /future/],
    [sign(feedOf([], { issued_at: at(-2 * DAY_MS), expires_at: at(-1) })), /expired/],
  ];
  for (const [text, reason] of bad) assert.throws(() => read(text), reason, text);
});

test("the first page and the weekly mail say it in the words that were signed, until the version is there", async () => {
  await t.person("boss", { role: "Owner" });
  const owner = openBrowser(t);
  await owner.signIn("boss");
  // The command has the clock of this machine.
  const issued_at = new Date().toISOString();
  answer = { status: 200, text: signFeed(feedOf(NEWER, { issued_at }), ours, now) };
  const { config } = t.app;
  const env = {
    ...FEED,
    DATABASE_URL: t.databaseUrl,
    DATA_DIR: config.dataDir,
    LOCAL_DOMAIN: config.site.localDomain,
    LOCAL_HTTPS: "false",
    ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
  };
  const unknown = await runCommand(env, ["doctor", "--only", "foo"]);
  assert.match(unknown.output, /There is no check foo: there are .*certificate.*updates/);
  const { code, output } = await runCommand(env, ["doctor", "--only", "updates"]);
  assert.equal(code, 1, output);
  assert.match(output, /^! Updates: Version 9\.1\.0 is available/);
  const { text } = await owner.get("/admin");
  assert.match(text, /Version 9\.1\.0 is available\. What changes: Line &lt;one>\. Line two\./);
  assert.match(text, /Version 9\.0\.1 closes a security hole/);
  assert.match(text, /No health check yet/);
  const mail = troublesOf(textsIn("de"), await readHealth(t.app)).join("\n");
  assert.match(mail, /Aktualisierungen: Version 9\.0\.1 schließt eine Sicherheitslücke/);
  await t.app.sql`
    UPDATE findings SET said = jsonb_set(said, '{values,version}', '"0.0.1"') WHERE check_name = 'updates'
  `;
  assert.deepEqual((await readHealth(t.app)).findings, []);
});

test("it is looked at once a day where a feed is set; without one nobody is asked", async () => {
  assert.equal(readConfig({}).updates, null);
  const feed = { UPDATE_FEED: "https://rookery.example/updates.json" };
  assert.throws(() => readConfig(feed), /UPDATE_FEED_KEY/);
  assert.throws(() => readConfig({ ...feed, UPDATE_FEED_KEY: "z6Mk" }), /UPDATE_FEED_KEY/);
  assert.ok(crontab.some(({ job, payload }) => job === "doctor.due" && payload.only === "updates"));
  const config = { ...t.app.config, updates: null };
  const off = Object.create(t.app, { config: { value: config } });
  await startDoctor(off, { only: "updates" });
  assert.equal((await runningNow(t.app)).size, 0);
  asked = 0;
  const patient = { app: off, databaseUrl: t.databaseUrl, lookup: async () => [] };
  const [found] = await examine(patient, undefined, "updates");
  assert.deepEqual([found!.state, asked], ["skipped", 0]);
});

test("versions are in their order", () => {
  const order = ["0.1.0", "0.2.0-dev.1", "0.2.0", "0.2.1", "0.10.0", "1.0.0"];
  for (const [n, version] of order.entries()) {
    for (const [m, other] of order.entries()) assert.equal(isNewer(version, other), n > m);
  }
});
