// Files of servers to block, as people and other servers write them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readDomainCsv } from "./csv.ts";

test("of a server that is named twice the stricter line counts, whichever is first", () => {
  const head = "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n";
  const lines = [
    "bad.example,suspend,false,false,spam,false",
    "BAD.example,silence,true,false,,false",
  ];
  for (const order of [lines, lines.toReversed()]) {
    const { entries } = readDomainCsv(`${head}${order.join("\n")}\n`);
    assert.deepEqual(
      entries.map(({ domain, severity, reject_media: media }) => [domain, severity, media]),
      [["bad.example", "suspend", true]],
    );
    assert.equal(entries[0]!.public_comment, "spam");
  }
});

test("semicolons of a spreadsheet are read", () => {
  const { entries, refused } = readDomainCsv("#domain;#severity\r\nbad.example;silence\r\n");
  assert.deepEqual(
    [entries.map(({ domain, severity }) => [domain, severity]), refused],
    [[["bad.example", "silence"]], []],
  );
});

test("lines of a file of people are no domains", () => {
  const { entries, refused } = readDomainCsv(
    "Friends,bob@good.example\nbob@good.example\nbad.example\n",
  );
  assert.deepEqual(
    [entries.map(({ domain }) => domain), refused],
    [["bad.example"], ["Friends", "bob@good.example"]],
  );
});
