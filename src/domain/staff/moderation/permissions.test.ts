// Who may do what: every act of moderators by every role, as a table, and by the rank of its target.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import type { Permission } from "../../base/roles/permissions.ts";
import { createRole, findRole, modifyEveryone } from "../../base/roles/roles.ts";
import { actOnAccount, deleteAccountAs, giveRole } from "./accounts.ts";
import { ACTS, may } from "../../base/roles/acts.ts";

const SCOPES = ["read", "write", "admin:read", "admin:write"];

let server: TestApp;
const people: Record<string, Person> = {};
let subject: Person;

/** A person with a role of their own that has these permissions. */
const custom = async (name: string, permissions: Permission[], position = 5): Promise<Person> => {
  const person = await server.person(name.toLowerCase(), { scopes: SCOPES });
  await createRole(server.app.sql, { name, permissions, position });
  await giveRole(server.app, COMMAND_LINE, person.accountId, await findRole(server.app, name));
  return person;
};

before(async () => {
  server = await startTestApp();
  for (const role of ["Owner", "Admin", "Moderator"] as const) {
    people[role] = await server.person(role === "Moderator" ? "mia" : role.toLowerCase() + "1", {
      role,
      scopes: SCOPES,
    });
  }
  people["Reports"] = await custom("Reports", ["manage_reports"]);
  people["Users"] = await custom("Users", ["manage_users"]);
  people["Blocks"] = await custom("Blocks", ["manage_blocks"]);
  people["Federation"] = await custom("Federation", ["manage_federation"]);
  people["Tags"] = await custom("Tags", ["manage_taxonomies"]);
  people["Figures"] = await custom("Figures", ["view_dashboard"]);
  people["nobody"] = await server.person("nobody1", { scopes: SCOPES });
  subject = await server.person("subject");
});
after(() => server.close());

const UNKNOWN = "109999999999999999";
const own = () => `/api/v1/admin/accounts/${subject.accountId}/action`;
const period = { start_at: "2026-01-01", end_at: "2026-01-02" };

