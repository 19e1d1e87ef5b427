// The names of a server, stored once: other ones are refused with what to set.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { readConfig } from "../config/config.ts";
import { withNames } from "../config/names.ts";
import type { Env } from "../config/parse.ts";
import { keepSiteNames, selectSiteNames } from "./site-names.ts";

let server: TestApp;
before(async () => {
  server = await startTestApp();
});
after(() => server.close());

const keep = (env: Env) => keepSiteNames(server.app.sql, readConfig(env).site);
const first = { LOCAL_DOMAIN: "one.example", WEB_DOMAIN: "web.one.example" };

test("names are stored at the first start, and the same ones are no news", async () => {
  assert.equal(await selectSiteNames(server.app.sql), null);
  await keep(first);
  await keep(first);
  assert.deepEqual(await selectSiteNames(server.app.sql), {
    localDomain: "one.example",
    webDomain: "web.one.example",
    https: true,
  });
});

const refused: [Env, RegExp][] = [
  [{ ...first, LOCAL_DOMAIN: "two.example" }, /server one\.example, .* set LOCAL_DOMAIN=one\.exam/],
  [{ LOCAL_DOMAIN: "one.example" }, /be at one\.example: set WEB_DOMAIN=web\.one\.example, or/],
  [{ ...first, LOCAL_HTTPS: "false" }, /would have http ones: set LOCAL_HTTPS=true, or/],
  [{}, /would be localhost:3000: set LOCAL_DOMAIN=one\.example, or/],
];
for (const [env, words] of refused) {
  test(`refused: ${JSON.stringify(env)}`, () =>
    assert.rejects(keep(env), { name: "Error", message: words }));
}

test("of a server on localhost the port is the name", async () => {
  await server.write`UPDATE site SET local_domain = 'localhost:3000', web_domain = 'localhost:3000', https = false`;
  await keep({});
  await keep({ PORT: "3001", LOCAL_DOMAIN: "localhost:3000" });
  await assert.rejects(keep({ PORT: "3001" }), /would be localhost:3001: start it with PORT=3000/);
});

test("what the settings do not say is taken from the names", () => {
  const names = { localDomain: "one.test", webDomain: "web.one.test", https: false };
  const { localDomain, origin } = readConfig(withNames({}, names)).site;
  assert.deepEqual([localDomain, origin], ["one.test", "http://web.one.test"]);
  const said = { LOCAL_DOMAIN: "two.test", WEB_DOMAIN: "two.test", LOCAL_HTTPS: "true" };
  assert.equal(readConfig(withNames(said, names)).site.origin, "https://two.test");
});
