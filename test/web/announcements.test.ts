// Dismissing an announcement in the client, while answers that still show it are on their way.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Announcement } from "../../web/src/api/entities.ts";
import {
  announcements,
  changeAnnouncement,
  dismissAnnouncement,
} from "../../web/src/store/announcements.ts";

const announcement = (id: string) => ({ id, read: false }) as Announcement;

test("a dismissed announcement stays away, whatever was still on its way", () => {
  changeAnnouncement("1", announcement("1"));
  dismissAnnouncement("1");
  changeAnnouncement("1", announcement("1"));
  assert.equal(announcements.value.get("1"), null);
});

test("an announcement is shown again when its dismissal failed, and others stay as they are", () => {
  changeAnnouncement("2", announcement("2"));
  const showAgain = [dismissAnnouncement("2"), dismissAnnouncement("3")];
  changeAnnouncement("4", announcement("4"));
  for (const show of showAgain) show();
  assert.equal(announcements.value.get("2")?.id, "2");
  assert.equal(announcements.value.has("3"), false);
  assert.equal(announcements.value.get("4")?.id, "4");
  changeAnnouncement("3", announcement("3"));
  assert.equal(announcements.value.get("3")?.id, "3");
});
