// Rate limits: counted per requester and window; what counts as one address.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../app.ts";
import { TooManyRequests } from "../errors.ts";
import { memoryCounters } from "../kv/memory.ts";
import { headersOf, statusOf } from "./http-error.ts";
import { addressKey, countAttempt, refundAttempt } from "./rate-limit.ts";
import type { Limit } from "./rate-limit.ts";

const LIMIT: Limit = { name: "sign-in", by: "address", count: 3, seconds: 300 };

/** An app whose clock stands still until it is set. */
const appAt = (time: string) => {
  let now = new Date(time);
  const counters = memoryCounters(() => 100_000);
  const app = { counters, clock: { now: () => now } } as unknown as App;
  return { app, setTime: (text: string) => (now = new Date(text)) };
};

const tries = async (app: App, who: string, count: number, limit = LIMIT): Promise<boolean[]> => {
  const outcomes: boolean[] = [];
  for (let n = 0; n < count; n++) {
    const refused = (error: unknown) => {
      assert.ok(error instanceof TooManyRequests);
      return false;
    };
    outcomes.push(await countAttempt(app, limit, who).then(() => true, refused));
  }
  return outcomes;
};

test("allows the limit's number, separately for each requester and limit", async () => {
  const { app } = appAt("2026-01-01T00:01:00Z");
  assert.deepEqual(await tries(app, "a", 5), [true, true, true, false, false]);
  assert.deepEqual(await tries(app, "b", 3), [true, true, true]);
  assert.deepEqual(await tries(app, "a", 1, { ...LIMIT, name: "other" }), [true]);
});

test("the next window starts at zero; the headers say when", async () => {
  const { app, setTime } = appAt("2026-01-01T00:04:59.999Z");
  await tries(app, "a", 3);
  await assert.rejects(countAttempt(app, LIMIT, "a"), (error: TooManyRequests) => {
    assert.equal(statusOf(error), 429);
    assert.deepEqual(headersOf(error), {
      "x-ratelimit-limit": "3",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "2026-01-01T00:05:00.000Z",
      "retry-after": "1",
    });
    return true;
  });
  setTime("2026-01-01T00:05:00Z");
  assert.deepEqual(await tries(app, "a", 4), [true, true, true, false]);
});

test("attempts at the same time are all counted", async () => {
  const { app } = appAt("2026-01-01T00:00:00Z");
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, () => countAttempt(app, LIMIT, "a")),
  );
  assert.equal(all.filter(({ status }) => status === "fulfilled").length, 3);
});

test("an attempt that is given back does not count", async () => {
  const { app } = appAt("2026-01-01T00:00:00Z");
  await tries(app, "a", 2);
  await refundAttempt(app, LIMIT, "a");
  assert.deepEqual(await tries(app, "a", 3), [true, true, false]);
});

test("an address is itself in IPv4, a household's /64 in IPv6", () => {
  assert.equal(addressKey("203.0.113.9"), "203.0.113.9");
  assert.equal(addressKey("::ffff:203.0.113.9"), "203.0.113.9");
  const key = addressKey("2001:db8:1:2:3:4:5:6");
  assert.equal(key, "2001:db8:1:2::/64");
  assert.equal(addressKey("2001:DB8:1:2::9"), key);
  assert.notEqual(addressKey("2001:db8:1:3::9"), key);
  assert.equal(addressKey("2001:db8::1"), "2001:db8:0:0::/64");
  assert.equal(addressKey("fe80::1%eth0"), "fe80:0:0:0::/64");
  assert.equal(addressKey("unknown"), "unknown");
});
