// Imports what people arranged for themselves: lists, filters, tags, reading positions, notifications, scheduled posts.

import { instantOf, GROUPED_TYPES } from "./uses.ts";
import type { NotificationType } from "./uses.ts";
import { named, copied, rowByRow } from "./step.ts";
import type { Row, Step } from "./step.ts";

const lists: Step = {
  name: "lists",
  from: "lists",
  sweeps: "lists",
  convert: copied("lists", "id account_id title exclusive created_at", (row) => ({
    replies_policy: named({ 0: "list", 1: "followed", 2: "none" }, row.replies_policy, "list"),
  })),
};

const members: Step = {
  name: "members of lists",
  counts: "list_accounts",
  from: "list_accounts",
  changed: null,
  extra: {
    owner_id: "SELECT l.account_id FROM lists l WHERE l.id = o.list_id",
    exclusive: "SELECT l.exclusive FROM lists l WHERE l.id = o.list_id",
  },
  convert: (rows, { pass }) => ({
    forget: [
      {
        table: "list_accounts",
        column: "list_id",
        ids: pass > 1 ? rows.map((row) => row.list_id) : [],
      },
    ],
    into: {
      list_accounts: rows.map((row) => ({
        list_id: row.list_id,
        account_id: row.account_id,
        owner_id: row.owner_id,
        exclusive: row.exclusive,
      })),
    },
  }),
};

const filters: Step = {
  name: "filters",
  from: "custom_filters",
  sweeps: "filters",
  convert: copied("filters", "id account_id context expires_at created_at", (row) => ({
    title: row.phrase,
    action: named({ 0: "warn", 1: "hide", 2: "blur" }, row.action, "warn"),
  })),
};

const keywords: Step = {
  name: "words of filters",
  from: "custom_filter_keywords",
  sweeps: "filter_keywords",
  convert: copied("filter_keywords", "id keyword whole_word", (row) => ({
    filter_id: row.custom_filter_id,
  })),
};

const filtered: Step = {
  name: "posts of filters",
  from: "custom_filter_statuses",
  sweeps: "filter_statuses",
  convert: rowByRow("filter_statuses", (row) => ({
    id: row.id,
    filter_id: row.custom_filter_id,
    status_id: row.status_id,
  })),
};

const tagFollows: Step = {
  name: "followed tags",
  from: "tag_follows",
  sweeps: "tag_follows",
  convert: copied("tag_follows", "id account_id tag_id created_at"),
};

const featuredTags: Step = {
  name: "featured tags",
  from: "featured_tags",
  sweeps: "featured_tags",
  extra: { tag: "SELECT coalesce(t.display_name, t.name) FROM tags t WHERE t.id = o.tag_id" },
  convert: copied("featured_tags", "id account_id tag_id created_at", (row) => ({
    name: row.name ?? row.tag,
  })),
};

const markers: Step = {
  name: "how far people read",
  counts: "markers",
  from: "markers",
  where: "o.user_id IS NOT NULL AND o.timeline IN ('home', 'notifications')",
  convert: copied("markers", "user_id timeline last_read_id updated_at", (row) => ({
    version: row.lock_version,
  })),
};

const policy = (value: unknown): string =>
  named({ 0: "accept", 1: "filter", 2: "drop" }, value, "accept");

const policies: Step = {
  name: "policies of notifications",
  from: "notification_policies",
  convert: rowByRow("notification_policies", (row) => ({
    account_id: row.account_id,
    for_not_following: policy(row.for_not_following),
    for_not_followers: policy(row.for_not_followers),
    for_new_accounts: policy(row.for_new_accounts),
    for_private_mentions: policy(row.for_private_mentions),
    for_limited_accounts: policy(row.for_limited_accounts),
    for_bots: policy(row.for_bots),
  })),
};

const permissions: Step = {
  name: "permitted notifications",
  counts: "notification_permissions",
  from: "notification_permissions",
  convert: copied("notification_permissions", "account_id from_account_id created_at"),
};

/** Requests come before the notifications, which are then counted into them. */
const requests: Step = {
  name: "requests of notifications",
  from: "notification_requests",
  convert: (rows) => ({
    keep: ["notification_requests"],
    into: {
      notification_requests: rows.map((row) => ({
        id: row.id,
        account_id: row.account_id,
        from_account_id: row.from_account_id,
        count: 0,
        created_at: row.created_at,
        updated_at: row.updated_at,
      })),
    },
  }),
};

/** Types of rows that are older than the column. */
const BY_ACTIVITY: Record<string, NotificationType> = {
  Mention: "mention",
  Status: "reblog",
  Follow: "follow",
  FollowRequest: "follow_request",
  Favourite: "favourite",
  Poll: "poll",
};

const WITH_STATUS: NotificationType[] = [
  "mention",
  "status",
  "reblog",
  "favourite",
  "poll",
  "update",
  "quote",
  "quoted_update",
];
const WITH_SUBJECT: NotificationType[] = [
  "admin.report",
  "moderation_warning",
  "severed_relationships",
];
const ALONE: NotificationType[] = ["follow", "follow_request", "admin.sign_up"];

