// Pages of the staff for the network over real HTTP, without scripts: servers, lists of them, sign-ups, trends.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { hiddenFields } from "../../../test/browser.ts";
import { lastAudit, openStaffWorld, post, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let mod: StaffWorld["mod"];
let alice: StaffWorld["alice"];

before(async () => {
  ({ t, owner, mod, alice } = await openStaffWorld());
});
after(() => t.close());

test("servers and sign-ups are blocked and freed", async () => {
  const servers = "/admin/domains";
  await submit(owner, servers, servers, {
    domain: "bad.example",
    severity: "suspend",
    public_comment: "Spam",
  });
  const page = await owner.get(`${servers}?q=sub.bad.example`);
  assert.match(page.text, /bad\.example/);
  assert.equal((await owner.submit(page, servers, { domain: "bad.example" })).status, 422);
  const [block] = await t.app.sql`SELECT id FROM domain_blocks`;
  const update = `${servers}/${block!["id"]}/update`;
  const [first, second] = [await owner.get(servers), await owner.get(servers)];
  assert.equal((await owner.submit(first, update, { severity: "silence" })).status, 302);
  assert.equal((await owner.submit(second, update, { severity: "noop" })).status, 422);
  await submit(owner, servers, `${servers}/${block!["id"]}/delete`);
  assert.equal(await lastAudit(t), "domain_block.delete");
  for (const [path, values] of [
    ["/admin/domains/allowed", { domain: "good.example" }],
    ["/admin/blocks", { ip: "203.0.113.0/24", severity: "no_access", duration: "86400" }],
    ["/admin/blocks/email_providers", { domain: "trash.example", with_approval: "1" }],
    ["/admin/blocks/email_addresses", { email: "x@trash.example" }],
  ] as const) {
    const listed = await submit(owner, path, path, values);
    const remove = new RegExp(`action="(${path}/\\d+/delete)"`).exec(listed.text)![1]!;
    await submit(owner, path, remove);
  }
  assert.equal(
    (await owner.submit(await owner.get("/admin/blocks"), "/admin/blocks", { ip: "x" })).status,
    422,
  );
});

const MANY = Array.from({ length: 51 }, (_, place) => `many${place}.example`);

test("lists of servers are tried, followed, excepted and left", async () => {
  const keeper = createServer((request, response) => {
    const isMany = request.url === "/many";
    const status = isMany || request.url === "/list" ? 200 : 404;
    response.writeHead(status, { "content-type": "text/csv" });
    const names = isMany ? MANY : ["worst.example", "<loud>.example"];
    response.end(`#domain,#severity\n${names.map((name) => `${name},suspend\n`).join("")}`);
  });
  await new Promise<void>((resolve) => keeper.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}/list`;
  const path = "/admin/domains/lists";
  const page = await owner.get(path);
  const tryIt = (values: Record<string, string>) =>
    owner.post(`${path}/try`, { ...hiddenFields(page.text, path), ...values });
  const refused = await tryIt({ url: `${url}s`, title: "Mine" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="url-new-fault">[^<]*responded with 404[^]*value="Mine"/);
  const tried = await tryIt({ url, suspend: "silence", retract: "1" });
  assert.equal(tried.status, 200);
  assert.match(tried.text, /<dt>Would be added<\/dt> ?<dd><strong>1<\/strong> · worst\.example/);
  const many = await tryIt({ url: url.replace("/list", "/many"), suspend: "silence" });
  assert.match(
    many.text.replaceAll(/\s+/g, " "),
    /<dd><strong>51<\/strong> · (?:many\d+\.example, ){49}and many\d+\.example … ?<\/dd>/,
  );
  assert.equal((await t.app.sql`SELECT FROM domain_lists`).length, 0);
  const values = { url, title: "Worst", suspend: "silence", retract: "1" };
  await submit(owner, path, path, values);
  await t.runJobs();
  const [block] = await t.app
    .sql`SELECT severity FROM domain_blocks WHERE domain = 'worst.example'`;
  assert.equal(block!["severity"], "silence");
  assert.match((await owner.get(path)).text, /Worst[^]*1 server ·[^]*worst\.example[^]*added/);
  assert.equal((await owner.submit(await owner.get(path), path, values)).status, 422);
  const [list] = await t.app.sql`SELECT id FROM domain_lists`;
  const update = `${path}/${list!["id"]}/update`;
  await submit(owner, path, update, { suspend: "suspend", retract: "1" });
  await submit(owner, path, `${path}/${list!["id"]}/sync`);
  await t.runJobs();
  assert.match((await owner.get(path)).text, /Limited → Blocked/);
  const excepted = await submit(owner, path, `${path}/exceptions`, { domain: "worst.example" });
  await t.runJobs();
  assert.equal((await t.app.sql`SELECT FROM domain_blocks`).length, 0);
  assert.match(excepted.text, /No list blocks this server/);
  await submit(owner, path, `${path}/exceptions/delete`);
  await submit(owner, path, `${path}/${list!["id"]}/delete`);
  await t.runJobs();
  assert.match((await owner.get(path)).text, /No subscriptions/);
  keeper.close();
});

test("a page of a server says how much of it is known", async () => {
  await t.write`
    INSERT INTO accounts (username, domain, uri, url, inbox_url, public_key)
    VALUES ('far', 'far.example', 'https://far.example/u', '', '', '')`;
  await t.write`
    INSERT INTO follows (id, account_id, target_account_id)
    SELECT 5, ${alice.accountId}, id FROM accounts WHERE domain = 'far.example'`;
  await t.app.sql`
    INSERT INTO peers (host, software, version, checked_at)
    VALUES ('far.example', 'mastodon', '4.5.1', now()), ('www.far.example', NULL, NULL, now())`;
  const looked = await owner.get("/admin/domains?q=far.example");
  assert.match(looked.text, /Nothing is blocked there/);
  assert.match(looked.text, /href="\/admin\/domains\/known\/far\.example"/);
  const page = await owner.get("/admin/domains/known/far.example");
  const known = page.text.replaceAll(/\s+/g, " ");
  assert.match(known, /Software<\/dt> ?<dd>mastodon 4\.5\.1 \(checked /);
  assert.match(known, /Software of www\.far\.example<\/dt> ?<dd>unknown/);
  assert.match(known, /Known accounts<\/dt> ?<dd> ?<a href="[^"]*by_domain=far\.example" ?>1</);
  assert.match(known, /Followed from here<\/dt> ?<dd>1</);
  const [far] = await t.app.sql`SELECT id FROM accounts WHERE domain = 'far.example'`;
  const account = await owner.get(`/admin/accounts/${far!["id"]}`);
  assert.match(account.text, /href="\/admin\/domains\?q=far\.example"/);
  assert.match((await owner.get("/admin/domains?q=a%20b")).text, /Enter a domain/);
});

test("trends are reviewed", async () => {
  await post(alice, "#birds");
  await post(alice, "#birds again");
  const [tag] = await t.app.sql`SELECT id FROM tags WHERE name = 'birds'`;
  const path = "/admin/trends?q=birds";
  await submit(mod, path, `/admin/trends/tags/${tag!["id"]}/approve`);
  assert.equal(await lastAudit(t), "trend.approve");
  assert.match((await mod.get(path)).text, />allowed in trends/);
  await submit(mod, path, `/admin/trends/tags/${tag!["id"]}/change`, {
    flag: "usable",
    value: "false",
  });
  const json = { status: "#birds" };
  assert.equal((await alice.post("/api/v1/statuses", json)).status, 422);
});
