// Imports statuses with what belongs to them: boosts, counts, mentions, tags, earlier versions.

import {
  STATUS_LIMITS,
  boundedHtml,
  formatText,
  linkHashes,
  isDirect,
  openTo,
  tagUrl,
} from "./uses.ts";
import type { FormatMention, Visibility } from "./uses.ts";
import { actorUri } from "./actor-uri.ts";
import { policyOf } from "./newer.ts";
import { emojisIn } from "./emojis.ts";
import { named, copied, rowByRow } from "./step.ts";
import type { Context, Row, Step } from "./step.ts";

/** Visibilities by number. The fifth is for people who are addressed without being mentioned in the text. */
const VISIBILITIES: Record<number, Visibility> = {
  0: "public",
  1: "unlisted",
  2: "private",
  3: "direct",
  4: "circle",
};

const visibilityOf = (value: unknown): Visibility => named(VISIBILITIES, value, "direct");

type Mentioned = { username: string; domain: string | null; url: string | null };

/** Returns mentions by all handles that a text may use for them. */
export const mentionsOf = (json: string | null, { app, origin }: Context) => {
  const { localDomain, webDomain } = app.config.site;
  const mentions = new Map<string, FormatMention>();
  for (const { username, domain, url } of JSON.parse(json ?? "[]") as Mentioned[]) {
    const name = username.toLowerCase();
    const mention = { username, url: url || `${origin}/@${username}` };
    const hosts = domain === null ? [localDomain, webDomain] : [domain];
    for (const host of hosts) mentions.set(`${name}@${host.toLowerCase()}`, mention);
    if (domain === null) mentions.set(name, mention);
  }
  return mentions;
};

/** SQL that selects the accounts that this status (SQL) mentions, if a local person wrote it. */
export const mentionedSql = (status: string): string => `SELECT json_agg(json_build_object(
    'username', a.username, 'domain', a.domain, 'url', coalesce(nullif(a.url, ''), nullif(a.uri, ''))))::text
  FROM mentions m JOIN accounts a ON a.id = m.account_id WHERE m.status_id = ${status} AND NOT m.silent`;

/** Returns the HTML: made from the text of a local person, or that of a remote one as it came. */
const contentOf = (row: Row, isHere: boolean, context: Context): string =>
  isHere
    ? formatText(row.text, {
        mentions: mentionsOf(row.mentioned, context),
        tagUrl: (name) => tagUrl(context.app.config.site, name),
      })
    : boundedHtml(row.text, STATUS_LIMITS.contentBytes);

const isLocal = (row: Row): boolean => row.local === true || row.uri === null;

/** Returns the address of the few statuses that have none. */
const ownUri = (row: Row, { origin }: Context): string => {
  const author = { id: row.account_id, username: row.username, scheme: row.scheme };
  return `${actorUri(origin, author)}/statuses/${row.id}`;
};

const OF_AUTHOR = {
  username: "SELECT a.username FROM accounts a WHERE a.id = o.account_id",
  // The row is read as JSON, since older versions do not have the column.
  scheme: `CASE WHEN o.uri IS NULL THEN
    (SELECT to_jsonb(a) ->> 'id_scheme' FROM accounts a WHERE a.id = o.account_id) END`,
};

const plainRow = (row: Row, context: Context, content: string): Row => {
  const isHere = isLocal(row);
  return {
    id: row.id,
    account_id: row.account_id,
    uri: row.uri ?? ownUri(row, context),
    url: isHere ? `${context.origin}/@${row.username}/${row.id}` : (row.url ?? row.uri),
    local: isHere,
    text: isHere ? row.text : "",
    content,
    spoiler_text: row.spoiler_text,
    visibility: visibilityOf(row.visibility),
    sensitive: row.sensitive,
    language: row.language,
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    conversation_id: row.conversation_id,
    app_id: row.application_id,
    has_media: row.has_media,
    trendable: row.trendable,
    awaits_approval: false,
    quote_policy: policyOf(row.quote_approval_policy),
    created_at: row.created_at,
    edited_at: row.edited_at,
  };
};

/** Returns the links of a post, and that of the card that it shows. */
const linksIn = (row: Row, hasQuote: boolean, { app }: Context) =>
  linkHashes({ ...row, hasMedia: row.has_media, hasQuote } as never, app.config.site);

