// Loaded first by the tests that `npm run guards` runs: wraps each guard. One of them is removed (GUARD_OFF), or guards
// that hide something are recorded (GUARD_LOG), with the test that runs.

import { appendFileSync } from "node:fs";
import { beforeEach } from "node:test";

const removed = Number(process.env["GUARD_OFF"] ?? -1);
const log = process.env["GUARD_LOG"];
let running = "before";
beforeEach((context) => {
  running = "name" in context ? String(context.name) : running;
});

const noted = new Set<string>();
const note = (guard: number): void => {
  const line = `${guard}\t${running}\n`;
  if (log === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(log, line);
};

type Sql = (text: TemplateStringsArray) => unknown;

Object.assign(globalThis, {
  guarded(guard: number, judge: () => unknown): unknown {
    if (guard === removed) return true;
    const judged = judge();
    if (judged === false) note(guard);
    return judged;
  },
  guardedSql(guard: number, sql: Sql, condition: () => unknown): unknown {
    if (guard === removed) return sql`true`;
    note(guard);
    return condition();
  },
});
