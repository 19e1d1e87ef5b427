// When push messages and mails wait, in a person's own time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quietUntil } from "./quiet-hours.ts";

const until = (at: string, from: string | null, to: string | null, zone: string | null = null) =>
  quietUntil({ settings: { quiet_from: from, quiet_until: to }, time_zone: zone }, new Date(at))
    ?.toISOString()
    .replace(":00.000Z", "Z") ?? null;

test("within a day, to the minute", () => {
  assert.equal(until("2026-11-24T12:59:59Z", "13:00", "14:30"), null);
  assert.equal(until("2026-11-24T13:00:00Z", "13:00", "14:30"), "2026-11-24T14:30Z");
  assert.equal(until("2026-11-24T14:29:59Z", "13:00", "14:30"), "2026-11-24T14:30Z");
  assert.equal(until("2026-11-24T14:30:00Z", "13:00", "14:30"), null);
});

test("over midnight", () => {
  assert.equal(until("2026-11-24T21:59:00Z", "22:00", "7:00"), null);
  assert.equal(until("2026-11-24T22:00:01Z", "22:00", "7:00"), "2026-11-25T07:00Z");
  assert.equal(until("2026-11-25T00:00:00Z", "22:00", "07:00"), "2026-11-25T07:00Z");
  assert.equal(until("2026-11-25T06:59:00Z", "22:00", "07:00"), "2026-11-25T07:00Z");
  assert.equal(until("2026-11-25T07:00:00Z", "22:00", "07:00"), null);
});

test("in the person's time zone, also one with half an hour", () => {
  assert.equal(
    until("2026-07-24T20:30:00Z", "22:00", "07:00", "Europe/Vienna"),
    "2026-07-25T05:00Z",
  );
  assert.equal(until("2026-11-24T20:30:00Z", "22:00", "07:00", "Europe/Vienna"), null);
  assert.equal(
    until("2026-11-24T18:00:00Z", "23:00", "06:00", "Asia/Kolkata"),
    "2026-11-25T00:30Z",
  );
  assert.equal(until("2026-11-24T18:00:00Z", "23:00", "06:00", "America/New_York"), null);
});

test("not where a time is missing, is none, or both are the same", () => {
  for (const [from, to] of [
    [null, "07:00"],
    ["22:00", null],
    ["", ""],
    ["24:00", "07:00"],
    ["22:60", "07:00"],
    ["00:00", "00:00"],
  ] as const) {
    assert.equal(until("2026-11-24T23:00:00Z", from, to), null);
  }
});
