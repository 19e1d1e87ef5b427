// Imports what versions after 4.3 added: quotes and quote policies, collections of accounts, terms of service, blocked
// names.

import { authorizationUri, joinPolicy, QUOTERS, richText, plainText } from "./uses.ts";
import { actorUri } from "./actor-uri.ts";
import { named, copied, rowByRow } from "./step.ts";
import type { Context, Row, Step } from "./step.ts";

/** Groups that a policy allows, in the order of their bits there. */
const GROUPS = [QUOTERS.unsupported, QUOTERS.public, QUOTERS.followers, QUOTERS.following];

const bitsOf = (flags: number): number =>
  GROUPS.reduce((bits, group, n) => ((flags & (1 << n)) === 0 ? bits : bits | group), 0);

const MANUAL = 0xffff;
const AUTOMATIC_SHIFT = 16;

/** Returns who may do something at once, and who after asking; a version without policies has undefined flags. */
export const policyOf = (flags: unknown): number => {
  const number = Number(flags ?? 0);
  return joinPolicy(bitsOf(number >>> AUTOMATIC_SHIFT), bitsOf(number & MANUAL));
};

/** Returns the policy of a remote account; null if nothing is known of it. */
export const featurePolicy = (row: Row): number | null =>
  row.feature_approval_policy ? policyOf(row.feature_approval_policy) : null;

const QUOTE_STATES = { 0: "pending", 1: "accepted", 2: "rejected", 3: "revoked" };

type Author = { id: string; username: string; scheme: string | null };

/**
 * Returns the address of an authorization; for local ones it is derived from the number, since it is not stored there.
 */
const approvalOf = (row: Row, { origin }: Context): string | null => {
  if (!row.quoted_author) return row.approval_uri || null;
  const author = actorUri(origin, JSON.parse(row.quoted_author) as Author);
  return row.state === 1 ? authorizationUri("quote", author, row.id) : null;
};

const quotes: Step = {
  name: "quotes",
  from: "quotes",
  sweeps: "quotes",
  where: "o.quoted_status_id IS NOT NULL",
  extra: {
    quoted_uri: "SELECT s.uri FROM statuses s WHERE s.id = o.quoted_status_id",
    quoted_author: `SELECT json_build_object('id', a.id::text, 'username', a.username,
        'scheme', to_jsonb(a) ->> 'id_scheme')::text
      FROM accounts a WHERE a.id = o.quoted_account_id AND a.domain IS NULL`,
  },
  convert: rowByRow("quotes", (row, context) =>
    row.quoted_uri
      ? {
          id: row.id,
          status_id: row.status_id,
          account_id: row.account_id,
          quoted_status_id: row.quoted_status_id,
          quoted_account_id: row.quoted_account_id,
          quoted_uri: row.quoted_uri,
          state: named(QUOTE_STATES, row.state, "rejected"),
          legacy: row.legacy ?? false,
          approval_uri: approvalOf(row, context),
          created_at: row.created_at,
        }
      : null,
  ),
};

/** Returns the addresses of a remote collection, and when it was read. */
const originOf = (row: Row) =>
  row.local
    ? { uri: null, url: null, fetched_at: null }
    : { uri: row.uri, url: row.url ?? null, fetched_at: row.updated_at };

const collections: Step = {
  name: "collections",
  from: "collections",
  sweeps: "collections",
  where: "o.local OR o.uri IS NOT NULL",
  extra: {
    tag: "SELECT t.name FROM tags t WHERE t.id = o.tag_id",
    tag_display: "SELECT coalesce(t.display_name, t.name) FROM tags t WHERE t.id = o.tag_id",
  },
  convert: copied(
    "collections",
    `id account_id name tag_display sensitive discoverable created_at updated_at`,
    (row) => ({
      description: row.description || plainText(row.description_html ?? ""),
      language: row.language ?? null,
      tag_name: row.tag,
      ...originOf(row),
    }),
  ),
};

const ITEM_STATES = { 0: "pending", 1: "accepted" };

const items: Step = {
  name: "members of collections",
  from: "collection_items",
  sweeps: "collection_items",
  where: "o.account_id IS NOT NULL OR o.object_uri IS NOT NULL",
  extra: { local: "SELECT c.local FROM collections c WHERE c.id = o.collection_id" },
  convert: copied("collection_items", "id collection_id account_id created_at", (row) => ({
    state: named(ITEM_STATES, row.state, "revoked"),
    uri: row.local ? null : (row.uri ?? null),
    object_uri: row.object_uri ?? null,
    approval_uri: row.approval_uri ?? null,
  })),
};

const terms: Step = {
  name: "terms of service",
  from: "terms_of_services",
  sweeps: "terms_of_service",
  where: "o.published_at IS NOT NULL",
  extra: { day: "coalesce(to_jsonb(o) ->> 'effective_date', o.published_at::date::text)" },
  convert: rowByRow("terms_of_service", (row, { app }) => ({
    id: row.id,
    effective_date: row.day,
    content: richText(app, row.text),
    created_at: row.created_at,
  })),
};

/** Imports blocked names, which are a setting here; they are few, and each pass writes them all. */
const names: Step = {
  name: "blocked names",
  from: "username_blocks",
  changed: null,
  where: "o.exact AND NOT o.allow_with_approval",
  convert: (rows) => ({
    into: {
      settings: [
        {
          name: "reserved_names",
          value: rows.map(({ username }) => (username as string).toLowerCase()),
        },
      ],
    },
  }),
};

export const NEWER_STEPS: Step[] = [quotes, collections, items, terms, names];