const statuses: Step = {
  name: "posts",
  counts: "statuses",
  from: "statuses",
  where: "o.deleted_at IS NULL AND o.reblog_of_id IS NULL",
  batch: 1000,
  extra: {
    ...OF_AUTHOR,
    domain: "SELECT a.domain FROM accounts a WHERE a.id = o.account_id",
    mentioned: `CASE WHEN o.local OR o.uri IS NULL THEN (${mentionedSql("o.id")}) END`,
    has_media: `coalesce(cardinality(o.ordered_media_attachment_ids),
      (SELECT count(*) FROM media_attachments m WHERE m.status_id = o.id)) > 0`,
  },
  extraOf: {
    quotes: { has_quote: "EXISTS (SELECT FROM quotes q WHERE q.status_id = o.id)" },
  },
  async convert(rows, context) {
    const emojis = await emojisIn(
      context,
      rows.map((row) => ({
        domain: isLocal(row) ? null : row.domain,
        texts: [row.text, row.spoiler_text],
      })),
    );
    const plain = rows.map((row) => plainRow(row, context, contentOf(row, isLocal(row), context)));
    const links = plain.map((row, n) => linksIn(row, rows[n]!.has_quote === true, context));
    const posts = plain.map((row, n) => ({
      ...row,
      emojis: emojis[n]!,
      card_hash: links[n]!.card,
    }));
    const linking = plain.flatMap((row, n) =>
      [...new Set(links[n]!.all)].map((hash) => ({ url_hash: `\\x${hash}`, status_id: row.id })),
    );
    const ids = rows.map(({ id }) => id as string);
    return {
      // What an edit removed from a post is gone there, too.
      forget: ["mentions", "statuses_tags", "status_links"].map((table) => ({
        table,
        column: "status_id",
        ids: context.pass > 1 ? ids : [],
      })),
      into: { statuses: posts, status_links: linking },
    };
  },
};

const boosts: Step = {
  name: "boosts",
  counts: "statuses",
  from: "statuses",
  where: "o.deleted_at IS NULL AND o.reblog_of_id IS NOT NULL",
  extra: OF_AUTHOR,
  convert: rowByRow("statuses", (row, context) => ({
    id: row.id,
    account_id: row.account_id,
    uri: row.uri ?? `${ownUri(row, context)}/activity`,
    local: isLocal(row),
    reblog_of_id: row.reblog_of_id,
    visibility: visibilityOf(row.visibility),
    language: row.language,
    app_id: row.application_id,
    awaits_approval: false,
    created_at: row.created_at,
  })),
};

/** Sets the parents of answers: a remote post may be older than the one that it answers, by its clock. */
const lateAnswers: Step = {
  name: "answers to later posts",
  from: "statuses",
  where: "o.deleted_at IS NULL AND o.in_reply_to_id > o.id",
  convert: (rows) => ({
    patch: { statuses: rows.map((row) => ({ id: row.id, in_reply_to_id: row.in_reply_to_id })) },
  }),
};

/** Deletes in a later pass posts and boosts that are gone. */
const goneStatuses: Step = {
  name: "deleted posts",
  from: "statuses",
  where: "o.deleted_at IS NULL",
  sweeps: "statuses",
  takesNothing: true,
  convert: () => ({}),
};

const stats: Step = {
  name: "counts of posts",
  from: "status_stats",
  convert: rowByRow("status_stats", (row) => ({
    status_id: row.status_id,
    replies_count: Math.max(0, Number(row.replies_count)),
    reblogs_count: Math.max(0, Number(row.reblogs_count)),
    favourites_count: Math.max(0, Number(row.favourites_count)),
    quotes_count: Math.max(0, Number(row.quotes_count ?? 0)),
  })),
};

const OF_CHANGED = `o.status_id IN (SELECT s.id FROM statuses s WHERE s.updated_at >= $since)`;

const mentions: Step = {
  name: "mentions",
  counts: "mentions",
  from: "mentions",
  changed: `o.updated_at >= $since OR ${OF_CHANGED}`,
  extra: { visibility: "SELECT s.visibility FROM statuses s WHERE s.id = o.status_id" },
  convert: copied("mentions", "status_id account_id silent", (row) => ({
    direct: isDirect({ visibility: visibilityOf(row.visibility) }),
  })),
};

const tags: Step = {
  name: "tags",
  from: "tags",
  convert: copied(
    "tags",
    `id name usable trendable listable reviewed_at requested_review_at created_at`,
    (row) => ({
      display_name: row.display_name ?? row.name,
    }),
  ),
};

const uses: Step = {
  name: "tags of posts",
  counts: "statuses_tags",
  from: "statuses_tags",
  key: ["tag_id", "status_id"],
  changed: OF_CHANGED,
  extra: {
    account_id: "SELECT s.account_id FROM statuses s WHERE s.id = o.status_id",
    visibility: "SELECT s.visibility FROM statuses s WHERE s.id = o.status_id",
  },
  convert: rowByRow("statuses_tags", (row) => ({
    tag_id: row.tag_id,
    status_id: row.status_id,
    account_id: openTo("world", { visibility: visibilityOf(row.visibility) })
      ? row.account_id
      : null,
  })),
};

const conversations: Step = {
  name: "conversations",
  from: "conversations",
  where: "o.uri IS NOT NULL",
  convert: rowByRow("conversations", (row) => ({ id: row.id, uri: row.uri })),
};

const pins: Step = {
  name: "pinned posts",
  from: "status_pins",
  sweeps: "status_pins",
  convert: copied("status_pins", "id account_id status_id created_at"),
};

export const STATUS_STEPS: Step[] = [
  goneStatuses,
  conversations,
  statuses,
  boosts,
  lateAnswers,
  stats,
  mentions,
  tags,
  uses,
  pins,
];
