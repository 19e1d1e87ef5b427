// SQL of an account's own page: ids of what the viewer probably may see. statuses/rules.ts decides after loading.

import type { Db } from "../../../platform/db/index.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { addressedTo, isDirect } from "../../posts/statuses/fragments.ts";

export type AccountFilter = {
  viewer: Viewer;
  onlyMedia: boolean;
  excludeReplies: boolean;
  excludeReblogs: boolean;
  excludeDirect: boolean;
  /** Folded tag name, or null. */
  tag: string | null;
  pinned: boolean;
};

/** Selects everything for its owner, and for others what is addressed to them. */
const visible = (db: Db, accountId: string, viewer: Viewer) =>
  viewer.kind !== "nobody" && viewer.id === accountId
    ? db``
    : db`AND ${addressedTo(db, viewer, "s", db`${accountId}::bigint`)}`;

const tagged = (db: Db, tag: string | null) =>
  tag === null
    ? db``
    : db`AND EXISTS (
        SELECT FROM statuses_tags st JOIN tags t ON t.id = st.tag_id
        WHERE st.status_id = s.id AND t.name = ${tag}
      )`;

const conditions = (db: Db, filter: AccountFilter) => db`
  ${filter.onlyMedia ? db`AND s.has_media` : db``}
  ${
    filter.excludeReplies
      ? db`AND (s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = s.account_id)`
      : db``
  }
  ${filter.excludeReblogs ? db`AND s.reblog_of_id IS NULL` : db``}
  ${filter.excludeDirect ? db`AND NOT ${isDirect(db)}` : db``}
  ${tagged(db, filter.tag)}
`;

/**
 * Makes the condition with a list of ids, which is read first: a join would be looked up for each status of the
 * account.
 */
const pinnedBy = (db: Db, accountId: string) => db`
  AND s.id = ANY(ARRAY(SELECT status_id FROM status_pins WHERE account_id = ${accountId}))
`;

/** Selects ids of one page, walking statuses_account; pinned ones are ordered by their own time, like the others. */
export const selectAccountStatuses = (
  db: Db,
  accountId: string,
  page: Page,
  filter: AccountFilter,
) => db<{ id: string }[]>`
  SELECT s.id
  FROM statuses s
  WHERE s.account_id = ${accountId}
    ${filter.pinned ? pinnedBy(db, accountId) : db``}
    ${visible(db, accountId, filter.viewer)}
    ${conditions(db, filter)}
    AND ${inPage(db, page, "s.id")}
`;

/** Selects the newest `limit` statuses of an account of any visibility. */
export const selectNewest = async (db: Db, accountId: string, limit: number): Promise<string[]> => {
  const [row] = await db<{ ids: string | null }[]>`
    SELECT string_agg(id::text, ',' ORDER BY id DESC) AS ids FROM (
      SELECT id FROM statuses WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${limit}
    ) newest
  `;
  return row?.ids?.split(",") ?? [];
};
