// Which differences between the responses of both servers have a reason, and which are faults.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compareAnswers } from "./answers.ts";

const emoji = (host: string) => ({
  shortcode: "owl",
  url: `https://${host}/owl.png`,
  static_url: `https://${host}/owl-static.png`,
});

const faults = (path: string, before: unknown, now: unknown): string[] =>
  compareAnswers(path, { status: 200, body: before }, { status: 200, body: now }).map(
    ({ member }) => member,
  );

test("names of groups and addresses of emojis are another, and no fault", () => {
  const notification = (host: string, groupKey: unknown) => ({
    id: "1",
    group_key: groupKey,
    account: { id: "2", emojis: [emoji(host)] },
    status: { id: "3", emojis: [emoji(host)], poll: { id: "4", expired: host !== "old.test" } },
  });
  const path = "/api/v1/notifications?limit=80";
  const before = [notification("old.test", "ungrouped-1")];
  assert.deepEqual(faults(path, before, [notification("new.test", "favourite-3-486")]), []);
  assert.deepEqual(faults(path, before, [notification("new.test", null)]), ["[].group_key"]);
});

test("an emoji that is not there is a fault", () => {
  const before = { id: "1", emojis: [emoji("old.test")] };
  assert.deepEqual(faults("/api/v1/statuses/1", before, { id: "1", emojis: [] }), [".emojis[]#"]);
});
