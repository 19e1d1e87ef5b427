// Reads an item of an outbox into what is stored until it is imported. The rules are those for notes of other servers:
// the text is sanitised and bounded, and posts of anybody but the author of the archive are refused.

import { createHash } from "node:crypto";
import { isRecord, linkOf, listOf, textOf } from "../../../../platform/json/read.ts";
import type { Json } from "../../../../platform/json/read.ts";
import { CONTENT_TYPES, MAX_MARKDOWN, PLAIN } from "../../../../platform/text/written.ts";
import type { ContentType } from "../../../../platform/text/written.ts";
import { DESCRIPTION, MAX_ATTACHED } from "../../../base/media/limits.ts";
import { parseEvent } from "../../../posts/events/parse-event.ts";
import type { NewEvent } from "../../../posts/events/tables.ts";
import type { NewPoll } from "../../../posts/polls/tables.ts";
import { warningOf } from "../../../posts/statuses/parse-note-content.ts";
import { parseArchivedNote } from "../../../posts/statuses/parse-note.ts";
import type { NoteContext } from "../../../posts/statuses/parse-note.ts";
import { federates, isCircle, VISIBILITIES } from "../../../posts/statuses/visibility.ts";
import type { Visibility } from "../../../posts/statuses/visibility.ts";
import type { AsNote } from "./notes.ts";

export type ArchivedFile = {
  /** The file's name in the folder of the import, or its address. */
  name?: string;
  url?: string;
  description: string | null;
  focus: string | null;
};

/** A post of an archive, stored as JSON; times are ISO 8601. */
export type ArchivedPost = {
  uri: string;
  content: string;
  /** Text as it was written, where that is not plain text. */
  source?: { text: string; contentType: ContentType } | undefined;
  spoilerText: string;
  visibility: Visibility;
  sensitive: boolean;
  language: string | null;
  inReplyToUri: string | null;
  /** Recipients of a post for a circle; absent in older rows. */
  circle?: string[];
  tags: string[];
  files: ArchivedFile[];
  poll: (Omit<NewPoll, "expiresAt"> & { expiresAt: string | null }) | null;
  /** Absent in older rows. */
  event?:
    | (Omit<NewEvent, "startsAt" | "endsAt"> & { startsAt: string; endsAt: string | null })
    | null;
  createdAt: string | null;
  updatedAt: string | null;
  /** Absent in older rows. */
  expiresAt?: string | null;
};

const FOLDER = "media_attachments/";

/**
 * Returns the name under which a file of the archive is stored, made from its path; null for other files. Some archives
 * have the whole path on the old server.
 */
export const storedName = (path: string): string | null => {
  const at = path.lastIndexOf(FOLDER);
  return at < 0 ? null : createHash("sha256").update(path.slice(at)).digest("hex");
};

const focusOf = ({ focalPoint }: Json): string | null => {
  const [x, y] = listOf(focalPoint, 2);
  return typeof x === "number" && typeof y === "number" ? `${x},${y}` : null;
};

/** Returns the place in the archive, or the address on its server, which archives of Mastodon do not state. */
const placeOf = (url: unknown): Pick<ArchivedFile, "name" | "url"> | null => {
  const address = linkOf(url, "");
  if (address !== null) return { url: address };
  const name = storedName(textOf(url) ?? "");
  return name === null ? null : { name };
};

const filesOf = (note: Json): ArchivedFile[] =>
  listOf(note["attachment"], 100)
    .filter(isRecord)
    .flatMap((item) => {
      const place = placeOf(item["url"]);
      const text = (textOf(item["summary"]) ?? textOf(item["name"]) ?? "").trim();
      const description = [...text].slice(0, DESCRIPTION).join("") || null;
      return place === null ? [] : [{ ...place, description, focus: focusOf(item) }];
    })
    .slice(0, MAX_ATTACHED);

