// Imports what belongs to posts: files, polls and votes, earlier versions, cards of links.

import {
  instantOf,
  tagUrl,
  linkHash,
  formatText,
  addDays,
  STATUS_LIMITS,
  boundedHtml,
} from "./uses.ts";
import { inTurn, pathOf } from "./files.ts";
import { mentionedSql, mentionsOf } from "./statuses.ts";
import { named, copied, rowByRow } from "./step.ts";
import type { Context, Row, Step } from "./step.ts";

const TYPES = { 0: "image", 1: "gifv", 2: "video", 3: "unknown", 4: "audio" };

type Keys = { file_key: string | null; small_key: string | null };

const NONE: Keys = { file_key: null, small_key: null };

/** Returns the files' keys. Previews of moving pictures are pictures; recordings have one if their owner gave one. */
const keysOf = async ({ files }: Context, row: Row): Promise<Keys> => {
  const { id, file_file_name: name, thumbnail_file_name: thumbnail } = row;
  if (name === null || row.remote_url !== "") return NONE;
  const type = named(TYPES, row.type, "unknown");
  const small = type === "image" ? name : name.replace(/\.\w+$/, ".png");
  const preview = thumbnail
    ? pathOf("media_attachments/thumbnails", id, "original", thumbnail)
    : pathOf("media_attachments/files", id, "small", small);
  return {
    file_key: await files.copy(pathOf("media_attachments/files", id, "original", name)),
    small_key: type === "audio" && !thumbnail ? null : await files.copy(preview),
  };
};

const placeOf = (row: Row) => {
  const ordered = row.ordered as string[] | null;
  const at = ordered?.indexOf(row.id) ?? 0;
  if (row.status_id === null || at >= 0)
    return { status_id: row.status_id, detached_from: null, position: Math.max(0, at) };
  // An edit removed it from the post.
  return { status_id: null, detached_from: row.status_id, position: 0 };
};

const media: Step = {
  name: "files of posts",
  counts: "media_attachments",
  from: "media_attachments",
  // Uploads that were never posted, and files of deleted posts, are deleted within a day there, too.
  where: `o.account_id IS NOT NULL AND (o.file_file_name IS NOT NULL OR o.remote_url <> '') AND (
    o.scheduled_status_id IS NOT NULL
    OR (SELECT s.deleted_at IS NULL FROM statuses s WHERE s.id = o.status_id)
    OR (o.status_id IS NULL AND o.created_at > (now() AT TIME ZONE 'UTC') - interval '1 day'))`,
  // Attachments of deleted posts are included, because here they are deleted with the post.
  changed: "o.updated_at >= $since OR o.status_id IS NULL",
  batch: 500,
  extra: {
    ordered: `SELECT to_json(s.ordered_media_attachment_ids::text[]) FROM statuses s
      WHERE s.id = o.status_id`,
  },
  async convert(rows, context) {
    const keys = await inTurn(rows, (row) => keysOf(context, row));
    return {
      into: {
        media_attachments: rows.map((row, n) => ({
          id: row.id,
          account_id: row.account_id,
          ...placeOf(row),
          type: named(TYPES, row.type, "unknown"),
          media_type: row.file_content_type,
          url: row.remote_url || null,
          remote_url: row.remote_url || null,
          description: row.description,
          blurhash: row.blurhash,
          meta: JSON.parse(row.file_meta ?? "{}") ?? {},
          created_at: row.created_at,
          scheduled_id: row.scheduled_status_id,
          file_size: row.file_file_size,
          ...keys[n]!,
        })),
      },
    };
  },
};

const polls: Step = {
  name: "polls",
  from: "polls",
  sweeps: "polls",
  // An edit may have replaced the poll.
  where: "(SELECT s.poll_id = o.id FROM statuses s WHERE s.id = o.status_id)",
  convert: copied(
    "polls",
    "id status_id options multiple hide_totals voters_count expires_at",
    (row) => ({
      tallies: row.options.map((_: string, n: number) => row.cached_tallies[n] ?? "0"),
      refreshed_at: row.last_fetched_at,
    }),
  ),
};

const votes: Step = {
  name: "votes",
  from: "poll_votes",
  sweeps: "poll_votes",
  convert: copied("poll_votes", "id poll_id account_id choice uri created_at"),
};

type OldMedia = {
  id: string;
  type: number;
  content: string | null;
  remote: string;
  blurhash: string | null;
  meta: Record<string, unknown> | null;
  size: number | null;
  description: string | null;
};

/** Returns the media of an earlier version; the files are those that the attachment has now. */
const shownMedia = (row: Row): Row[] =>
  (JSON.parse(row.media ?? "[]") as OldMedia[]).map((item, n) => ({
    id: item.id,
    type: named(TYPES, item.type, "unknown"),
    media_type: item.content,
    url: item.remote || null,
    remote_url: item.remote || null,
    file_key: null,
    small_key: null,
    file_size: item.size,
    description: row.media_descriptions?.[n] ?? item.description,
    blurhash: item.blurhash,
    meta: item.meta ?? {},
  }));

