// What postgres prints, and the sentence that the administrator reads.

import assert from "node:assert/strict";
import { test } from "node:test";
import { binariesFault, folderFault, startFault } from "./faults.ts";

const said: [string, RegExp][] = [
  [
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.',
    /^The disk of \/data is full/,
  ],
  ['PANIC:  could not write to file "pg_wal/x": No space left on device', /is full: free some/],
  ['FATAL:  could not open file "global/pg_filenode.map": Permission denied', /fix its owner/],
  ['FATAL:  data directory "/data" has wrong ownership', /fix its owner and permissions/],
  ['FATAL:  could not open file "global/pg_filenode.map": No such file', /is damaged/],
  ["PANIC:  could not locate a valid checkpoint record at 0/1B7", /is damaged/],
  ['FATAL:  lock file "postmaster.pid" already exists', /in use by another PostgreSQL/],
  ["FATAL:  could not map anonymous shared memory: Cannot allocate memory", /not enough memory/],
  ["initdb: error: could not look up effective user ID 1234: user does not exist", /has no name/],
  [
    "LOG:  starting\nFATAL:  a new trouble\nLOG:  shut down",
    /did not start: FATAL: {2}a new trouble/,
  ],
  ["", /did not start: unknown reason/],
];

test("each of postgres's failures becomes one sentence", () => {
  for (const [output, sentence] of said) {
    const { message } = startFault("/data", output);
    assert.match(message, sentence);
    assert.doesNotMatch(message, /\n/);
  }
});

test("a fault of the file system names the path and what to do", () => {
  const fault = (code: string) => folderFault("/data", Object.assign(new Error("x"), { code }));
  for (const code of ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "EIO"]) {
    assert.match(fault(code).message, /\/data.*\.$/);
  }
  assert.equal(fault("EIO").message, "/data cannot be used: x.");
});

test("programs that may not be run and programs that do not work give different sentences", () => {
  const fault = (code: string, output = "") =>
    binariesFault(Object.assign(new Error("spawn"), { code }), output, "/n/bin/postgres").message;
  assert.match(fault("EPERM"), /does not allow switching to another user/);
  assert.match(fault("EACCES"), /in \/n\/bin cannot be executed/);
  assert.match(fault("ENOENT"), /does not work on this system \(spawn\)/);
});
