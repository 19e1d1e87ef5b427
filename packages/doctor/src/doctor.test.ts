// The doctor's checks of a server that is well, and of one where each thing is wrong.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { startLyingProvider } from "../../../test/lying-provider.ts";
import type { FetchOptions } from "../../../src/platform/fetch/index.ts";
import { PROBE_HEADER, probeToken } from "../../../src/platform/http/probe.ts";
import { createBackup } from "../../backup/src/create.ts";
import { openTarget } from "../../backup/src/place.ts";
import { newKey } from "../../../src/platform/storage/index.ts";
import { insertOutcome } from "../../backup/src/queries-outcomes.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/people/sso/tables.ts";
import { saidOf } from "../../../src/domain/staff/measures/health.ts";
import { textsIn } from "../../../src/platform/text/texts.ts";
import { examine, exitCodeOf } from "./examine.ts";
import type { Result } from "./examine.ts";
import { DEPRECATIONS, isAhead, judgeSettings } from "./versions.ts";

let server: TestApp;
before(async () => {
  server = await startTestApp();
});
after(() => server.close());

const folder = mkdtempSync(join(tmpdir(), "rookery-doctor-"));
after(() => rmSync(folder, { recursive: true }));

const backedUp = (hoursAgo: number, fault: string | null = null, place = "/mnt/usb/") => {
  const time = new Date(server.app.clock.now().getTime() - hoursAgo * 3_600_000);
  const facts = { place, bytes: 1, files: 0, fault };
  return insertOutcome(server.app.sql, { started_at: time, finished_at: time, ...facts });
};

const patient = (app = server.app, unknown = "nowhere.example") => ({
  app,
  databaseUrl: server.databaseUrl,
  lookup: async (name: string) => {
    if (name === unknown) throw new Error("queryA ENOTFOUND");
    return name.endsWith(".social") ? ["10.0.0.1"] : ["127.0.0.1"];
  },
});

const of = (results: Result[], check: string, texts = textsIn("en")): string =>
  results
    .filter((result) => result.check === check)
    .map((result) => `${result.state}: ${saidOf(texts, result).text}`)
    .join("\n");

const adviceOf = (results: Result[], check: string, texts = textsIn("en")): string =>
  results
    .filter((result) => result.check === check)
    .map((result) => saidOf(texts, result).advice)
    .join("\n");

test("a server that is well: no fault, and what a test server lacks is a warning", async () => {
  const place = openTarget(`${folder}/backups/`, server.app.config);
  await createBackup(server.app, server.databaseUrl, place, { passphrase: null });
  await backedUp(3, null, place.shown);
  const results = await examine(patient());
  assert.match(of(results, "database"), /^ok: PostgreSQL 18\.\d+/);
  assert.match(of(results, "disk"), /^ok: /);
  assert.match(of(results, "storage"), /^ok: Files can be stored/);
  assert.match(
    of(results, "backup"),
    /^ok: The latest backup is complete\. It was made on \d+ \w+ \d+/,
  );
  assert.match(of(results, "backup"), /backups\/\.$/);
  assert.match(of(results, "names"), /^ok: 127\.0\.0\.1 leads to 127\.0\.0\.1\.$/);
  assert.match(of(results, "proxy"), /^ok: .* leads to this server\.\nok: WebSockets get through/);
  assert.match(of(results, "federation"), /^ok: Other servers find the accounts/);
  assert.match(of(results, "configuration"), /which other servers can’t reach/);
  assert.match(of(results, "mail"), /^warning: Emails aren’t being sent/);
  assert.deepEqual(
    results.filter(({ state }) => state === "fault"),
    [],
  );
  assert.equal(exitCodeOf(results), 2);
  for (const result of results) {
    const { state } = result;
    const { text, advice } = saidOf(textsIn("en"), result);
    assert.match(text, /^[^\n]+\.$/);
    assert.equal(advice !== undefined, state === "warning" || state === "fault", text);
  }
  assert.deepEqual(await Array.fromAsync(server.app.storage.list()), []);
});

