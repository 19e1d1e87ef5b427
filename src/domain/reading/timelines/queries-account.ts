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

/** Makes the condition that the status replies to nobody but its author. */
const isThread = (db: Db) => db`(
  s.in_reply_to_id IS NULL OR coalesce(s.in_reply_to_account_id = s.account_id, false)
)`;

const conditions = (db: Db, filter: AccountFilter) => db`
  ${filter.onlyMedia ? db`AND s.has_media` : db``}
  ${filter.excludeReplies ? db`AND ${isThread(db)}` : db``}
  ${filter.excludeReblogs ? db`AND s.reblog_of_id IS NULL` : db``}
  ${filter.excludeDirect ? db`AND NOT ${isDirect(db)}` : db``}
  ${tagged(db, filter.tag)}
`;

/** Makes an array of the ids, which is read first: a join would be looked up for each status of the account. */
const pinnedBy = (db: Db, accountId: string) => db`
  ARRAY(SELECT status_id FROM status_pins WHERE account_id = ${accountId})
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
    ${filter.pinned ? db`AND s.id = ANY(${pinnedBy(db, accountId)})` : db``}
    ${visible(db, accountId, filter.viewer)}
    ${conditions(db, filter)}
    AND ${inPage(db, page, "s.id")}
`;

/** Facts by which pages choose statuses before they are loaded. */
export const KINDS = { reply: 1, reblog: 2, direct: 4, pinned: 8 };

/** Ids, and the kinds of each as a hexadecimal digit. */
export type Newest = { ids: string[]; kinds: string };

/** Selects the newest `limit` statuses of an account of any visibility, newest first, and what it pinned before. */
export const selectNewest = async (db: Db, accountId: string, limit: number): Promise<Newest> => {
  const [row] = await db<Record<"ids" | "kinds", string | null>[]>`
    SELECT string_agg(s.id::text, ',' ORDER BY s.id DESC) AS ids, string_agg(to_hex(
      (NOT ${isThread(db)})::int * ${KINDS.reply}::int
      + (s.reblog_of_id IS NOT NULL)::int * ${KINDS.reblog}::int
      + (${isDirect(db)})::int * ${KINDS.direct}::int
      + (p.id IS NOT NULL)::int * ${KINDS.pinned}::int
    ), '' ORDER BY s.id DESC) AS kinds
    FROM statuses s LEFT JOIN status_pins p ON p.account_id = s.account_id AND p.status_id = s.id
    WHERE s.account_id = ${accountId} AND s.id = ANY(${pinnedBy(db, accountId)} || ARRAY(
      SELECT id FROM statuses WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${limit}
    ))
  `;
  return { ids: row?.ids?.split(",") ?? [], kinds: row?.kinds ?? "" };
};
