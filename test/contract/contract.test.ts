// Calls every row of the REST API that a person's client may call; those for moderators are in admin.test.ts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { askRows } from "./ask-rows.ts";
import { ACCOUNTS } from "./recipes-accounts.ts";
import { COMMUNITY } from "./recipes-community.ts";
import { LISTS } from "./recipes-lists.ts";
import { MEDIA } from "./recipes-media.ts";
import { NOTIFICATIONS } from "./recipes-notifications.ts";
import { SERVER } from "./recipes-server.ts";
import { STATUSES } from "./recipes-statuses.ts";
import { TRENDS } from "./recipes-trends.ts";
import { ASKED, NOT_CALLED, ROWS } from "./rows.ts";

test("rows that are not asked have an owner", () => {
  const others = ROWS.filter((row) => row.must_answer && !ASKED.includes(row));
  assert.deepEqual(
    others.filter(({ group }) => !(group in NOT_CALLED)),
    [],
  );
});

askRows(
  ASKED.filter(({ auth }) => auth !== "admin"),
  {
    ...ACCOUNTS,
    ...COMMUNITY,
    ...LISTS,
    ...MEDIA,
    ...NOTIFICATIONS,
    ...SERVER,
    ...STATUSES,
    ...TRENDS,
  },
);
