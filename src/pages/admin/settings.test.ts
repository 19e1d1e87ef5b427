// Settings of the server over real HTTP, without scripts: shown as they are, saved, and refused with a sentence.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { confirm, openStaffWorld, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";
import { isoDate } from "../../platform/ids/index.ts";
import { publishTerms } from "../../domain/about/instance/terms.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { PAGES } from "./settings-topics.ts";
import { setSetting } from "../../domain/base/settings/settings.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let bob: StaffWorld["bob"];

before(async () => {
  ({ t, owner, bob } = await openStaffWorld());
});
after(() => t.close());

test("where people can sign up and no email is sent, the staff are told", async () => {
  const isTold = async (path: string) => /won’t get emails/.test((await owner.get(path)).text);
  for (const [mode, told] of [
    ["closed", false],
    ["open", true],
  ] as const) {
    await setSetting(t.app, "registrations", mode);
    for (const path of ["/admin", "/admin/settings/registrations"]) {
      assert.equal(await isTold(path), told, `${mode} ${path}`);
    }
  }
  await setSetting(t.app, "registrations", null);
});

test("each page of the settings, and each tab of the servers, has a name of its own", async () => {
  const titles = new Map<string, string>();
  for (const path of [
    ...PAGES.map((name) => `/admin/settings/${name}`),
    ...["", "/known", "/allowed", "/lists", "/files", "/relays"].map(
      (tab) => `/admin/domains${tab}`,
    ),
  ]) {
    const { status, text } = await owner.get(path);
    assert.equal(status, 200, path);
    const [, title] = /<title>(.*?) - /.exec(text)!;
    const [, heading] = /<h1[^>]*>(?:<[^>]*>)*([^<]*)/.exec(text)!;
    assert.equal(heading, title, path);
    assert.ok(!titles.has(title!), `${path} is called ${title}, as ${titles.get(title!)}`);
    titles.set(title!, path);
  }
  assert.ok(titles.has("Appearance") && !titles.has("Settings"));
});

