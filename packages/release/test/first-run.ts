// What somebody does with what they unpacked, on a system that has nothing of it: `node first-run.ts PROGRAM FOLDER`
// starts PROGRAM in the empty FOLDER as an ordinary user, makes the owner by the link, posts, stops it, and starts it
// again. release.test.ts runs it where there is no network.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../../test/browser.ts";
import { freePort } from "../../../test/free-port.ts";
import { eventually } from "../../../test/journeys/eventually.ts";
import { sendRequest } from "../../../test/person.ts";
import type { RequestOptions } from "../../../test/person.ts";

const [program, folder] = process.argv.slice(2) as [string, string];
const port = await freePort();
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const here = join(folder, "here");
const programs = join(folder, "programs");
mkdirSync(here);
if (NOBODY.uid !== undefined) chownSync(here, NOBODY.uid, NOBODY.gid);
// The two that bin/rookery needs; there is no Node among them.
mkdirSync(programs);
for (const name of ["dirname", "readlink"]) symlinkSync(`/usr/bin/${name}`, join(programs, name));

const options = {
  ...NOBODY,
  cwd: here,
  env: { PATH: programs, HOME: "", PORT: String(port), LOG_LEVEL: "warn" },
};

const start = async () => {
  const child = spawn(program, ["start"], options);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk));
  await eventually(
    "the server",
    () => {
      assert.equal(child.exitCode, null, output);
      return output.includes("Rookery is running at");
    },
    120_000,
  );
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 0, output);
  };
  return { output: () => output, stop };
};

const request = (method: string, path: string, init: RequestOptions = {}) =>
  sendRequest(`http://localhost:${port}${path}`, method, init);

const command = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, words, { ...options, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.trim();
};

const first = await start();
assert.equal((await request("GET", "/readyz")).status, 200);
const [link] = await eventually("the link", () => /\/setup\?token=\S+/.exec(first.output()));
const browser = openBrowser({ request });
const form = { username: "olga", email: "olga@example.com", password: "a good long one" };
const answer = await browser.submit(await browser.get(link!), "/setup", form);
assert.equal(answer.status, 302, answer.text);

const token = command("tokens", "create", "olga", "--scopes", "read write").split("\n").at(-1)!;
const multipart = new FormData();
multipart.append("file", new Blob([Buffer.from(PIXEL, "base64")], { type: "image/png" }), "a.png");
// The picture is read by another process.
const media = await request("POST", "/api/v1/media", { token, multipart });
assert.equal(media.status, 200, media.text);
const json = { status: "From a folder", media_ids: [media.json.id] };
const posted = await request("POST", "/api/v1/statuses", { token, json });
assert.equal(posted.status, 200, posted.text);
await first.stop();

const second = await start();
assert.doesNotMatch(second.output(), /\/setup\?token=/);
const { json: status } = await request("GET", `/api/v1/statuses/${posted.json.id}`);
assert.equal(status.content, "<p>From a folder</p>");
assert.equal(status.media_attachments[0].meta.original.size, "1x1");
// A command is named as it can be typed here.
const { stderr } = spawnSync(program, ["backup"], { ...options, encoding: "utf8" });
assert.doesNotMatch(stderr, /npm run/);
await second.stop();
assert.deepEqual(readdirSync(here), ["data"], "nothing else was written");
