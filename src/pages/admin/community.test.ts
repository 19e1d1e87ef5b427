// Pages of the staff for the community over real HTTP, without scripts: rules, announcements, emojis, roles.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import { confirm, lastAudit, openStaffWorld, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let alice: StaffWorld["alice"];

before(async () => {
  ({ t, owner, alice } = await openStaffWorld());
});
after(() => t.close());

test("rules are added, changed, moved and removed", async () => {
  const path = "/admin/rules";
  await submit(owner, path, path, { text: "Be kind", hint: "Always" });
  await submit(owner, path, path, { text: "No <spam>" });
  const ids = async () =>
    (await t.visitor.get("/api/v1/instance/rules")).json.map(({ id }: { id: string }) => id);
  const [first, second] = await ids();
  await submit(owner, path, `${path}/${second}/up`);
  assert.deepEqual(await ids(), [second, first]);
  const form = `${path}?edit=${first}`;
  const wrong = { text: " ", hint: "what I meant" };
  const again = await owner.submit(await owner.get(form), `${path}/${first}/update`, wrong);
  assert.equal(again.status, 422);
  assert.match(again.text, /Enter a rule[^]*what I meant/);
  assert.match(
    (await owner.get(form)).text,
    /<a class="button plain" href="\/admin\/rules">Cancel</,
  );
  await submit(owner, form, `${path}/${first}/update`, { text: "Be very kind", hint: "" });
  const page = await submit(owner, path, `${path}/${second}/delete`);
  assert.match(page.text, /1\. Be very kind/);
  assert.equal(await lastAudit(t), "rule.delete");
  const refused = await owner.submit(page, path, { text: " ", hint: "what I wrote" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Enter a rule[^]*what I wrote/);
});

test("announcements are published, changed and removed", async () => {
  const path = "/admin/announcements";
  const list = async () => (await alice.get("/api/v1/announcements")).json;
  await submit(owner, path, path, { text: "Cake at four", starts: "", ends: "", publish: "" });
  const [{ id }] = await list();
  await submit(owner, path, `${path}/${id}/update`, { text: "Cake at five" });
  assert.match((await list())[0].content, /five/);
  const times = { starts: "2031-03-05T16:00", ends: "2031-03-05T18:00" };
  await submit(owner, path, `${path}/${id}/update`, { text: "Cake at five", ...times });
  const page = await owner.get(path);
  assert.match(page.text, /Published <time/);
  assert.match(
    page.text,
    /Event: <time[^>]*>5 Mar 2031, 16:00 UTC<\/time> to <time[^>]*>5 Mar 2031, 18:00 UTC/,
  );
  const home = (await owner.get("/home")).text;
  assert.match(home, /Published (?:<!--.*?-->)?<time/);
  assert.match(home, /<time datetime="2031-03-05T16:00:00.000Z">Wed,? 5 March 2031/i);
  await submit(owner, path, `${path}/${id}/update`, { text: "Cake", ...times, all_day: "1" });
  assert.match((await owner.get(path)).text, /Event: <time[^>]*>5 Mar 2031<\/time> to/);
  assert.equal((await owner.submit(page, path, { text: "x", starts: "never" })).status, 422);
  for (const [field, more] of [
    ["publish", { publish: "2020-03-05T16:00" }],
    ["ends", { ends: "2020-03-05T16:00" }],
  ] as const) {
    const past = await owner.submit(page, path, { text: "Too late", ...more });
    assert.equal(past.status, 422);
    assert.match(past.text, new RegExp(`id="${field}-new-fault"`));
  }
  await submit(owner, path, `${path}/${id}/delete`);
  assert.deepEqual(await list(), []);
  assert.equal(await lastAudit(t), "announcement.delete");
});

test("emojis are uploaded, disabled, sorted and deleted", async () => {
  const path = "/admin/emojis";
  const form_token = hiddenFields((await owner.get(path)).text, path)["form_token"]!;
  const upload = async (file: Blob | null) => {
    const multipart = new FormData();
    multipart.set("form_token", form_token);
    multipart.set("shortcode", ":rook:");
    if (file) multipart.set("file", file, "rook.png");
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return t.visitor.post(path, multipart, { cookie });
  };
  assert.equal((await upload(null)).status, 422);
  assert.equal((await upload(new Blob(["no picture"]))).status, 422);
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#5b3fc4" } })
    .png()
    .toBuffer();
  assert.equal((await upload(new Blob([new Uint8Array(png)]))).status, 302);
  const listed = async () => (await t.visitor.get("/api/v1/custom_emojis")).json.length;
  assert.equal(await listed(), 1);
  const ticked = { emoji_rook: "1" };
  const act = (name: string, more = {}) =>
    submit(owner, path, `${path}/ticked`, { ...ticked, act: name, ...more });
  await act("disable");
  assert.equal(await listed(), 0);
  await act("enable");
  assert.equal(await listed(), 1);
  assert.match((await act("category", { category: "Birds" })).text, /Birds/);
  assert.match((await owner.get(`${path}?in=Birds&state=enabled`)).text, /:rook:/);
  assert.doesNotMatch((await owner.get(`${path}?in=-`)).text, /:rook:/);
  assert.match((await owner.get(`${path}?all=1`)).text, /name="emoji_rook"[^>]* checked/);
  const list = await owner.get(path);
  const none = await owner.submit(list, `${path}/ticked`, { act: "enable" });
  assert.match(none.text, /Select at least one emoji/);
  assert.equal((await owner.submit(list, `${path}/ticked`, { ...ticked, act: "x" })).status, 422);
  await act("delete");
  assert.equal(await listed(), 0);
  assert.equal(await lastAudit(t), "emoji.delete");
});

test("a role keeps what the form does not offer, and everybody what it offers", async () => {
  const path = "/admin/roles";
  await submit(owner, path, path, { name: "Devops", position: "2", may_manage_rules: "1" });
  const bitsOf = async (name: string) => {
    const [role] = await t.app
      .sql`SELECT id, permissions::int AS bits FROM roles WHERE name = ${name}`;
    return role!;
  };
  const { id, bits } = await bitsOf("Devops");
  await t.write`UPDATE roles SET permissions = ${bits | 2} WHERE id = ${id}`;
  const values = { name: "Devops", position: "2", may_manage_blocks: "1" };
  await submit(owner, path, `${path}/${id}/update`, values);
  assert.equal((await bitsOf("Devops"))["bits"], 2 + 128 + 65_536);
  await submit(owner, path, `${path}/everybody`, { may_manage_email_subscriptions: "1" });
  assert.match(
    (await owner.get(path)).text,
    /name="may_manage_email_subscriptions"[^>]* checked[^]*Offer their posts by email/,
  );
});

test("a role that came with an import as an administrator can be changed, and stays one", async () => {
  const path = "/admin/roles";
  const [role] = await t.write`
    INSERT INTO roles (name, permissions, position) VALUES ('Old', 1, 2) RETURNING id
  `;
  const action = `${path}/${role!["id"]}/update`;
  await submit(owner, path, action, { name: "Renamed", position: "2" });
  const [renamed] = await t.app
    .sql`SELECT permissions::int AS bits FROM roles WHERE name = 'Renamed'`;
  assert.equal(renamed!["bits"], 1 + 65_536);
  const keeper = await t.person("keeper");
  await t.write`
    WITH roles_of_keepers AS (
      INSERT INTO roles (name, permissions, position) VALUES ('Keeper', 131072, 5) RETURNING id
    )
    UPDATE users SET role_id = r.id FROM roles_of_keepers r WHERE account_id = ${keeper.accountId}
  `;
  const browser = openBrowser(t);
  await browser.signIn("keeper");
  const values = { name: "Mine", position: "2" };
  const refused = await browser.submit(await browser.get(path), action, values);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /This role has permissions you don’t have/);
});

