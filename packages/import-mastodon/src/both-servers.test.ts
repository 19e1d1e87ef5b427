// What people read on the server that is left and on this one, compared over HTTP.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { startOldApi } from "../test/old-api.ts";
import type { OldApi } from "../test/old-api.ts";
import { ENV_FILE, oldPeople, startOldServer } from "../test/old-server.ts";
import { closeApp, createApp } from "../../../src/app.ts";
import type { App } from "../../../src/platform/app.ts";
import { compareFor } from "./answers.ts";
import { readOldEnv } from "./env.ts";
import { connectOld, moveIn } from "./move-in.ts";
import { openOldMedia } from "./old-media.ts";
import { withBoth } from "./both-servers.ts";

const env = readOldEnv(ENV_FILE);

let server: TestApp;
let app: App;
let drop: () => Promise<void>;

before(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  const old = await startOldServer(database.url);
  // When the answers were recorded.
  const clock = { now: () => new Date("2026-11-23T14:45:30Z") };
  server = await startTestApp({
    databaseUrl: database.url,
    env: { LOCAL_DOMAIN: "old.test", LOCAL_HTTPS: "true", DEFAULT_LOCALE: "en" },
    clock,
    checked: false,
    worker: false,
  });
  const from = await connectOld(old.url);
  const media = openOldMedia(server.app.config, env, old.media);
  await moveIn(server.app, { old: from, env, media });
  await from.end();
  await old.close();
  const { config } = server.app;
  const http = { ...config.http, bind: "127.0.0.1", port: 0 };
  app = createApp({ config: { ...config, http }, databaseUrl: database.url, clock });
});

after(async () => {
  if (app) await closeApp(app);
  await server?.close();
  await drop?.();
});

const compare = (api: OldApi, token: string) =>
  withBoth(app, api.url, (both) => compareFor(token, both));

test("both answer alike, and each is asked by the name that it has in the world", async () => {
  const api = await startOldApi();
  for (const name of ["alice", "g1", "g3"]) {
    const { faults, compared } = await compare(api, oldPeople()[name]!.token);
    assert.deepEqual(faults, []);
    assert.ok(compared > 20, `only ${compared} answers of ${name} were compared`);
  }
  assert.deepEqual([...api.names], ["https://old.test"]);
  api.close();
});

test("what differs is named", async () => {
  const api = await startOldApi((path, body) =>
    path === "/api/v1/lists"
      ? [...body, { id: "9", title: "Lost" }]
      : path.includes("/preferences")
        ? { other: 1 }
        : body,
  );
  const { faults } = await compare(api, oldPeople()["alice"]!.token);
  assert.deepEqual(
    faults.map(({ path, member }) => path.split("?")[0] + member),
    ["/api/v1/preferences.other", "/api/v1/lists[]#"],
  );
  api.close();
});

test("a token that is not taken, and an address that is none, are said", async () => {
  const api = await startOldApi();
  await assert.rejects(compare(api, "none"), /The other server answers 401 to a --token/);
  await assert.rejects(
    withBoth(app, "old.test:3000", async () => {}),
    /--api must be an address/,
  );
  api.close();
  await assert.rejects(compare(api, oldPeople()["alice"]!.token), /does not answer/);
});
