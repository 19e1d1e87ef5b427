// The logger: JSON lines with ISO times, without secrets.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { createLogger } from "./index.ts";

const collect = (level: string) => {
  const lines: Record<string, any>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { lines, log: createLogger({ level, pretty: false }, { write }) };
};

test("a line is JSON with an ISO time, without the machine's name", () => {
  const { lines, log } = collect("info");
  log.info({ id: "1" }, "here");
  const { time, ...rest } = lines[0]!;
  assert.equal(new Date(time).toISOString(), time);
  assert.deepEqual(rest, { level: 30, id: "1", msg: "here" });
});

test("the level decides, also for children", () => {
  const { lines, log } = collect("warn");
  log.info("no");
  log.child({ part: "x" }).debug("no");
  log.child({ part: "x" }).error("yes");
  assert.deepEqual(
    lines.map((line) => line["msg"]),
    ["yes"],
  );
  const silent = collect("silent");
  silent.log.fatal("no");
  assert.deepEqual(silent.lines, []);
});

test("tokens, cookies and the values in a database error are left out", () => {
  const { lines, log } = collect("info");
  const headers = { authorization: "Bearer s3cret", cookie: "session=s3cret", host: "here" };
  const detail = "Key (email)=(s3cret@x.example) already exists.";
  const error = Object.assign(new Error("duplicate key"), { detail, parameters: ["s3cret"] });
  log.info({ req: { headers } }, "request");
  log.error({ err: error }, "failed");
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/);
  assert.equal(lines[0]!["req"].headers.host, "here");
  assert.match(lines[1]!["err"].stack, /duplicate key/);
});

/** What a process that logs "hello" writes. */
const written = (pretty: boolean): string => {
  const script = `import { createLogger } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    createLogger({ level: "info", pretty: ${pretty} }).info({ id: "7" }, "hello");`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
};

test("standard output gets JSON or readable lines", () => {
  assert.equal(JSON.parse(written(false)).msg, "hello");
  const pretty = written(true);
  assert.match(pretty, /hello/);
  assert.match(pretty, /id.*"7"/);
  assert.throws(() => JSON.parse(pretty));
});