test("roles are made below one's own alone", async () => {
  const path = "/admin/roles";
  await submit(owner, path, path, {
    name: "Helper",
    color: "#00aa00",
    position: "5",
    may_manage_reports: "1",
    may_manage_roles: "1",
  });
  const [role] = await t.app
    .sql`SELECT id, permissions::int AS bits FROM roles WHERE name = 'Helper'`;
  assert.equal(role!["bits"], 16 + 131_072 + 65_536);
  const helper = await t.person("helper");
  await submit(
    owner,
    `/admin/accounts/${helper.accountId}`,
    `/admin/accounts/${helper.accountId}/role`,
    { role: role!["id"] },
  );
  const browser = openBrowser(t);
  await browser.signIn("helper");
  const page = await browser.get(path);
  const make = async (values: Record<string, string>) =>
    (await browser.submit(page, path, values)).status;
  const same = await browser.submit(page, path, { name: "Same", position: "5" });
  assert.equal(same.status, 403);
  const [, form = ""] = /<details class="add" open>([^]*?)<\/form>/.exec(same.text) ?? [];
  assert.match(form, /value="Same"/);
  assert.match(form, /<input[^>]* aria-describedby="[^"]*position-new-fault"/);
  assert.match(form, /id="position-new-fault">Give this role/);
  const more = await browser.submit(page, path, {
    name: "More",
    position: "1",
    may_manage_users: "1",
  });
  assert.equal(more.status, 403);
  assert.match(
    more.text,
    /<legend>People with this role can<\/legend><p class="fault" id="permissions-new-fault">Give this role/,
  );
  assert.equal(await make({ name: "Less", position: "1", may_manage_reports: "1" }), 302);
  await submit(owner, path, `${path}/everybody`, { may_invite_users: "1" });
  const remove = async () => {
    const action = `${path}/${role!["id"]}/delete`;
    await confirm(owner, await owner.submit(await owner.get(path), action, {}), action);
    const [left] = await t.app.sql`SELECT FROM roles WHERE id = ${role!["id"]}`;
    return left === undefined;
  };
  assert.equal(await remove(), false, "somebody has it");
  await submit(
    owner,
    `/admin/accounts/${helper.accountId}`,
    `/admin/accounts/${helper.accountId}/role`,
    { role: "-99" },
  );
  assert.equal(await remove(), true);
});
