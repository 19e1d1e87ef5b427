// SQL of archives: their rows, and the ids of their contents.

import type { Db } from "../../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue, valuesOf } from "../../../../platform/db/rows.ts";
import type { Draft } from "../../../posts/statuses/post.ts";
import type { ScheduledDraft } from "../../../posts/statuses/schedule.ts";

export type ArchiveRow = {
  id: string;
  account_id: string;
  state: "waiting" | "done";
  file_key: string | null;
  bytes: string | null;
  created_at: Date;
  finished_at: Date | null;
};

export const insertArchive = (db: Db, accountId: string, now: Date): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO archives (account_id, created_at) VALUES (${accountId}, ${now}) RETURNING id
  `);

export const selectNewestArchive = (db: Db, accountId: string): Promise<ArchiveRow | null> =>
  firstRow(db<ArchiveRow[]>`
    SELECT * FROM archives WHERE account_id = ${accountId} ORDER BY created_at DESC LIMIT 1
  `);

export const selectArchive = (db: Db, id: string): Promise<ArchiveRow | null> =>
  firstRow(db<ArchiveRow[]>`SELECT * FROM archives WHERE id = ${id}`);

/** Returns false when it was deleted or finished meanwhile. */
export const finishArchive = (
  db: Db,
  id: string,
  archive: { key: string; bytes: number; at: Date },
): Promise<boolean> =>
  hasRows(db`
    UPDATE archives SET state = 'done', file_key = ${archive.key}, bytes = ${archive.bytes}, finished_at = ${archive.at}
    WHERE id = ${id} AND state = 'waiting'
  `);

/** Posts, files or addresses of one page. */
export const PAGE = 100;

/** Selects the oldest first. */
export const selectPostIds = (db: Db, accountId: string, after: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses WHERE account_id = ${accountId} AND id > ${after} ORDER BY id LIMIT ${PAGE}
  `);

