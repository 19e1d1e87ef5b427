// SQL of the facts that activities are judged by: each query runs once for a whole batch.

import type { Db } from "../../platform/db/index.ts";
import {
  hasUri,
  isCircle,
  mayReplyTo,
  statusesByUri,
  visibilityColumns,
  visibleTo,
} from "../../domain/posts/statuses/fragments.ts";
import type { VisibilityFacts } from "../../domain/posts/statuses/visibility.ts";

/** An address on this server by which somebody means an account, or a post with this id. */
export type Page = {
  address: string;
  username: string | null;
  actorId: string | null;
  id: string | null;
};

/** Selects the stored addresses of accounts and posts here for those of their pages, by keys. */
export const selectPages = (db: Db, pages: Page[]) => db<{ address: string; uri: string }[]>`
  SELECT p.address, coalesce(s.uri, a.uri) AS uri
  FROM unnest(
    ${pages.map(({ address }) => address)}::text[], ${pages.map(({ username }) => username)}::text[],
    ${pages.map(({ actorId }) => actorId)}::bigint[], ${pages.map(({ id }) => id)}::bigint[]
  ) AS p (address, username, actor_id, id)
  CROSS JOIN LATERAL (
    SELECT id, uri FROM accounts
    WHERE username = p.username::citext AND coalesce(domain, '') = ''
    UNION ALL SELECT id, uri FROM accounts WHERE id = p.actor_id AND domain IS NULL
  ) AS a
  LEFT JOIN statuses s
    ON s.id = p.id AND s.local AND s.reblog_of_id IS NULL AND s.account_id = a.id
  WHERE uri_origin(a.uri) = uri_origin(p.address) AND (p.id IS NULL OR s.id IS NOT NULL)
`;

export type KnownActor = {
  id: string;
  uri: string;
  domain: string | null;
  followers_url: string | null;
  featured_url: string | null;
  featured_tags_url: string | null;
  featured_collections_url: string | null;
  username: string;
  suspended: boolean;
  /** True when only its own server suspended it, and nobody here. */
  suspended_remotely: boolean;
};

export const selectActors = (db: Db, uris: string[]) => db<KnownActor[]>`
  SELECT id, uri, domain, username, followers_url, featured_url, featured_tags_url, featured_collections_url,
         suspended_at IS NOT NULL AS suspended, suspended_remotely
  FROM accounts WHERE uri = ANY(${uris})
`;

export type StatusFacts = VisibilityFacts & {
  id: string;
  uri: string;
  account_id: string;
  local: boolean;
  reblog_of_id: string | null;
  conversation_id: string | null;
  created_at: Date;
  /** Policy bits; 0: nobody may quote it. */
  quote_policy: number;
  /** Policy bits: domain/posts/statuses/rules.ts. */
  interaction_policy: number;
  /** Accounts that may reply whatever the policy says, because the post names or replies to them; null: no policy. */
  named: string[] | null;
  /** Accounts of the circle that the post is for; null if it is for no circle. */
  circle: string[] | null;
};

export const selectStatusFacts = (db: Db, uris: string[]) => db<StatusFacts[]>`
  SELECT s.id, s.uri, s.account_id, s.local, ${visibilityColumns(db)}, s.reblog_of_id,
         s.conversation_id, s.created_at, s.quote_policy, s.interaction_policy,
         CASE WHEN s.interaction_policy <> 0 THEN array_append(
           ARRAY(SELECT m.account_id::text FROM mentions m WHERE m.status_id = s.id),
           s.in_reply_to_account_id::text
         ) END AS named,
         CASE WHEN ${isCircle(db)} THEN ARRAY(
           SELECT m.account_id::text FROM mentions m WHERE m.status_id = s.id
         ) END AS circle
  FROM ${statusesByUri(db, uris)}
`;

export const selectEarlyDeletes = (db: Db, uris: string[]) => db<
  { actor_uri: string; uri: string }[]
>`
  SELECT e.actor_uri, e.uri
  FROM unnest(${uris}::text[]) AS w (uri)
  JOIN early_deletes e ON uri_key(e.uri) = uri_key(w.uri) AND e.uri = w.uri
`;

/** Selects those of the accounts that have local followers. */
export const selectWithLocalFollowers = (db: Db, ids: string[]) => db<{ id: string }[]>`
  SELECT t.id FROM unnest(${ids}::bigint[]) AS t (id)
  WHERE EXISTS (SELECT FROM follows f WHERE f.target_account_id = t.id AND f.local)
`;