/** One request for each act, and the roles that get further than 403. */
const TABLE: [
  act: string,
  method: string,
  path: string | (() => string),
  json: unknown,
  may: string,
][] = [
  ["list accounts", "GET", "/api/v1/admin/accounts", undefined, "Owner Admin Moderator Users"],
  ["list accounts (v2)", "GET", "/api/v2/admin/accounts", undefined, "Owner Admin Moderator Users"],
  [
    "read an account",
    "GET",
    `/api/v1/admin/accounts/${UNKNOWN}`,
    undefined,
    "Owner Admin Moderator Users",
  ],
  ["warn", "POST", own, { type: "none" }, "Owner Admin Moderator Users Reports"],
  ["mark as sensitive", "POST", own, { type: "sensitive" }, "Owner Admin Moderator Users Reports"],
  ["limit", "POST", own, { type: "silence" }, "Owner Admin Moderator Users Reports"],
  ["disable", "POST", own, { type: "disable" }, "Owner Admin Moderator Users"],
  ["suspend", "POST", own, { type: "suspend" }, "Owner Admin Moderator Users Reports"],
  [
    "delete",
    "DELETE",
    () => `/api/v1/admin/accounts/${subject.accountId}`,
    undefined,
    "Owner Admin",
  ],
  ["list reports", "GET", "/api/v1/admin/reports", undefined, "Owner Admin Moderator Reports"],
  [
    "resolve a report",
    "POST",
    `/api/v1/admin/reports/${UNKNOWN}/resolve`,
    undefined,
    "Owner Admin Moderator Reports",
  ],
  [
    "correct a report",
    "PUT",
    `/api/v1/admin/reports/${UNKNOWN}`,
    {},
    "Owner Admin Moderator Reports",
  ],
  [
    "list blocked servers",
    "GET",
    "/api/v1/admin/domain_blocks",
    undefined,
    "Owner Admin Federation",
  ],
  ["block a server", "POST", "/api/v1/admin/domain_blocks", {}, "Owner Admin Federation"],
  ["change a block", "PUT", `/api/v1/admin/domain_blocks/${UNKNOWN}`, {}, "Owner Admin Federation"],
  [
    "unblock a server",
    "DELETE",
    `/api/v1/admin/domain_blocks/${UNKNOWN}`,
    undefined,
    "Owner Admin Federation",
  ],
  [
    "list allowed servers",
    "GET",
    "/api/v1/admin/domain_allows",
    undefined,
    "Owner Admin Federation",
  ],
  ["allow a server", "POST", "/api/v1/admin/domain_allows", {}, "Owner Admin Federation"],
  [
    "list blocked providers",
    "GET",
    "/api/v1/admin/email_domain_blocks",
    undefined,
    "Owner Admin Blocks",
  ],
  ["block a provider", "POST", "/api/v1/admin/email_domain_blocks", {}, "Owner Admin Blocks"],
  [
    "list blocked addresses",
    "GET",
    "/api/v1/admin/canonical_email_blocks",
    undefined,
    "Owner Admin Blocks",
  ],
  ["block an address", "POST", "/api/v1/admin/canonical_email_blocks", {}, "Owner Admin Blocks"],
  [
    "test an address",
    "POST",
    "/api/v1/admin/canonical_email_blocks/test",
    {},
    "Owner Admin Blocks",
  ],
  ["list blocked networks", "GET", "/api/v1/admin/ip_blocks", undefined, "Owner Admin Blocks"],
  ["list rules against spam", "GET", "/api/v1/admin/spam_rules", undefined, "Owner Admin Blocks"],
  ["add a rule against spam", "POST", "/api/v1/admin/spam_rules", {}, "Owner Admin Blocks"],
  ["list held posts", "GET", "/api/v1/admin/held_posts", undefined, "Owner Admin Blocks"],
  ["block a network", "POST", "/api/v1/admin/ip_blocks", {}, "Owner Admin Blocks"],
  [
    "unblock a network",
    "DELETE",
    `/api/v1/admin/ip_blocks/${UNKNOWN}`,
    undefined,
    "Owner Admin Blocks",
  ],
  [
    "measures",
    "POST",
    "/api/v1/admin/measures",
    { keys: [], ...period },
    "Owner Admin Moderator Figures",
  ],
  ["dimensions", "POST", "/api/v1/admin/dimensions", { keys: [] }, "Owner Admin Moderator Figures"],
  [
    "retention",
    "POST",
    "/api/v1/admin/retention",
    { ...period, frequency: "day" },
    "Owner Admin Moderator Figures",
  ],
  ["list tags", "GET", "/api/v1/admin/tags", undefined, "Owner Admin Moderator Tags"],
  ["change a tag", "PUT", `/api/v1/admin/tags/${UNKNOWN}`, {}, "Owner Admin Moderator Tags"],
  [
    "review a trend",
    "POST",
    `/api/v1/admin/trends/tags/${UNKNOWN}/approve`,
    undefined,
    "Owner Admin Moderator Tags",
  ],
  [
    "list publishers",
    "GET",
    "/api/v1/admin/trends/links/publishers",
    undefined,
    "Owner Admin Moderator Tags",
  ],
];

describe("permissions", () => {
  for (const [act, method, path, json, allowed] of TABLE) {
    test(`who may: ${act}`, async () => {
      const missing: string[] = [];
      for (const [role, person] of Object.entries(people)) {
        const where = typeof path === "string" ? path : path();
        const { status } = await person.send(method, where, json);
        assert.ok(status < 500, `${role}: ${status}`);
        if (status !== 403) missing.push(role);
        // The subject of suspensions and deletions is a fresh one for each role.
        if (act === "delete" && status === 200)
          subject = await server.person(`again${role.toLowerCase()}`);
        if (act === "delete") {
          const owner = people["Owner"]!;
          await owner.post(own(), { type: "suspend" });
        }
      }
      assert.deepEqual(missing.toSorted(), allowed.split(" ").toSorted());
    });
  }

  test("every act of the table of acts takes a permission, and the command line may do all", () => {
    for (const act of Object.keys(ACTS) as (keyof typeof ACTS)[]) {
      assert.ok(may(COMMAND_LINE, act), act);
      assert.ok(!may({ accountId: "1", permissions: 65536, position: 1000 }, act), act);
    }
  });
});