test("settings are shown as they are and saved; what is wrong is refused with a sentence", async () => {
  const path = "/admin/settings/general";
  await submit(owner, path, path, { title: "The <Rookery>", contact_email: "us@example.com" });
  const page = await owner.get(path);
  assert.match(page.text, /value="The &lt;Rookery>"/);
  assert.equal((await t.visitor.get("/api/v2/instance")).json.title, "The <Rookery>");
  const { rows } = {
    rows: await t.app.sql`SELECT target_label FROM audit_log WHERE action = 'setting.update'`,
  };
  assert.deepEqual(rows.map((row) => row["target_label"]).toSorted(), ["contact_email", "title"]);
  assert.match(page.text, /Set here\. Default: Rookery/);
  const bare = await owner.submit(page, path, { contact_email: "us@x" });
  assert.match(bare.text, /id="contact_email-fault">Enter an email address, such as/);
  const wrong = await owner.submit(page, path, { status_page_url: "ftp://x", title: "Kept" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /value="Kept"/);
  assert.match(
    wrong.text,
    /id="status_page_url-fault">Enter an address that starts with https:\/\/\./,
  );
  assert.match(
    (await submit(owner, path, path, { reset: "contact_email" })).text,
    /Default restored/,
  );
  assert.equal((await t.visitor.get("/api/v2/instance")).json.contact.email, "");
  const discovery = "/admin/settings/discovery";
  await submit(owner, discovery, discovery, { trends: "1", profile_directory: "1" });
  const changed = await t.app.sql`SELECT name, value FROM settings WHERE name IN ('trends',
    'activity_api', 'profile_directory', 'trendable_by_default') ORDER BY name`;
  assert.deepEqual([...changed], [{ name: "activity_api", value: false }]);
  const signUps = "/admin/settings/registrations";
  const question = await owner.submit(await owner.get(signUps), signUps, {
    registrations: "open",
  });
  assert.match(question.text, /Open sign-ups now\?[^]*SMTP_SERVER isn’t set/);
  assert.equal((await t.visitor.get("/api/v2/instance")).json.registrations.enabled, false);
  await submit(owner, signUps, signUps, { registrations: "open" });
  assert.equal((await t.visitor.get("/api/v2/instance")).json.registrations.enabled, true);
  await submit(owner, "/admin/settings/terms", "/admin/settings/terms", {
    day: isoDate(t.app.clock.now()),
    text: "Be good.",
  });
  assert.match((await t.visitor.get("/terms-of-service")).text, /Be good/);
  await submit(owner, "/admin/settings/texts", "/admin/settings/texts", {
    title: "Rude",
    text: "Please be kind.",
  });
  assert.match((await owner.get(`/admin/accounts/${bob.accountId}`)).text, /<option[^>]*>Rude/);
  const steps = (await owner.get("/admin/first_steps")).text;
  assert.match(steps, /<strong>The &lt;Rookery>/);
  assert.ok(steps.includes(`<code>${t.app.config.dataDir}/mail</code>`));
});

test("what is wrong with options and sets of fields stands beside them, where the page begins", async () => {
  const refusedSet = (text: string, id: string): string =>
    text
      .match(/<fieldset[^]*?<\/fieldset>/g)
      ?.find((set) => set.includes(`aria-describedby="${id}"`) && set.includes(`id="${id}"`)) ?? "";
  const registrations = "/admin/settings/registrations";
  const send = async (path: string, values: Record<string, string>) =>
    owner.submit(await owner.get(path), path, values);
  const unknown = await send(registrations, { registrations: "ajar" });
  assert.equal(unknown.status, 422);
  const radios = refusedSet(unknown.text, "registrations-fault");
  assert.match(radios, /^<fieldset[^>]* role="radiogroup" aria-invalid="true"/);
  assert.match(radios, /<input type="radio"[^>]* autofocus/);
  const spam = "/admin/spam";
  const values = { name: "All", origin: "any", do_hold: "1" };
  const unbounded = await send(spam, values);
  assert.equal(unbounded.status, 422);
  assert.match(refusedSet(unbounded.text, "conditions-fault"), /^<fieldset[^>]* autofocus/);
  const nothing = await send(spam, { ...values, do_hold: "", words: "owls" });
  assert.match(refusedSet(nothing.text, "actions-fault"), /^<fieldset[^>]* autofocus/);
});

test("what cannot be is refused beside its field", async () => {
  const general = "/admin/settings/general";
  const contact = async (contact_account: string) => {
    const answer = await owner.submit(await owner.get(general), general, { contact_account });
    if (answer.status === 422)
      assert.match(answer.text, /id="contact_account-fault">Enter the username of an active/);
    return answer.status;
  };
  await t.person("gone");
  await t.write`UPDATE accounts SET suspended_at = now() WHERE username = 'gone'`;
  for (const name of ["nobody", "gone", "alice@elsewhere.example", "?!"])
    assert.equal(await contact(name), 422, name);
  assert.equal(await contact("@alice"), 302);
  const { account } = (await t.visitor.get("/api/v2/instance")).json.contact;
  assert.equal(account.username, "alice");

  const terms = "/admin/settings/terms";
  const publish = async (day: string, text: string) =>
    owner.submit(await owner.get(terms), terms, { day, text });
  const past = await publish("2020-02-29", "Be good already.");
  assert.equal(past.status, 422);
  assert.match(past.text, /id="day-fault">Enter today’s date or a later one[^]*Be good already\./);
  // Whoever moves here brings versions of the past with the command line; a mistake in one can be corrected.
  await publishTerms(t.app, COMMAND_LINE, "2020-02-29", "Be god.");
  assert.equal((await publish("2020-02-29", "Be good.")).status, 302);
});

test("settings are not saved over what was saved elsewhere since", async () => {
  const path = "/admin/settings/registrations";
  await setSetting(t.app, "registrations", "approved");
  const [first, second] = [await owner.get(path), await owner.get(path)];
  assert.equal((await owner.submit(first, path, { registrations: "closed" })).status, 302);
  const form = { registrations: "approved", min_age: "16" };
  // The question before it keeps what the form showed.
  const late = await confirm(owner, await owner.submit(second, path, form), path);
  assert.equal(late.status, 422);
  assert.match(late.text, /This was saved elsewhere/);
  assert.ok(late.text.includes("Saved now: Nobody"), late.text);
  assert.match((await owner.get(path)).text, /value="closed"[^>]* checked/);
  await setSetting(t.app, "registrations", null);
});
