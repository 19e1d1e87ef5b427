// What the staff does with deliveries to a host: stop, let go on, try again at once.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { Forbidden, Unprocessable } from "../../platform/errors.ts";
import { sendable } from "../../domain/people/accounts/activitypub.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { deliver } from "../deliver.ts";
import {
  deliveryStateOf,
  resumeDeliveries,
  retryDeliveries,
  standingOf,
  stopDeliveries,
} from "./by-staff.ts";
import { claimHosts, settleHosts } from "./queries-queue.ts";
import { deleteOldHosts } from "./retention.ts";
import { hostsAnswered } from "./wake.ts";
import { drainDeliveries } from "./worker.ts";

const DAY = 86_400_000;
let time = Date.now();
const now = () => new Date(time);

let t: TestApp;
let peer: FakePeer;
let alice: Person;

before(async () => {
  t = await startTestApp({ clock: { now }, worker: false });
  alice = await t.person("alice");
});

beforeEach(async () => {
  await peer?.close();
  peer = await startPeer();
  await t.app.sql`DELETE FROM deliveries`;
  await t.app.sql`DELETE FROM remote_hosts`;
});

after(async () => {
  await peer.close();
  await t.close();
});

const activity = sendable({ id: "http://us.example/1", type: "Like", actor: "x" });

const send = (inboxes = [`${peer.origin}/inbox`]) =>
  deliver(t.app, t.app.sql, [{ accountId: alice.accountId, activity, inboxes }]);

const waiting = async (host = peer.host) => (await deliveryStateOf(t.app, host))?.waiting ?? 0;

const lastAudit = async () =>
  (await t.app.sql`SELECT action, target_label FROM audit_log ORDER BY id DESC LIMIT 1`)[0];

test("a host that is stopped gets nothing, what waits stays, and what is new is not queued", async () => {
  await send();
  await stopDeliveries(t.app, COMMAND_LINE, peer.host);
  assert.deepEqual(
    { ...(await lastAudit()) },
    { action: "domain.stop_deliveries", target_label: peer.host },
  );
  await send();
  await hostsAnswered(t.app, [peer.host]);
  await drainDeliveries(t.app);
  assert.equal(peer.inbox().length, 0);
  assert.equal(await waiting(), 1);
  await assert.rejects(stopDeliveries(t.app, COMMAND_LINE, peer.host), Unprocessable);
  await assert.rejects(retryDeliveries(t.app, COMMAND_LINE, peer.host), Unprocessable);
  const state = await deliveryStateOf(t.app, peer.host);
  assert.equal(standingOf(state, now()), "stopped");
  await resumeDeliveries(t.app, COMMAND_LINE, peer.host);
  await drainDeliveries(t.app);
  assert.equal(peer.inbox().length, 1);
  assert.equal(standingOf(await deliveryStateOf(t.app, peer.host), now()), "working");
  await assert.rejects(resumeDeliveries(t.app, COMMAND_LINE, peer.host), Unprocessable);
});

test("stopping ends the claim of a worker that is delivering", async () => {
  await send();
  const owner = crypto.randomUUID();
  const until = new Date(time + DAY);
  const [claimed] = await claimHosts(t.app.sql, {
    owner,
    now: now(),
    until,
    quick: 9,
    slow: 0,
  });
  await stopDeliveries(t.app, COMMAND_LINE, peer.host);
  const settled = { latencyMs: 5, slow: false, failures: 0, retryAt: null, pausedUntil: null };
  const at = { now: now(), after: "0", goneSince: now(), done: [] };
  const rows = await settleHosts(t.app.sql, owner, [{ ...claimed!, ...settled }], at);
  assert.equal(rows.length, 0);
  await drainDeliveries(t.app);
  assert.equal(peer.inbox().length, 0);
  assert.equal(standingOf(await deliveryStateOf(t.app, peer.host), now()), "stopped");
});

test("a host that nothing was ever sent to can be stopped, and stays so however old that is", async () => {
  await stopDeliveries(t.app, COMMAND_LINE, "quiet.example");
  await deleteOldHosts(t.app, new Date(time + 400 * DAY));
  assert.ok((await deliveryStateOf(t.app, "quiet.example"))?.stopped_at);
  await resumeDeliveries(t.app, COMMAND_LINE, "quiet.example");
  await deleteOldHosts(t.app, new Date(time + 400 * DAY));
  assert.equal(await deliveryStateOf(t.app, "quiet.example"), null);
});

test("what waits for a host that rests is tried at once, also what was put behind others", async () => {
  peer.answer.status = 500;
  await send();
  await drainDeliveries(t.app);
  const tries = peer.inbox().length;
  const failing = await deliveryStateOf(t.app, peer.host);
  assert.equal(standingOf(failing, now()), "failing");
  assert.equal(standingOf(failing, new Date(time + 8 * DAY)), "gone");
  await t.app.sql`UPDATE deliveries SET retry_at = ${new Date(time + DAY)}`;
  peer.answer.status = 202;
  await drainDeliveries(t.app);
  assert.equal(peer.inbox().length, tries);
  await retryDeliveries(t.app, COMMAND_LINE, peer.host);
  assert.equal((await lastAudit())!["action"], "domain.retry_deliveries");
  await drainDeliveries(t.app);
  assert.equal(peer.inbox().length, tries + 1);
  assert.equal(await waiting(), 0);
  await assert.rejects(retryDeliveries(t.app, COMMAND_LINE, peer.host), Unprocessable);
  assert.equal(standingOf(null, now()), "unknown");
});

test("only who may manage federation does it", async () => {
  const nobody = { accountId: alice.accountId, permissions: 0, position: -1 };
  for (const act of [retryDeliveries, stopDeliveries, resumeDeliveries]) {
    await assert.rejects(act(t.app, nobody, "x.example"), Forbidden);
  }
});
