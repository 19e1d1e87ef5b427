// Restore drills of a server with people, posts and files: of a backup that is as it should be, of one whose data do
// not fit together, and one that is interrupted.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, mock, test } from "node:test";
import { formOf, picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { run } from "../../../../src/cli/run.ts";
import { examine } from "../../../doctor/src/examine.ts";
import { saidOf } from "../../../../src/domain/staff/measures/health.ts";
import { textsIn } from "../../../../src/platform/text/texts.ts";
import { seal } from "../../../../src/platform/seal.ts";
import { createBackup } from "../create.ts";
import { openPlace } from "../place.ts";
import { FOLDER_PREFIX } from "./throw-away.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-drills-"));
const temporary = join(folder, "tmp");
let server: TestApp;
let alice: Person;
let bob: Person;

const upload = async (): Promise<string> => {
  const multipart = formOf(await picture("png"));
  const answer = await alice.post("/api/v2/media", multipart);
  await server.runJobs();
  return answer.json.id;
};

const sealTotp = (userId: string): Promise<unknown> => {
  const sealed = seal(
    server.app,
    { what: "rookery totp secrets", owner: userId },
    "JBSWY3DPEHPK3PXP",
  );
  return server.write`
    INSERT INTO totp_secrets (user_id, sealed, confirmed_at) VALUES (${userId}, ${sealed}, now())
  `;
};

before(async () => {
  mkdirSync(temporary);
  server = await startTestApp();
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, {}).ok();
  const media = await upload();
  const first = await alice
    .post("/api/v1/statuses", { status: "a picture", media_ids: [media] })
    .ok();
  const mine = { status: "more of it", in_reply_to_id: first.id };
  await alice.post("/api/v1/statuses", mine).ok();
  const answer = { status: "@alice <nice> & new", in_reply_to_id: first.id };
  const theirs = await bob.post("/api/v1/statuses", answer).ok();
  await bob.post("/api/v1/statuses", { status: "@alice psst", visibility: "direct" }).ok();
  await bob.post("/api/v1/statuses", { status: "quiet", visibility: "private" }).ok();
  const starts_at = new Date(Date.now() + 86_400_000).toISOString();
  for (const status of ["", "come"]) {
    const event = { name: "Ball <& more>", starts_at, place: "Park" };
    await bob.post("/api/v1/statuses", { status, event }).ok();
  }
  await alice.post(`/api/v1/statuses/${theirs.id}/bookmark`, {}).ok();
  await alice.post(`/api/v1/statuses/${theirs.id}/reblog`, {}).ok();
  await sealTotp(alice.userId);
  await server.runJobs();
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without what node keeps of compiled modules. */
const leftovers = () => readdirSync(temporary).filter((name) => name.startsWith("rookery-"));

const backUp = async (name: string): Promise<string> => {
  const place = openPlace(join(folder, name), server.app.config.backup.service);
  await createBackup(server.app, server.databaseUrl, place, { passphrase: null });
  return join(folder, name);
};

const environment = () => ({
  PATH: process.env["PATH"]!,
  TMPDIR: temporary,
  LOCAL_DOMAIN: new URL(server.url).host,
  LOCAL_HTTPS: "false",
  DATA_DIR: server.app.config.dataDir,
  DATABASE_URL: server.databaseUrl,
});

/** What the command prints, and its exit code. */
const drill = async (target: string): Promise<{ code: number; report: any }> => {
  const before = process.env;
  const lines: string[] = [];
  const log = mock.method(console, "log", (text: string) => lines.push(text));
  process.env = environment();
  try {
    await run(["node", "rookery", "restore", target, "--check", "--deep", "--json"]);
    return { code: Number(process.exitCode ?? 0), report: JSON.parse(lines.join("\n")).drill };
  } finally {
    process.exitCode = 0;
    process.env = before;
    log.mock.restore();
  }
};

const doctorSays = async (backupTo: string | null = null): Promise<string> => {
  const { config } = server.app;
  const backup = { ...config.backup, to: backupTo };
  const app = Object.create(server.app, { config: { value: { ...config, backup } } });
  const lookup = async () => ["127.0.0.1"];
  const results = await examine({ app, databaseUrl: server.databaseUrl, lookup });
  const [result] = results.filter(({ check }) => check === "drill");
  return `${result!.state}: ${saidOf(textsIn("en"), result!).text}`;
};

test("a backup that works answers every question, and the doctor knows of it", async () => {
  assert.match(await doctorSays(), /^skipped: /);
  assert.match(await doctorSays("/mnt/"), /^warning: No backup has been restored as a test yet/);
  const target = await backUp("good.backup");
  const { code, report } = await drill(target);
  assert.deepEqual(report.failures, []);
  assert.equal(code, 0);
  // 5 of the server, a code, 7 of each person, the file, and 2 of each of seven posts.
  assert.equal(report.questions, 5 + 1 + 2 * 7 + 1 + 7 * 2);
  assert.equal(report.is_stored, true);
  assert.deepEqual(leftovers(), []);
  assert.match(
    await doctorSays("/mnt/"),
    /^ok: The last restore drill was on .*Questions answered: 35\.$/,
  );
  await server.write`UPDATE restore_drills SET finished_at = now() - interval '91 days'`;
  assert.match(await doctorSays("/mnt/"), /^warning: The last restore drill was on /);
  assert.match(await doctorSays(), /^ok: /);
});

test("what does not fit together fails: files, keys, secrets, addresses", async () => {
  const [file] = await server.app.sql<{ file_key: string }[]>`
    SELECT file_key FROM media_attachments
  `;
  await server.app.storage.delete([file!.file_key]);
  await server.write`
    UPDATE account_keys SET private_key = (
      SELECT private_key FROM account_keys WHERE account_id <> ${alice.accountId} LIMIT 1
    ) WHERE account_id = ${alice.accountId}
  `;
  await server.write`UPDATE totp_secrets SET sealed = decode(repeat('00', 60), 'hex')`;
  await server.write`UPDATE accounts SET uri = uri || '-lost' WHERE id = ${bob.accountId}`;
  const { code, report } = await drill(await backUp("bad.backup"));
  assert.equal(code, 1);
  assert.deepEqual(report.failures.map(({ question }: { question: string }) => question).sort(), [
    `/media/${file!.file_key}`,
    "/users/alice",
    "/users/bob-lost",
    `the authenticator app of user ${alice.userId}`,
  ]);
  assert.match(
    await doctorSays(),
    /^fault: The last restore drill failed, on .* with .*bad.backup/,
  );
  assert.deepEqual(leftovers(), []);
});

test("a drill that is interrupted leaves nothing", async () => {
  const rookery = join(import.meta.dirname, "../../../../bin/rookery.ts");
  const args = [rookery, "restore", join(folder, "good.backup"), "--check", "--deep"];
  const child = spawn(process.execPath, args, { env: environment(), cwd: folder });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const running = () =>
    readdirSync(temporary, { recursive: true, encoding: "utf8" }).some((path) =>
      path.endsWith("postmaster.pid"),
    );
  while (!running()) {
    assert.equal(child.exitCode, null, output);
    await sleep(20);
  }
  assert.ok(leftovers().some((name) => name.startsWith(FOLDER_PREFIX)));
  child.kill("SIGINT");
  await once(child, "exit");
  assert.equal(child.exitCode, 1);
  assert.match(output, /^rookery: The drill was interrupted/);
  assert.deepEqual(leftovers(), []);
});