/** Selects private mentions by others, oldest first, by the index of those. */
export const selectReceivedIds = (db: Db, accountId: string, after: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT m.status_id AS id FROM mentions m
    WHERE m.account_id = ${accountId} AND m.direct AND m.status_id > ${after}
    ORDER BY m.status_id LIMIT ${PAGE}
  `);

/** Selects the addresses of posts that the person marked, newest first. */
export const selectMarked = (
  db: Db,
  table: "favourites" | "bookmarks" | "status_pins",
  accountId: string,
  before: string,
) => db<{ page_id: string; uri: string }[]>`
  SELECT m.id AS page_id, s.uri FROM ${db(table)} m JOIN statuses s ON s.id = m.status_id
  WHERE m.account_id = ${accountId} AND m.id < ${before} ORDER BY m.id DESC LIMIT ${PAGE}
`;

const SIDES = {
  followers: { own: "target_account_id", other: "account_id" },
  following: { own: "account_id", other: "target_account_id" },
} as const;

/** Selects the addresses of actors, newest first. */
export const selectActors = (
  db: Db,
  side: keyof typeof SIDES,
  accountId: string,
  before: string,
) => {
  const { own, other } = SIDES[side];
  return db<{ page_id: string; uri: string }[]>`
    SELECT f.id AS page_id, a.uri FROM follows f JOIN accounts a ON a.id = f.${db(other)}
    WHERE f.${db(own)} = ${accountId} AND f.id < ${before} ORDER BY f.id DESC LIMIT ${PAGE}
  `;
};

export type StoredFileRow = {
  id: string;
  file_key: string;
  type: string;
  media_type: string | null;
  description: string | null;
  /** Written `x,y` as in the API; null where none was chosen. */
  focus: string | null;
  /** Address of the post that contains it; null where it is in none. */
  post: string | null;
  scheduled_id: string | null;
  draft_id: string | null;
  created_at: Date;
};

/** Selects all that the person uploaded, in posts or not, by their ids. */
export const selectFiles = (db: Db, accountId: string, after: string) => db<StoredFileRow[]>`
  SELECT m.id, m.file_key, m.type, m.media_type, m.description,
    (m.meta->'focus'->>'x') || ',' || (m.meta->'focus'->>'y') AS focus, s.uri AS post, m.scheduled_id,
    m.draft_id, m.created_at
  FROM media_attachments m LEFT JOIN statuses s ON s.id = m.status_id
  WHERE m.account_id = ${accountId} AND m.file_key IS NOT NULL AND m.id > ${after}
  ORDER BY m.id LIMIT ${PAGE}
`;

type EditRow = {
  status_id: string;
  id: string;
  post: string;
  text: string;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  poll_options: string[] | null;
  created_at: Date;
};

/** Selects earlier versions of the person's posts, by post; the first one is stored among them. */
export const selectEdits = (
  db: Db,
  accountId: string,
  after: { status_id: string; id: string },
) => db<EditRow[]>`
  SELECT e.status_id, e.id, s.uri AS post, e.text, e.content, e.spoiler_text, e.sensitive,
    e.poll_options, e.created_at
  FROM statuses s JOIN status_edits e ON e.status_id = s.id
  WHERE s.account_id = ${accountId} AND s.edited_at IS NOT NULL
    AND s.id >= ${after.status_id} AND (e.status_id, e.id) > (${after.status_id}, ${after.id})
  ORDER BY e.status_id, e.id LIMIT ${PAGE}
`;

/** `params` are as the person sent them. A person has at most 300. */
export const selectScheduled = (db: Db, accountId: string) => db<
  { id: string; scheduled_at: Date; params: ScheduledDraft; fault: string | null }[]
>`
  SELECT id, scheduled_at, draft AS params, fault FROM scheduled_statuses
  WHERE account_id = ${accountId} ORDER BY scheduled_at, id
`;

type DraftTimes = { scheduled_at: Date | null; created_at: Date; updated_at: Date };

/** Selects drafts as the person sent them; at most 100. */
export const selectDrafts = (db: Db, accountId: string) => db<
  ({ id: string; statuses: Draft[] } & DraftTimes)[]
>`
  SELECT id, statuses, scheduled_at, created_at, updated_at FROM drafts
  WHERE account_id = ${accountId} ORDER BY id
`;

/** Selects collections of accounts with their items; the API bounds both. */
export const selectCollections = (db: Db, accountId: string) => db<Record<string, unknown>[]>`
  SELECT c.name, c.description, c.language, c.tag_display AS tag, c.sensitive, c.discoverable,
    coalesce((SELECT json_agg(a.uri ORDER BY i.id)
      FROM collection_items i JOIN accounts a ON a.id = i.account_id
      WHERE i.collection_id = c.id), '[]') AS accounts
  FROM collections c WHERE c.account_id = ${accountId} ORDER BY c.id
`;

/** Selects groups that a person owns or moderates. */
export const selectGroups = (db: Db, accountId: string) => db<Record<string, unknown>[]>`
  SELECT a.uri, a.username AS name, a.display_name, a.note, a.locked, g.rules, g.holds_posts,
    CASE WHEN g.owner_id = ${accountId} THEN 'owner' ELSE 'moderator' END AS role,
    (SELECT o.uri FROM accounts o WHERE o.id = g.owner_id) AS owner,
    coalesce((SELECT json_agg(m.uri ORDER BY m.id)
      FROM group_moderators x JOIN accounts m ON m.id = x.account_id
      WHERE x.group_id = g.account_id), '[]') AS moderators
  FROM groups g JOIN accounts a ON a.id = g.account_id AND a.suspended_at IS NULL
  WHERE g.account_id IN (
    SELECT account_id FROM groups WHERE owner_id = ${accountId}
    UNION ALL
    SELECT group_id FROM group_moderators WHERE account_id = ${accountId}
  )
  ORDER BY g.account_id
`;

/** Selects a person's settings, with the profile as it was typed; null where the account has no user. */
export const selectSettings = (db: Db, accountId: string) =>
  firstRow(db<Record<string, unknown>[]>`
    SELECT json_build_object(
        'username', a.username, 'display_name', a.display_name, 'note', a.note,
        'fields', (SELECT coalesce(json_agg(json_build_object('name', f->>'name', 'value', f->>'value')), '[]')
          FROM jsonb_array_elements(a.fields) f),
        'actor_type', a.actor_type, 'locked', a.locked, 'discoverable', a.discoverable,
        'indexable', a.indexable, 'hide_collections', a.hide_collections,
        'show_media', a.show_media, 'show_media_replies', a.show_media_replies,
        'show_featured', a.show_featured, 'also_known_as', a.also_known_as,
        'attribution_domains', a.attribution_domains, 'created_at', a.created_at) AS profile,
      u.locale, u.time_zone, u.settings AS preferences,
      (SELECT to_jsonb(p) - 'account_id' FROM notification_policies p
        WHERE p.account_id = a.id) AS notification_policy,
      (SELECT to_jsonb(c) - 'account_id' - 'checked_id' - 'due_at' FROM cleanup_policies c
        WHERE c.account_id = a.id AND c.due_at < 'infinity') AS deletion_of_old_posts,
      coalesce((SELECT json_agg(t.name ORDER BY f.id) FROM featured_tags f JOIN tags t ON t.id = f.tag_id
        WHERE f.account_id = a.id), '[]') AS featured_tags,
      coalesce((SELECT json_agg(o.uri ORDER BY o.id) FROM endorsements e
        JOIN accounts o ON o.id = e.target_account_id WHERE e.account_id = a.id), '[]') AS endorsed
    FROM accounts a JOIN users u ON u.account_id = a.id WHERE a.id = ${accountId}
  `);
