// Which requests stand in the log of a shared account: what its members do, not what apps do by themselves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLogged } from "./request-log.ts";

const CASES: [method: string, url: string, isThere: boolean][] = [
  ["POST", "/api/v1/statuses", true],
  ["PATCH", "/api/v1/notifications/policy", true],
  ["PUT", "/api/v1/notifications/policy", true],
  ["PATCH", "/api/v2/notifications/policy", true],
  ["POST", "/api/v1/notifications/clear", true],
  ["POST", "/api/v2/notifications/clear", true],
  ["POST", "/api/v1/notifications/requests/accept", true],
  ["POST", "/api/v1/notifications/requests/:id/dismiss", true],
  ["POST", "/api/v1/notifications/:id/dismiss", false],
  ["POST", "/api/v2/notifications/:group_key/dismiss", false],
  ["GET", "/api/v1/notifications/policy", false],
  ["POST", "/api/v1/markers", false],
  ["POST", "/api/v1/push/subscription", false],
  ["POST", "/api/v2/media", false],
  ["POST", "/api/v1/conversations/:id/read", false],
  ["DELETE", "/api/v1/conversations/:id", true],
];

for (const [method, url, isThere] of CASES) {
  test(`${method} ${url} ${isThere ? "is there" : "is not"}`, () => {
    assert.equal(isLogged({ method, url, id: undefined }), isThere);
  });
}
