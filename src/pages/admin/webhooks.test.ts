// Webhooks over real HTTP: added on the page of the staff, delivered with a signature, tried again, switched off.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { lastAudit, openStaffWorld, post, report, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";
import { deliverWebhook } from "../../domain/base/webhooks/deliver.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let alice: StaffWorld["alice"];
let bob: StaffWorld["bob"];

before(async () => {
  ({ t, owner, alice, bob } = await openStaffWorld());
});
after(() => t.close());

test("webhooks get what they want to hear, signed, and again what they did not take", async () => {
  const got: { body: string; signature: string }[] = [];
  let status = 200;
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      got.push({ body, signature: String(request.headers["x-hub-signature"]) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const path = "/admin/webhooks";
    const events = { "on_status.created": "1", "on_report.created": "1", "on_report.updated": "1" };
    const added = await submit(owner, path, path, { url, ...events });
    assert.equal((await owner.submit(added, path, { url, ...events })).status, 422);
    const none = await owner.submit(added, path, { url: `${url}/two` });
    assert.equal(none.status, 422);
    const beside = (id: string): RegExp =>
      new RegExp(
        `<fieldset[^>]*aria-describedby="${id}"[^>]*><legend>[^<]+</legend><p class="fault" id="${id}">`,
      );
    assert.match(none.text, beside("events-fault"));
    assert.match(
      none.text,
      /name="url"[^>]* value="[^"]*\/two"|value="[^"]*\/two"[^>]* name="url"/,
    );
    for (const address of ["ftp://x", "http://10.0.0.1/hook", "https://a:b@x.example/"]) {
      const { status: answer, text } = await owner.submit(added, path, { url: address, ...events });
      assert.equal(answer, 422, address);
      assert.match(text, /starts with https:\/\/.*Only addresses in ALLOWED_PRIVATE_ADDRESSES/);
    }
    const [hook] = await t.app.sql`SELECT id, secret FROM webhooks`;
    const changed = await owner.submit(added, `${path}/${hook!["id"]}/update`, {});
    assert.equal(changed.status, 422);
    assert.match(changed.text, beside(`events-${hook!["id"]}-fault`));
    const direct = { status: "secret", visibility: "direct" };
    await alice.post("/api/v1/statuses", direct);
    const statusId = await post(alice, "hello webhooks");
    const reportId = await report(alice, bob);
    await submit(owner, `/admin/reports/${reportId}`, `/admin/reports/${reportId}/assign`);
    await t.runJobs();
    const told = got.map(({ body }) => JSON.parse(body));
    assert.deepEqual(told.map(({ event, object }) => `${event} ${object.id}`).toSorted(), [
      `report.created ${reportId}`,
      `report.updated ${reportId}`,
      `status.created ${statusId}`,
    ]);
    for (const { body, signature } of got) {
      const mac = createHmac("sha256", hook!["secret"]).update(body).digest("hex");
      assert.equal(signature, `sha256=${mac}`);
    }
    status = 500;
    const job = { webhookId: hook!["id"], body: "{}" };
    await assert.rejects(deliverWebhook(t.app, job), /500/);
    const state = async () =>
      (await t.app.sql`SELECT enabled, failures, last_result FROM webhooks`)[0];
    assert.deepEqual({ ...(await state()) }, { enabled: true, failures: 1, last_result: "500" });
    await t.write`UPDATE webhooks SET failures = 199`;
    await assert.rejects(deliverWebhook(t.app, job));
    assert.equal((await state())!["enabled"], false);
    const count = got.length;
    await deliverWebhook(t.app, job);
    await post(alice, "nobody listens");
    await t.runJobs();
    assert.equal(got.length, count);
    await submit(owner, path, `${path}/${hook!["id"]}/enable`);
    await submit(owner, path, `${path}/${hook!["id"]}/secret`);
    assert.doesNotMatch((await owner.get(path)).text, new RegExp(hook!["secret"]));
    await submit(owner, path, `${path}/${hook!["id"]}/delete`);
    assert.equal(await lastAudit(t), "webhook.delete");
  } finally {
    receiver.close();
  }
});
