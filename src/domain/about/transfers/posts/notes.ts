// Turns posts of exports without activities into notes, which are then read by the same rules: the notes of Misskey and
// its kind, and posts in the form of the API of Mastodon and Pixelfed.

import { httpUrl, isRecord, listOf, textOf } from "../../../../platform/json/read.ts";
import type { Json } from "../../../../platform/json/read.ts";
import { extractTags } from "../../../../platform/text/extract.ts";
import { formatText } from "../../../../platform/text/format.ts";
import { audience } from "../../../posts/statuses/activitypub.ts";
import type { NoteContext } from "../../../posts/statuses/parse-note.ts";
import { keptHere, VISIBILITIES } from "../../../posts/statuses/visibility.ts";
import type { Visibility } from "../../../posts/statuses/visibility.ts";

type Site = { origin: string };

/** A note with its author; or why it is none. */
export type AsNote =
  | { note: Json; context: Omit<NoteContext, "now">; lostFiles: number }
  | { skipped: "boosts" | "others" };

const authorAt = (origin: string) => {
  const actorUri = `${origin}/imported`;
  return { actorUri, followersUrl: `${actorUri}/followers`, domain: null };
};

const hashtags = (text: string) =>
  extractTags(text).map(({ name }) => ({ type: "Hashtag", name: `#${name}` }));

/** Stands for the server of a Misskey export, which does not name it; the ids of its notes are unique enough. */
const MISSKEY = "https://misskey.invalid";
const MISSKEY_VISIBILITY = new Map<unknown, Visibility>([
  ["public", "public"],
  ["home", "unlisted"],
  ["followers", "private"],
]);

/** Characters of the longest text; no server of its kind allows more. */
const MAX_TEXT = 100_000;

const noteUri = (id: unknown): string | null =>
  typeof id === "string" && /^\w{1,100}$/.test(id) ? `${MISSKEY}/notes/${id}` : null;

const misskeyFile = (file: Json) => ({
  type: "Document",
  url: httpUrl(file["url"]),
  name: textOf(file["comment"]),
  sensitive: file["isSensitive"] === true,
});

const misskeyPoll = (poll: unknown): Json => {
  if (!isRecord(poll)) return {};
  const votes = listOf(poll["votes"], 100);
  const options = listOf(poll["choices"], 100).map((choice, at) =>
    // Some versions count votes within the choice.
    isRecord(choice)
      ? { name: textOf(choice["text"]), replies: { totalItems: choice["votes"] } }
      : { name: textOf(choice), replies: { totalItems: votes[at] } },
  );
  const member = poll["multiple"] === true ? "anyOf" : "oneOf";
  return { type: "Question", [member]: options, endTime: poll["expiresAt"] };
};

/**
 * Reads notes of Misskey, Sharkey, Firefish …, whose `text` is as typed. Older versions do not say where the files are.
 */
export const fromMisskey = (item: Json, { origin }: Site): AsNote => {
  const uri = noteUri(item["id"]);
  if (uri === null) return { skipped: "others" };
  const text = (textOf(item["text"]) ?? "").slice(0, MAX_TEXT);
  const files = listOf(item["files"], 100).filter(isRecord).map(misskeyFile);
  const named = files.filter(({ url }) => url !== null);
  const lostFiles = Math.max(listOf(item["fileIds"], 100).length, files.length) - named.length;
  const isBoost = item["renoteId"] != null && text === "" && !item["cw"] && !item["poll"];
  if (isBoost && named.length === 0 && lostFiles === 0) return { skipped: "boosts" };
  const context = authorAt(MISSKEY);
  const visibility = MISSKEY_VISIBILITY.get(item["visibility"]) ?? "direct";
  const tagUrl = (name: string) => `${origin}/tags/${encodeURIComponent(name)}`;
  const note = {
    type: "Note",
    ...misskeyPoll(item["poll"]),
    id: uri,
    attributedTo: context.actorUri,
    content: formatText(text, { mentions: new Map(), tagUrl }),
    summary: textOf(item["cw"]),
    published: item["createdAt"],
    inReplyTo: noteUri(item["replyId"]),
    attachment: named,
    tag: hashtags(text),
    ...(item["localOnly"] === true && { visibility: keptHere(visibility) }),
    ...audience(visibility, context.actorUri, []),
  };
  return { note, context, lostFiles };
};

/** Pixelfed also has drafts, and archived posts. */
const visibilityOf = (item: Json): Visibility | undefined =>
  VISIBILITIES.find((visibility) => visibility === item["visibility"]);

const statusFile = (media: Json) => ({
  type: "Document",
  url: httpUrl(media["url"]),
  name: textOf(media["description"]),
});

const tagNames = (item: Json) =>
  listOf(item["tags"], 1000)
    .filter(isRecord)
    .map((tag) => ({ type: "Hashtag", name: `#${textOf(tag["name"]) ?? ""}` }));

/** Turns ids of the same export into its addresses, so that replies to own posts stay threads. */
const statusUris = new RegExp("/[^/]*$");

/** Reads posts of Pixelfed, and of others that write posts as Mastodon's API does. */
export const fromStatus = (item: Json): AsNote => {
  const uri = httpUrl(item["uri"]) ?? httpUrl(item["url"]);
  if (uri === null) return { skipped: "others" };
  if (isRecord(item["reblog"]) || item["pf_type"] === "share") return { skipped: "boosts" };
  const visibility = visibilityOf(item);
  if (!visibility) return { skipped: "others" };
  const context = authorAt(new URL(uri).origin);
  const files = listOf(item["media_attachments"], 100).filter(isRecord).map(statusFile);
  const named = files.filter(({ url }) => url !== null);
  const parent = textOf(item["in_reply_to_id"]) ?? "";
  const note = {
    type: "Note",
    id: uri,
    attributedTo: context.actorUri,
    content: textOf(item["content"]),
    summary: textOf(item["spoiler_text"]),
    sensitive: item["sensitive"] === true,
    published: item["created_at"],
    updated: item["edited_at"],
    inReplyTo: /^\w{1,100}$/.test(parent) ? uri.replace(statusUris, `/${parent}`) : null,
    attachment: named,
    tag: tagNames(item),
    ...audience(visibility, context.actorUri, []),
  };
  return { note, context, lostFiles: files.length - named.length };
};