test("each provider of sign-in is asked, and that an owner gets in without one", async () => {
  assert.match(of(await examine(patient(), 30_000, "sso"), "sso"), /^skipped: /);
  const provider = await startLyingProvider();
  const { config } = server.app;
  const app = Object.create(server.app, {
    config: { value: { ...config, sso: { ...config.sso, only: true } } },
  });
  try {
    for (const [name, issuer] of [
      ["City", provider.issuer],
      ["Village", "http://127.0.0.1:1"],
    ] as const) {
      const settings = { ...DEFAULT_SETTINGS, clientId: "rookery", isInside: true };
      await server.write`
        INSERT INTO sso_providers (kind, name, issuer, settings, created_at)
        VALUES ('oidc', ${name}, ${issuer}, ${settings as never}, now())
      `;
    }
    const results = await examine(patient(app), 30_000, "sso");
    assert.match(of(results, "sso"), /^ok: City answers/m);
    assert.match(of(results, "sso"), /^fault: Village can’t sign people in: /m);
    assert.match(of(results, "sso"), /^fault: SSO_ONLY is on, but no owner has a password/m);
    await server.person("keeper", { role: "Owner" });
    assert.doesNotMatch(of(await examine(patient(app), 30_000, "sso"), "sso"), /SSO_ONLY/);
  } finally {
    await provider.close();
    await server.write`DELETE FROM sso_providers`;
  }
});

test("what is wrong is named, with what to do", async () => {
  await backedUp(2, "the disk is full");
  await server.write`
    INSERT INTO remote_hosts (host, failing_since) VALUES ('gone.example', now()), ('peer.example', NULL)
  `;
  const silent = createServer((socket) => socket.end("220 no\r\n554 not today\r\n"));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const { config, fetch } = server.app;
  const site = {
    ...config.site,
    https: true,
    localDomain: "rookery.social",
    webDomain: `127.0.0.1:${port}`,
    origin: "https://web.rookery.social",
    streamingOrigin: `ws://127.0.0.1:${port}`,
  };
  const app = Object.create(server.app, {
    config: {
      value: {
        ...config,
        site,
        disk: { ...config.disk, reserveBytes: Number.MAX_SAFE_INTEGER },
        mail: { ...config.mail, server: "127.0.0.1", port },
        backup: { ...config.backup, to: "/mnt/usb" },
      },
    },
    storage: { value: { ...server.app.storage, put: () => Promise.reject(new Error("EACCES")) } },
    video: { value: null },
    fetch: {
      value: {
        ...fetch,
        // A proxy that passes everything on as it came, and a peer whose clock is right.
        async request(url: string, options?: FetchOptions) {
          if (url.startsWith("https://peer.example/")) {
            const date = new Date(Date.now() - 90_000).toUTCString();
            return { status: 200, headers: { date }, url, body: Buffer.alloc(0) };
          }
          const inside = url.replace(/^https:\/\/[^/]+/, server.url);
          return fetch.request(inside, options);
        },
      },
    },
  });
  const results = await examine(patient(app, "127.0.0.1"));
  silent.close();
  assert.match(of(results, "disk"), /^fault: .*nothing is accepted/);
  assert.match(
    of(results, "storage"),
    /^fault: Files can’t be stored in DATA_DIR\/media: this account isn’t allowed to use it/,
  );
  assert.match(of(results, "ffmpeg"), /^warning: ffmpeg isn’t installed/);
  assert.match(of(results, "backup"), /^fault: The last backup failed: the disk is full/);
  assert.match(of(results, "names"), /fault: 127\.0\.0\.1 leads nowhere: the host was not found/);
  assert.match(
    of(results, "names"),
    /^warning: rookery\.social leads to 10\.0\.0\.1, which nobody/,
  );
  assert.match(of(results, "certificate"), /^fault: 127\.0\.0\.1:\d+ has no TLS that others/);
  assert.match(of(results, "proxy"), /fault: The proxy doesn’t say that requests came by HTTPS/);
  assert.match(of(results, "proxy"), /fault: The proxy passes on the host .* instead of/);
  assert.match(of(results, "proxy"), /fault: Clients can choose the address/);
  assert.match(of(results, "proxy"), /fault: WebSockets don’t get through/);
  assert.match(
    of(results, "federation"),
    /fault: WebFinger at rookery\.social doesn’t lead here: the answer is 404/,
  );
  assert.match(
    adviceOf(results, "federation"),
    /^Redirect https:\/\/rookery\.social\/\.well-known\/webfinger to https:\/\/web\.rookery\.social\/\.well-known/m,
  );
  assert.match(
    of(results, "federation"),
    /ok: Other servers can be reached\. Not responding: 1 of 2/,
  );
  assert.match(of(results, "federation"), /fault: The clock is (?:89|90|91) seconds ahead/);
  assert.match(of(results, "mail"), /^fault: 127\.0\.0\.1:\d+ doesn’t accept emails/);
  assert.equal(exitCodeOf(results), 1);
  const german = textsIn("de");
  assert.match(of(results, "backup", german), /fehlgeschlagen: die Platte ist voll\.$/);
  assert.match(
    of(results, "federation", german),
    /^fault: Die Uhr geht (?:89|90|91) Sekunden vor/m,
  );
  assert.match(of(results, "storage", german), /dieses Konto darf das nicht benutzen/);
  assert.match(adviceOf(results, "disk", german), /rookery media remove|npm run rookery -- media/);
});

