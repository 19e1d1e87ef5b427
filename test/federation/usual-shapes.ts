// What the API says of an actor and of a post of another server, as far as it differs from what is usual.

import type { PeerActor } from "../fake-peer.ts";
import * as w from "../inbox-world.ts";

type Json = Record<string, any>;

export const api = async (path: string, token = w.alice.token): Promise<any> =>
  (await w.test.as(token).get(path)).json;

export const shown = async (uri: unknown): Promise<Json> =>
  api(`/api/v1/statuses/${(await w.statusByUri(uri))!.id}`);

/** The members that differ from what is usual. */
export const unusual = (whole: Json, usual: Json): Json =>
  Object.fromEntries(
    Object.entries(whole).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]),
    ),
  );

const USUAL_ACTOR = {
  note: "",
  bot: false,
  group: false,
  locked: false,
  discoverable: null,
  indexable: false,
  avatar: true,
  avatar_description: "",
  header: false,
  fields: [],
  emojis: [],
};

export const DAY_MS = 86_400_000;

/** "now" for who did not say, and is as old here as this run. */
const since = (at: string): string =>
  Date.now() - Date.parse(at) < 2 * DAY_MS ? "now" : at.slice(0, 10);

export const actorShown = async (uri: string): Promise<Json> => {
  const [row] = await w.test.app.sql<{ id: string }[]>`SELECT id FROM accounts WHERE uri = ${uri}`;
  const account = await api(`/api/v1/accounts/${row!.id}`);
  const { display_name, note, url, bot, group, locked, discoverable, indexable } = account;
  return unusual(
    {
      display_name,
      note,
      url,
      bot,
      group,
      locked,
      discoverable,
      indexable,
      since: since(account.created_at),
      avatar: !account.avatar.endsWith("/missing.png"),
      avatar_description: account.avatar_description,
      header: !account.header.endsWith("/missing.png"),
      fields: account.fields.map(({ name, value }: Json) => [name, value]),
      emojis: account.emojis.map((emoji: Json) => emoji["shortcode"]),
    },
    USUAL_ACTOR,
  );
};

const pollShown = ({ options, multiple, expired, votes_count, voters_count }: Json): Json => ({
  options: options.map(({ title, votes_count: votes }: Json) => [title, votes]),
  multiple,
  expired,
  votes_count,
  voters_count,
});

/** Its name, when it begins and ends, and where it is. */
const eventShown = ({ name, starts_at: start, ends_at: end, place }: Json): unknown[] => [
  name,
  ...[start, end].map((at) => at && new Date(at).toISOString()),
  place,
];

export const usualPost = (object: Json, by: PeerActor): Json => ({
  by: by.name,
  spoiler_text: "",
  sensitive: false,
  visibility: "public",
  circle: false,
  language: null,
  url: object["id"],
  created_at: object["published"] && new Date(object["published"]).toISOString(),
  edited_at: null,
  expires_at: null,
  in_reply_to: null,
  media: [],
  tags: [],
  mentions: [],
  emojis: [],
  poll: null,
  event: null,
  quote: null,
  counts: [0, 0, 0],
  replies: null,
});

/** The post with this address as alice sees it; null: she does not. */
export const postShown = async (
  uri: string,
  usual: Json,
  post: { id: string; uri: string },
): Promise<Json | null> => {
  const row = await w.statusByUri(uri);
  if (!row) return null;
  const status = await api(`/api/v1/statuses/${row.id}`);
  const { content, spoiler_text, sensitive, visibility, language, url, quote } = status;
  const media = status.media_attachments.map((attachment: Json) =>
    [attachment["type"], attachment["remote_url"], attachment["description"]].filter(
      (part) => part !== null,
    ),
  );
  return unusual(
    {
      by: status.account.username,
      content,
      spoiler_text,
      sensitive,
      visibility,
      circle: status.circle ?? false,
      language,
      url,
      created_at: status.created_at,
      edited_at: status.edited_at,
      expires_at: status.expires_at ?? null,
      in_reply_to:
        status.in_reply_to_id && (status.in_reply_to_id === post.id ? post.uri : "other"),
      media,
      tags: status.tags.map((tag: Json) => tag["name"]),
      mentions: status.mentions.map((mention: Json) => mention["username"]),
      emojis: status.emojis.map((emoji: Json) => emoji["shortcode"]),
      poll: status.poll && pollShown(status.poll),
      event: status.event ? eventShown(status.event) : null,
      quote: quote && [quote.state, quote.quoted_status?.uri ?? null],
      counts: [status.favourites_count, status.reblogs_count, status.replies_count],
      replies: status.reply_approval?.current_user ?? null,
    },
    usual,
  );
};