describe("ranks", () => {
  test("nobody acts on those who rank as high or higher, nor on themselves", async () => {
    const ranked = ["Owner", "Admin", "Moderator", "Users"].map((role) => people[role]!);
    const outcome: string[] = [];
    for (const [index, actor] of ranked.entries()) {
      for (const [other, target] of ranked.entries()) {
        const path = `/api/v1/admin/accounts/${target.accountId}/action`;
        const { status } = await actor.post(path, {
          type: "none",
          send_email_notification: false,
        });
        outcome.push(`${index}${status === 200 ? ">" : "x"}${other}`);
      }
    }
    const expected = [0, 1, 2, 3].flatMap((n) =>
      [0, 1, 2, 3].map((other) => `${n}${n < other ? ">" : "x"}${other}`),
    );
    assert.deepEqual(outcome, expected);
  });

  test("a role that is taken away ends its permissions at once", async () => {
    const person = await custom("Short", ["manage_users"]);
    await person.get("/api/v1/admin/accounts").ok();
    const [everyone] = (await server.app.sql`SELECT * FROM roles WHERE id = -99`) as never[];
    await giveRole(server.app, COMMAND_LINE, person.accountId, everyone!);
    assert.equal((await person.get("/api/v1/admin/accounts")).status, 403);
  });

  test("nobody gives a role that ranks as high as their own, or has more permissions", async () => {
    const actor = { accountId: people["Admin"]!.accountId, permissions: 983_036, position: 100 };
    const { accountId } = people["nobody"]!;
    const { app } = server;
    await assert.rejects(
      giveRole(app, actor, accountId, await findRole(app, "Owner")),
      /ranks below yours/,
    );
    await assert.rejects(
      giveRole(app, actor, accountId, await findRole(app, "Admin")),
      /ranks below yours/,
    );
    await giveRole(app, actor, accountId, await findRole(app, "Moderator"));
    await assert.rejects(
      giveRole(app, COMMAND_LINE, people["Owner"]!.accountId, await findRole(app, "Moderator")),
      /only owner/,
    );
    const { accountId: owner } = people["Owner"]!;
    const act = { text: "", reportId: null, mail: false };
    for (const type of ["suspend", "disable"] as const)
      await assert.rejects(
        actOnAccount(app, COMMAND_LINE, owner, { ...act, type }),
        /only owner/,
        type,
      );
    await assert.rejects(deleteAccountAs(app, COMMAND_LINE, owner), /only owner/);
    // An owner who cannot sign in manages nothing.
    const second = await server.person("second", { role: "Owner" });
    await actOnAccount(app, COMMAND_LINE, second.accountId, { ...act, type: "disable" });
    await assert.rejects(deleteAccountAs(app, COMMAND_LINE, owner), /only owner/);
    await deleteAccountAs(app, COMMAND_LINE, second.accountId);
  });

  test("roles show on profiles and to their holder", async () => {
    const owner = people["Owner"]!;
    const shown = await people["nobody"]!.get(`/api/v1/accounts/${owner.accountId}`);
    assert.deepEqual(shown.json.roles, [{ id: "3", name: "Owner", color: "" }]);
    const { json } = await owner.get("/api/v1/accounts/verify_credentials");
    assert.equal(json.role.name, "Owner");
    assert.equal(json.role.permissions, String(2 ** 23 - 1));
  });
});

test("a forbidden hashtag keeps people from posting and editing, and is told again when it may be used", async () => {
  const [tags, writer] = [people["Tags"]!, await server.person("writer")];
  const post = (status: string) => writer.post("/api/v1/statuses", { status });
  const { json } = await post("#Ham is good");
  const id = (await server.app.sql`SELECT id FROM tags WHERE name = 'ham'`)[0]!["id"];
  const set = (usable: boolean) => tags.put(`/api/v1/admin/tags/${id}`, { usable });
  await set(false).ok();
  const refused = await post("more #HAM, #eggs");
  assert.deepEqual(
    [refused.status, refused.json.error],
    [422, "Validation failed: Text contained a disallowed hashtag: HAM"],
  );
  const edit = await writer.put(`/api/v1/statuses/${json.id}`, { status: "#ham again" });
  assert.equal(edit.status, 422);
  await post("#eggs").ok();
  await set(true);
  await post("#ham").ok();
});

test("everybody's role can be kept from inviting, and given nothing that needs trust", async () => {
  const plain = await server.person("plain");
  const bits = async () =>
    (await plain.get("/api/v1/accounts/verify_credentials")).json.role.permissions;
  assert.equal(await bits(), "65536");
  await modifyEveryone(server.app.sql, []);
  assert.equal(await bits(), "0");
  await modifyEveryone(server.app.sql, ["invite_users"]);
  assert.equal(await bits(), "65536");
  await assert.rejects(modifyEveryone(server.app.sql, ["manage_users"]), { meaning: "invalid" });
});