test("a former name has to lead here as well", async () => {
  const { app, url } = server;
  const { port } = new URL(url);
  const at = (host: string) => ({
    localDomain: host,
    webDomain: host,
    https: false,
    origin: `http://${host}`,
    until: new Date(),
  });
  app.config.site.former = [at(`localhost:${port}`), at("127.0.0.1:1")];
  const told = of(await examine(patient()), "federation");
  app.config.site.former = [];
  assert.match(told, /ok: localhost:\d+, a former name, leads to this server/);
  assert.match(told, /warning: 127\.0\.0\.1:1, a former name, doesn’t respond: /);
});

test("the newest backup is read, whatever its date says", async () => {
  const { app } = server;
  const stored = newKey("attachments", "png");
  await app.storage.put(stored, Readable.from([Buffer.from("a picture")]));
  const at = `${folder}/read/`;
  const name = await createBackup(app, server.databaseUrl, openTarget(at, app.config), {
    passphrase: null,
  }).then((backup) => backup.name);
  const told = async () => of(await examine(patient()), "backup");
  assert.match(await told(), /^ok: The latest backup is complete/);
  rmSync(`${at}media/${stored}`);
  assert.match(await told(), /^fault: 1 media file is missing in .*\.backup\.$/);
  truncateSync(`${at}${name}`, 1000);
  assert.match(await told(), /^fault: The latest backup can’t be read: .* is damaged/);
  rmSync(at, { recursive: true });
  assert.match(await told(), /^fault: The latest backup can’t be read: There is no complete/);
  const sealed = openTarget(`${folder}/sealed.backup`, app.config);
  await createBackup(app, server.databaseUrl, sealed, { passphrase: "p" });
  assert.match(await told(), /^warning: The latest backup can’t be read: .* is encrypted/);
  await app.storage.delete([stored]);
});

test("what the server sees of a request is told to whoever knows its secret", async () => {
  const { config, clock } = server.app;
  const ask = async (token: string) =>
    (await server.visitor.get("/health", { [PROBE_HEADER]: token })).text;
  const good = probeToken(config, clock.now());
  assert.equal(JSON.parse(await ask(good)).ip, "127.0.0.1");
  assert.equal(await ask(`${good.slice(0, -1)}x`), "OK");
  assert.equal(await ask(good.replace(/.$/, (last) => (last === "0" ? "1" : "0"))), "OK");
  assert.equal(await ask(probeToken(config, new Date(clock.now().getTime() - 61_000))), "OK");
});

test("where handles have the name of the server, nothing is to be redirected to itself", async () => {
  const { config } = server.app;
  const names = { localDomain: "rookery.social", webDomain: "rookery.social" };
  const site = { ...config.site, ...names, origin: "https://rookery.social" };
  const app = Object.create(server.app, {
    config: { value: { ...config, site } },
    fetch: { value: { request: () => Promise.reject(new Error("queryA ENOTFOUND")) } },
  });
  const results = await examine(patient(app));
  assert.match(
    of(results, "federation"),
    /fault: rookery\.social doesn’t answer WebFinger: the host was not found/,
  );
  const advice = adviceOf(results, "federation");
  assert.match(advice, /Make sure https:\/\/rookery\.social leads to this server/);
  assert.doesNotMatch(advice, /Redirect/);
});

test("settings that end are named while they are in use, until their version is there", () => {
  const all = [
    { setting: "OLD_NAME", ends: "99.0.0", instead: "NEW_NAME" },
    { setting: "OTHER_NAME", ends: "99.0.0", instead: "NEW_NAME" },
  ];
  const said = (environment: Record<string, string>): string[] =>
    judgeSettings(all, environment).map((finding) => {
      const { text, advice } = saidOf(textsIn("en"), finding);
      return `${finding.state}: ${text} ${advice ?? ""}`;
    });
  assert.deepEqual(said({ OLD_NAME: "1" }), [
    "warning: OLD_NAME is deprecated and will stop working with version 99.0.0. Set NEW_NAME instead.",
  ]);
  assert.deepEqual(said({}), ["ok: No deprecated setting is in use. "]);
  assert.equal(isAhead(all[0]!), true);
  assert.equal(isAhead(all[0]!, "99.0.0"), false);
  for (const entry of DEPRECATIONS) assert.ok(isAhead(entry), `${entry.setting} has ended`);
});
