// Terms that the command line publishes: of the past only where that is said, and then without telling anybody.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { enterCommandLine, runCommand } from "../../../test/command-line.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-terms-"));
let t: TestApp;

before(async () => {
  t = await startTestApp({ worker: false });
});
after(async () => {
  await t.close();
  rmSync(folder, { recursive: true });
});

test("a date in the past is refused unless it is meant, and nobody is told of it", async () => {
  const file = join(folder, "terms.txt");
  writeFileSync(file, "Be kind.");
  const leave = enterCommandLine(t);
  const env = { ...process.env };
  leave();
  const publish = async (day: string, ...more: string[]) => {
    const { code, output } = await runCommand(env, ["terms", "publish", day, file, ...more]);
    return `${code} ${output}`;
  };
  assert.match(await publish("2001-05-01"), /^1 rookery: 2001-05-01 is in the past/);
  assert.match(await publish("2001-05-01", "--tell"), /^1 rookery: 2001-05-01 is in the past/);
  assert.match(await publish("2001-05-01", "--tell", "--past"), /^1 rookery: --tell and --past/);
  assert.equal((await t.app.sql`SELECT FROM terms_of_service`).length, 0);
  assert.equal(await publish("2001-05-01", "--past"), "0 OK");
  assert.equal(await publish("2001-05-01"), "0 OK", "a version that is there can be corrected");
  assert.equal(await publish("2999-05-01"), "0 OK");
});