const edits: Step = {
  name: "earlier versions",
  from: "status_edits",
  // The newest version is the post itself.
  where: "EXISTS (SELECT FROM status_edits n WHERE n.status_id = o.status_id AND n.id > o.id)",
  sweeps: "status_edits",
  changed:
    "o.updated_at >= $since OR o.status_id IN (SELECT s.id FROM statuses s WHERE s.updated_at >= $since)",
  extra: {
    local: "SELECT s.local OR s.uri IS NULL FROM statuses s WHERE s.id = o.status_id",
    mentioned: mentionedSql("o.status_id"),
    media: `SELECT json_agg(json_build_object('id', m.id::text, 'type', m.type, 'content', m.file_content_type,
        'remote', m.remote_url, 'blurhash', m.blurhash, 'meta', m.file_meta, 'size', m.file_file_size,
        'description', m.description)
      ORDER BY array_position(o.ordered_media_attachment_ids, m.id))::text
      FROM media_attachments m WHERE m.id = ANY(o.ordered_media_attachment_ids)`,
  },
  convert: rowByRow("status_edits", (row, context) => ({
    id: row.id,
    status_id: row.status_id,
    text: row.local ? row.text : "",
    content: row.local
      ? formatText(row.text, {
          mentions: mentionsOf(row.mentioned, context),
          tagUrl: (name) => tagUrl(context.app.config.site, name),
        })
      : boundedHtml(row.text, STATUS_LIMITS.contentBytes),
    spoiler_text: row.spoiler_text,
    sensitive: row.sensitive ?? false,
    poll_options: row.poll_options,
    media: shownMedia(row),
    created_at: row.created_at,
  })),
};

const CARD_TYPES = { 0: "link", 1: "photo", 2: "video", 3: "rich" };

/** Days until a card's page is requested again. */
const CARD_DAYS = 14;

const cardOf = (row: Row) => ({
  type: named(CARD_TYPES, row.type, "link"),
  title: row.title,
  description: row.description,
  author_name: row.author_name,
  author_url: row.author_url,
  provider_name: row.provider_name,
  provider_url: row.provider_url,
  html: row.html,
  embed_url: row.embed_url,
  width: row.width,
  height: row.height,
  language: row.language,
  published_at: row.published_at && instantOf(row.published_at)!.toISOString(),
  image_description: row.image_description,
  blurhash: row.blurhash,
  image_url: null,
});

/** Returns a row for each link that leads to the page; the first has the old number. */
const cardRows = (row: Row, imageKey: string | null): Row[] => {
  const links = [row.url as string, ...((row.links as string[] | null) ?? [])];
  const hashes = new Set(links.flatMap((link) => linkHash(link)?.toString("hex") ?? []));
  const at = instantOf(row.updated_at)!;
  return [...hashes].map((hash, n) => ({
    id: n === 0 ? row.id : String(BigInt(`0x${hash.slice(0, 15)}`)),
    url_hash: `\\x${hash}`,
    url: row.url,
    card: cardOf(row),
    creator_account_id: row.author_account_id,
    image_key: imageKey,
    ask_again_at: addDays(at, CARD_DAYS),
    kept_until: addDays(at, CARD_DAYS),
  }));
};

/** Returns rows for moderators' decisions whether a link may trend. */
const decisionRows = (row: Row): Row[] => {
  const hash = linkHash(row.url)?.toString("hex");
  if (!hash) return [];
  return [
    {
      id: row.id,
      url_hash: `\\x${hash}`,
      url: row.url,
      domain: new URL(row.url).hostname,
      language: row.language,
      score: 0,
      trendable: row.trendable,
      reviewed_at: row.updated_at,
    },
  ];
};

const cards: Step = {
  name: "cards of links",
  // Cards that were deleted there expire here by themselves.
  from: "preview_cards",
  batch: 500,
  extra: {
    links: `SELECT json_agg(DISTINCT c.url) FROM preview_cards_statuses c
      WHERE c.preview_card_id = o.id AND c.url IS NOT NULL`,
  },
  async convert(rows, { files }) {
    const keys = await inTurn(rows, async ({ id, image_file_name: name }) =>
      name === null ? null : files.copy(pathOf("cache/preview_cards/images", id, "original", name)),
    );
    return {
      into: {
        preview_cards: rows.flatMap((row, n) => cardRows(row, keys[n]!)),
        trend_links: rows.filter(({ trendable }) => trendable !== null).flatMap(decisionRows),
      },
    };
  },
};

export const ATTACHMENT_STEPS: Step[] = [media, polls, votes, edits, cards];
