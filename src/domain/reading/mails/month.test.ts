// When a month begins, as clocks show it somewhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths, isMonth, monthAt, monthText, startOf } from "./month.ts";

const begins = (month: string, zone: string | null) => startOf(month, zone).toISOString();

test("a month begins at midnight of its zone, also where clocks change in it", () => {
  assert.equal(begins("2026-10", null), "2026-10-01T00:00:00.000Z");
  assert.equal(begins("2026-10", "Europe/Berlin"), "2026-09-30T22:00:00.000Z");
  assert.equal(begins("2026-11", "Europe/Berlin"), "2026-10-31T23:00:00.000Z");
  assert.equal(begins("2026-10", "America/Los_Angeles"), "2026-10-01T07:00:00.000Z");
  assert.equal(begins("2026-10", "Pacific/Kiritimati"), "2026-09-30T10:00:00.000Z");
  assert.equal(begins("2026-10", "Asia/Kathmandu"), "2026-09-30T18:15:00.000Z");
  // Clocks go on from 1 October 2023, 00:00 (Asunción).
  assert.equal(begins("2023-10", "America/Asuncion"), "2023-10-01T04:00:00.000Z");
});

test("the month of a moment is that of the zone", () => {
  const at = new Date("2026-10-31T23:30:00.000Z");
  assert.deepEqual(
    [null, "Europe/Berlin", "America/New_York"].map((zone) => monthAt(at, zone)),
    ["2026-10", "2026-11", "2026-10"],
  );
});

test("months are counted over years, named, and recognised", () => {
  assert.deepEqual([addMonths("2026-01", -1), addMonths("2026-11", 2)], ["2025-12", "2027-01"]);
  assert.deepEqual(
    [monthText("2026-10", "en"), monthText("2026-10", "de")],
    ["October 2026", "Oktober 2026"],
  );
  for (const text of ["2026-13", "2026-1", "", "2026-10-01", "0026-10"])
    assert.equal(isMonth(text), false, text);
  assert.equal(isMonth("2026-12"), true);
});