const HALF_A_DAY_MS = 12 * 3_600_000;

const groupOf = (row: Row, type: NotificationType): string | null => {
  if (!GROUPED_TYPES.includes(type)) return null;
  const slot = Math.floor(instantOf(row.created_at)!.getTime() / HALF_A_DAY_MS) * 12;
  return row.group_key ?? [type, ...(row.status_id ? [row.status_id] : []), slot].join("-");
};

const notifications: Step = {
  name: "notifications",
  from: "notifications",
  sweeps: "notifications",
  extra: {
    status_id: `CASE o.activity_type
      WHEN 'Mention' THEN (SELECT m.status_id FROM mentions m WHERE m.id = o.activity_id)
      WHEN 'Status' THEN (SELECT coalesce(s.reblog_of_id, s.id) FROM statuses s WHERE s.id = o.activity_id)
      WHEN 'Favourite' THEN (SELECT f.status_id FROM favourites f WHERE f.id = o.activity_id)
      WHEN 'Poll' THEN (SELECT p.status_id FROM polls p WHERE p.id = o.activity_id)
    END`,
    subject_id: `CASE o.activity_type
      WHEN 'AccountRelationshipSeveranceEvent' THEN (SELECT e.relationship_severance_event_id
        FROM account_relationship_severance_events e WHERE e.id = o.activity_id)
      ELSE o.activity_id
    END`,
  },
  extraOf: {
    quotes: {
      quoting_id: `CASE WHEN o.activity_type = 'Quote'
        THEN (SELECT q.status_id FROM quotes q WHERE q.id = o.activity_id) END`,
    },
  },
  convert: rowByRow("notifications", (all) => {
    const row = { ...all, status_id: all.status_id ?? all.quoting_id ?? null } as Row;
    const type: NotificationType = row.type ?? BY_ACTIVITY[row.activity_type];
    const [about, has] = [
      row.status_id !== null,
      (types: NotificationType[]) => types.includes(type),
    ];
    if (!(has(WITH_STATUS) && about) && !has(WITH_SUBJECT) && !has(ALONE)) return null;
    return {
      id: row.id,
      account_id: row.account_id,
      from_account_id: row.from_account_id,
      type,
      status_id: has(WITH_STATUS) ? row.status_id : null,
      subject_id: has(WITH_SUBJECT) ? row.subject_id : null,
      group_key: groupOf(row, type),
      filtered: row.filtered,
      created_at: row.created_at,
    };
  }),
};

/** Parses JSON with large numbers, which are ids, as strings. */
const parseIds = (json: string): Row =>
  JSON.parse(json.replace(/([:[,]\s*)(\d{16,})(?=\s*[,\]}])/g, '$1"$2"'));

const draftOf = (params: Row): Row => ({
  status: params.text,
  spoiler_text: params.spoiler_text ?? null,
  visibility: params.visibility ?? null,
  sensitive: params.sensitive ?? null,
  language: params.language ?? null,
  in_reply_to_id:
    params.in_reply_to_id === null ? null : String(params.in_reply_to_id ?? "") || null,
  allowed_mentions: params.allowed_mentions ?? null,
  media_ids: params.media_ids?.map(String) ?? null,
  poll: params.poll ?? null,
});

const scheduled: Step = {
  name: "scheduled posts",
  from: "scheduled_statuses",
  sweeps: "scheduled_statuses",
  changed: null,
  where: "o.account_id IS NOT NULL AND o.scheduled_at IS NOT NULL",
  convert: rowByRow("scheduled_statuses", (row) => {
    const params = parseIds(row.params ?? "{}");
    return {
      id: row.id,
      account_id: row.account_id,
      scheduled_at: row.scheduled_at,
      draft: draftOf(params),
      app_id: params.application_id ?? null,
      idempotency_key: params.idempotency ?? null,
    };
  }),
};

const DAY_S = 86_400;

const cleanup: Step = {
  name: "own old posts to be deleted",
  from: "account_statuses_cleanup_policies",
  where: "o.enabled",
  convert: copied(
    "cleanup_policies",
    "account_id keep_pinned keep_direct keep_polls keep_media min_reblogs",
    (row) => ({
      min_days: Math.max(1, Math.round(row.min_status_age / DAY_S)),
      keep_favourited: row.keep_self_fav,
      keep_bookmarked: row.keep_self_bookmark,
      min_favourites: row.min_favs,
      due_at: new Date(),
    }),
  ),
};

/** These steps come before the files, some of which belong to scheduled posts. */
export const SCHEDULED_STEPS: Step[] = [scheduled];

export const PERSONAL_STEPS: Step[] = [
  lists,
  members,
  filters,
  keywords,
  filtered,
  tagFollows,
  featuredTags,
  markers,
  policies,
  permissions,
  requests,
  notifications,
  cleanup,
];
