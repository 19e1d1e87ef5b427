import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "./index.ts";
import { createRepeats } from "./repeats.ts";

test("of lines that say the same twenty a minute are written, and the others counted", () => {
  let time = 0;
  const summaries: number[] = [];
  const mayWrite = createRepeats(
    (left) => summaries.push(left),
    () => time,
  );
  const error = new Error("no space left on device");
  const lines = (count: number) =>
    Array.from({ length: count }, () => mayWrite([{ err: error }, "request failed"]));
  assert.equal(lines(1000).filter(Boolean).length, 20);
  assert.equal(mayWrite([{ err: new Error("another one") }, "request failed"]), true);
  assert.deepEqual(summaries, []);
  time = 60_000;
  assert.equal(lines(1)[0], true);
  assert.deepEqual(summaries, [980]);
});

test("however many kinds of lines there are, the memory for them is bounded", () => {
  const mayWrite = createRepeats(
    () => {},
    () => 0,
  );
  const written = Array.from({ length: 10_000 }, (_, n) => mayWrite([`line ${n}`])).filter(Boolean);
  assert.equal(written.length, 520);
});

test("the logger writes what is below a warning as often as it is said", () => {
  const lines: { level: number; msg: string }[] = [];
  const log = createLogger(
    { level: "info", pretty: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  for (let n = 0; n < 50; n++) {
    log.info("hello");
    log.child({ reqId: n }).error({ err: new Error("broken") }, "failed");
  }
  assert.equal(lines.filter(({ msg }) => msg === "hello").length, 50);
  assert.equal(lines.filter(({ msg }) => msg === "failed").length, 20);
});