/** `lostFiles` counts files of which the export says only that they existed. */
export type ReadPost = { post: ArchivedPost; lostFiles: number } | { skipped: "boosts" | "others" };

/** `skipped` says that it is no post, or not one of the archive's author. */
export const readPost = (item: unknown, context: NoteContext): ReadPost => {
  if (!isRecord(item)) return { skipped: "others" };
  if (item["type"] === "Announce") return { skipped: "boosts" };
  const note = item["type"] === "Create" ? item["object"] : item;
  if (!isRecord(note)) return { skipped: "others" };
  if (item !== note && item["actor"] !== context.actorUri) return { skipped: "others" };
  return postOf(note, context, 0);
};

/**
 * Removes from posts, one after the other, the files that would be fetched beyond a number; returns how many it
 * removed.
 */
export const boundFetched = (most: number) => {
  let left = most;
  return (post: ArchivedPost): number => {
    const before = post.files.length;
    post.files = post.files.filter(({ url }) => url === undefined || (left -= 1) >= 0);
    return before - post.files.length;
  };
};

/** Removes from posts for circles the people beyond a number of different ones, since each may have to be looked up. */
export const boundPeople = (most: number) => {
  const people = new Set<string>();
  return (post: ArchivedPost): void => {
    if (!post.circle) return;
    post.circle = post.circle.filter((uri) => {
      if (people.size < most) people.add(uri);
      return people.has(uri);
    });
  };
};

/** Reads a post of an export without activities. */
export const readNote = (read: AsNote | null, now: Date): ReadPost => {
  if (!read) return { skipped: "others" };
  return "skipped" in read ? read : postOf(read.note, { ...read.context, now }, read.lostFiles);
};

/** Returns the visibility of a post that stayed on its server, in an archive of this software. */
const keptVisibility = (note: Json): Visibility | undefined =>
  VISIBILITIES.find(
    (visibility) => visibility === note["visibility"] && !federates({ visibility }),
  );

/** Returns the source of a post, where this server supports its type. */
const sourceOf = (note: Json): ArchivedPost["source"] => {
  const source = isRecord(note["source"]) ? note["source"] : {};
  const text = textOf(source["content"]);
  const contentType = CONTENT_TYPES.find((type) => type === source["mediaType"]);
  return text && text.length <= MAX_MARKDOWN && contentType && contentType !== PLAIN
    ? { text, contentType }
    : undefined;
};

/** Removes the description of the event from the text, which the event itself contains; a warning stays. */
const withoutEvent = (note: Json): Json => ({
  ...note,
  type: "Note",
  name: null,
  nameMap: null,
  summary: warningOf(note) || null,
});

const postOf = (note: Json, context: NoteContext, lostFiles: number): ReadPost => {
  const event = parseEvent(note);
  const parsed = parseArchivedNote(event ? withoutEvent(note) : note, context);
  if (!parsed) return { skipped: "others" };
  const { poll } = parsed;
  return {
    lostFiles,
    post: {
      uri: parsed.uri,
      content: parsed.content,
      source: sourceOf(note),
      spoilerText: parsed.spoilerText,
      visibility: keptVisibility(note) ?? parsed.visibility,
      sensitive: parsed.sensitive,
      language: parsed.language,
      inReplyToUri: parsed.inReplyToUri,
      ...(isCircle(parsed) && { circle: [...parsed.silentUris, ...parsed.mentionUris] }),
      tags: parsed.tags,
      files: filesOf(note),
      poll: poll && { ...poll, expiresAt: poll.expiresAt?.toISOString() ?? null },
      event: event && {
        ...event,
        startsAt: event.startsAt.toISOString(),
        endsAt: event.endsAt?.toISOString() ?? null,
      },
      createdAt: parsed.createdAt?.toISOString() ?? null,
      updatedAt: parsed.updatedAt?.toISOString() ?? null,
      expiresAt: parsed.expiresAt?.toISOString() ?? null,
    },
  };
};