/** Selects those of the accounts that people here follow, asked to follow, block, mute or have a note about. */
export const selectConcerning = (db: Db, ids: string[]) => db<{ id: string }[]>`
  SELECT t.id FROM unnest(${ids}::bigint[]) AS t (id)
  WHERE EXISTS (SELECT FROM follows f WHERE f.target_account_id = t.id AND f.local)
     OR EXISTS (
       SELECT FROM (
         SELECT account_id FROM follow_requests r WHERE r.target_account_id = t.id
         UNION ALL SELECT account_id FROM blocks b WHERE b.target_account_id = t.id
         UNION ALL SELECT account_id FROM mutes m WHERE m.target_account_id = t.id
         UNION ALL SELECT account_id FROM account_notes n WHERE n.target_account_id = t.id
       ) AS p JOIN accounts a ON a.id = p.account_id AND a.domain IS NULL
     )
`;

/** A status and the actor of an activity about it. */
export type Interaction = { statusId: string; actorId: string };

/**
 * Selects the pairs where the actor may see the status; `may_reply`: its author, of this server, lets the actor reply.
 */
export const selectVisible = (db: Db, interactions: Interaction[]) => db<
  { status_id: string; actor_id: string; may_reply: boolean }[]
>`
  SELECT s.id AS status_id, p.actor_id, ${mayReplyTo(db, db`p.actor_id`)} AS may_reply
  FROM unnest(
    ${interactions.map(({ statusId }) => statusId)}::bigint[], ${interactions.map(({ actorId }) => actorId)}::bigint[]
  ) AS p (status_id, actor_id)
  JOIN statuses s ON s.id = p.status_id
  WHERE ${visibleTo(db, { kind: "actor", id: db`p.actor_id` })}
`;

/** A stored activity: who did what, to which account or status; `answer` is one to a calendar event. */
export type KnownActivity = {
  kind: "follow" | "like" | "block" | "answer";
  uri: string;
  account_id: string;
  target_id: string;
};

/**
 * Selects the favourites, follows, requests, answers to calendar events and blocks with these addresses; blocks only by
 * `accountIds`.
 */
export const selectKnownActivities = (db: Db, uris: string[], accountIds: string[]) => db<
  KnownActivity[]
>`
  SELECT 'follow' AS kind, uri, account_id, target_account_id AS target_id
  FROM follows WHERE uri = ANY(${uris})
  UNION ALL
  SELECT 'follow', uri, account_id, target_account_id FROM follow_requests WHERE uri = ANY(${uris})
  UNION ALL
  SELECT 'like', uri, account_id, status_id FROM favourites WHERE uri = ANY(${uris})
  UNION ALL
  SELECT 'like', r.uri, f.account_id, f.status_id
  FROM further_reactions r JOIN favourites f ON f.id = r.favourite_id WHERE r.uri = ANY(${uris})
  UNION ALL
  SELECT 'answer', uri, account_id, status_id FROM event_answers WHERE uri = ANY(${uris})
  UNION ALL
  SELECT 'block', uri, account_id, target_account_id FROM blocks
  WHERE account_id = ANY(${accountIds}::bigint[]) AND uri = ANY(${uris})
`;

type KnownReblog = { id: string; actor_id: string; status_uri: string };

export const selectReblogs = (db: Db, interactions: { actorId: string; statusUri: string }[]) => db<
  KnownReblog[]
>`
  SELECT r.id, r.account_id AS actor_id, s.uri AS status_uri
  FROM unnest(
    ${interactions.map(({ actorId }) => actorId)}::bigint[], ${interactions.map(({ statusUri }) => statusUri)}::text[]
  ) AS p (actor_id, uri)
  JOIN statuses s ON ${hasUri(db, db`p.uri`)}
  JOIN statuses r ON r.reblog_of_id = s.id AND r.account_id = p.actor_id
`;

type AuthorizedQuote = { uri: string; author_id: string; status_id: string };

/** Selects the quotes that these authorizations allow, each with the quoted author. */
export const selectAuthorized = (db: Db, uris: string[]) => db<AuthorizedQuote[]>`
  SELECT approval_uri AS uri, quoted_account_id AS author_id, status_id
  FROM quotes WHERE approval_uri = ANY(${uris}) AND quoted_account_id IS NOT NULL
`;

export type CollectionFacts = { id: string; uri: string; account_id: string };

/** Selects collections of other servers. */
export const selectCollectionFacts = (db: Db, uris: string[]) => db<CollectionFacts[]>`
  SELECT id, uri, account_id FROM collections WHERE uri = ANY(${uris})
`;

/** Selects the items that these consents allow. */
export const selectFeatured = (db: Db, uris: string[]) => db<
  { id: string; uri: string; account_id: string }[]
>`
  SELECT id, approval_uri AS uri, account_id FROM collection_items
  WHERE approval_uri = ANY(${uris}) AND account_id IS NOT NULL
`;
