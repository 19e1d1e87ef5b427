// Where the memory of a process is, by its mappings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, memoryTable, partsOf } from "./memory.ts";

const SMAPS = `00400000-00500000 r-xp 00000000 08:01 12 /usr/bin/node
Rss:                2048 kB
Pss:                1024 kB
01000000-02000000 rw-p 00000000 00:00 0          [heap]
Pss:                2048 kB
7f0000000000-7f0000100000 rw-p 00000000 00:00 0
Pss:                3072 kB
Pss_Dirty:          3072 kB
7f0000200000-7f0000300000 rwxp 00000000 00:00 0
Pss:                4096 kB
7f0000400000-7f0000500000 rw-s 00000000 00:01 5  /dev/zero (deleted)
Pss:                5120 kB
`;

test("each mapping counts once, where it belongs", () => {
  assert.deepEqual(partsOf(SMAPS), {
    "V8 and buffers": 3,
    "machine code": 4,
    "C library": 2,
    programs: 1,
    shared: 5,
  });
});

test("PostgreSQL's processes are named by what they do", () => {
  assert.equal(kindOf("postgres: checkpointer "), "checkpointer");
  assert.equal(kindOf("postgres: rookery rookery [local] idle"), "connection");
  assert.equal(kindOf("postgres: rookery rookery 127.0.0.1(4711) idle"), "connection");
  assert.equal(kindOf("/opt/native/bin/postgres -D data"), "postgres");
});

test("the table has a row for this process and the sum of all", () => {
  const rows = memoryTable([process.pid]).split("\n");
  assert.match(rows[2]!, /^\| node \| \d+ \| \d+\.\d \|/);
  assert.match(rows.at(-1)!, /^\| all \| \d+ \|/);
});
