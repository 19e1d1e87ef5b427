// Times are the same on every machine.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { instantOf } from "./time.ts";

const { TZ } = process.env;
before(() => void (process.env["TZ"] = "America/New_York"));
after(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

test("without a zone it is UTC", () => {
  assert.notEqual(new Date("2030-06-01T12:00").toISOString(), "2030-06-01T12:00:00.000Z");
  for (const text of [
    "2030-06-01T12:00",
    "2030-06-01T12:00:00",
    "2030-06-01T12:00:00.000",
    "2030-06-01 12:00:00",
    "2030-06-01T12:00Z",
    "2030-06-01T14:00+02:00",
    "2030-06-01T08:00:00-04:00",
    "2030-06-01T14:00:00.0+0200",
    "June 1, 2030 12:00",
    "Sat, 01 Jun 2030 12:00:00 GMT",
    "Sat, 01 Jun 2030 08:00:00 EDT",
    "Sat Jun 01 2030 08:00:00 GMT-0400 (Eastern Daylight Time)",
  ]) {
    assert.equal(instantOf(text)?.toISOString(), "2030-06-01T12:00:00.000Z", text);
  }
  for (const text of ["2030-06-01", "2030-6-1", "2030-06"]) {
    assert.equal(instantOf(text)?.toISOString(), "2030-06-01T00:00:00.000Z", text);
  }
});

test("what is no time is none", () => {
  for (const text of ["", " ", "soon", "2030-13-01T00:00", "Z"]) {
    assert.equal(instantOf(text), null, text);
  }
  // JavaScript reads these as days of 2001, and 01/02/2030 as Americans do.
  for (const text of ["0", "3", "+3", "-3", "day 3", "May 3", "noon 2030-01-01", "01/02/2030"]) {
    assert.equal(instantOf(text), null, text);
  }
  // It takes days that a month does not have as those of the next one.
  for (const text of ["2030-02-30", "2030-02-30T10:00", "2030-06-31T10:00:00Z", "2029-2-29"]) {
    assert.equal(instantOf(text), null, text);
  }
  assert.equal(instantOf("2028-02-29T10:00")?.toISOString(), "2028-02-29T10:00:00.000Z");
});
