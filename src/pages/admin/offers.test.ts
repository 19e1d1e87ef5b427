// What the staff's pages offer: whoever may do one kind of act finds no link that is refused.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import { makeWholeVillage } from "../../../test/browser/pages.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { FOR_EVERYBODY, PERMISSIONS } from "../../domain/base/roles/permissions.ts";
import { ACTS } from "../../domain/base/roles/acts.ts";
import type { Permission } from "../../domain/base/roles/permissions.ts";

/** Links to pages of the staff: of those that are one of many, the first. */
const linksIn = (html: string): string[] => {
  const links = [...html.matchAll(/<a [^>]*href="(\/admin[^"#]*)"/g)].map(([, path]) =>
    path!.replaceAll("&amp;", "&"),
  );
  const kinds = Map.groupBy(links, (path) => path.replaceAll(/\d+/g, "0").replace(/\?.*/, ""));
  return [...kinds.values()].map(([first]) => first!);
};

describe("with one permission", () => {
  let t: TestApp;

  before(async () => {
    t = await startTestApp();
    await makeWholeVillage(t);
  });
  after(() => t.close());

  for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
    if (permission === "administrator" || FOR_EVERYBODY.some((each) => each === permission))
      continue;
    test(permission, async () => {
      const name = permission.replaceAll("_", "");
      const person = await t.person(name);
      const [role] = await t.write`
        INSERT INTO roles (name, permissions, position)
        VALUES (${permission}, ${PERMISSIONS[permission]}, 50) RETURNING id`;
      await t.write`UPDATE users SET role_id = ${role!["id"]} WHERE id = ${person.userId}`;
      const browser = openBrowser(t);
      await browser.signIn(name);
      const refused: string[] = [];
      const seen = new Set(["/home"]);
      const wanted: [path: string, from: string][] = linksIn((await browser.get("/home")).text).map(
        (path) => [path, "/home"],
      );
      for (const [path, from] of wanted) {
        const kind = path.replaceAll(/\d+/g, "0").replace(/\?.*/, "");
        if (seen.has(kind)) continue;
        seen.add(kind);
        const { status, text } = await browser.get(path);
        if (status >= 400) refused.push(`${from} -> ${path}: ${status}`);
        else wanted.push(...linksIn(text).map((next) => [next, path] as [string, string]));
      }
      assert.deepEqual(refused, []);
      const opens = Object.values(ACTS).some(({ needs }) =>
        needs.some((one) => one === permission),
      );
      assert.equal(seen.has("/admin"), opens, "the client offers the pages to whom they are open");
    });
  }
});
