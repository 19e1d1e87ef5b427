// Recognises what a file of an export contains by its beginning; its name matters only where lines or addresses do not
// tell the list. It knows exports of Mastodon, Pleroma, Akkoma, GoToSocial, Pixelfed, Misskey and their kind, and of
// this server.

import { open } from "node:fs/promises";
import { fold, guessKind } from "../formats.ts";
import { ownKindOf } from "../own-kinds.ts";
import type { Kind, LeftOut, OwnKind } from "../tables.ts";

/** A stored file of the archive. */
export type Document = { name: string; path: string };

/** How a list is written: as a file of its own, as addresses, or as the posts that Misskey bookmarked. */
export type ListForm = "file" | "addresses" | "favourites";

export type Recognised =
  | { what: "actor" }
  | { what: "posts"; form: "activities" | "notes" | "statuses" }
  | { what: "list"; kind: Kind; form: ListForm }
  | { what: "own"; kind: OwnKind }
  /** A file that only our own archives have, beside the posts. */
  | { what: "drafts" | "scheduled" | "pins" | "uploads" }
  | { what: "relations" }
  | { what: "settings" }
  | { what: "left_out"; as: keyof LeftOut }
  | { what: "unknown" };

const HEAD_BYTES = 64 * 1024;

const headOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer
      .toString("utf8", 0, bytesRead)
      .replace(/^\ufeff/, "")
      .trimStart();
  } finally {
    await file.close();
  }
};

/** Names of collections in archives of ActivityPub. */
const COLLECTIONS: Record<string, Recognised> = {
  outbox: { what: "posts", form: "activities" },
  following: { what: "list", kind: "following", form: "addresses" },
  bookmarks: { what: "list", kind: "bookmarks", form: "addresses" },
  likes: { what: "left_out", as: "favourites" },
  followers: { what: "left_out", as: "followers" },
  featured: { what: "pins" },
  received: { what: "left_out", as: "received" },
};

/** Names of files that only our own archives have. */
const BESIDE_POSTS: Record<string, Recognised> = {
  "drafts.json": { what: "drafts" },
  "scheduled_statuses.json": { what: "scheduled" },
  "media_attachments.json": { what: "uploads" },
};

const ACTOR =
  /"preferredUsername"\s*:|"type"\s*:\s*"(?:Person|Service|Group|Application|Organization)"/;

const UNKNOWN: Recognised = { what: "unknown" };

const isFollowers = (name: string): boolean => /followers/i.test(name);

const collectionNamed = (name: string): Recognised => {
  const [, bare = ""] = /(?:^|\/)(\w+)(?:\.json)?$/.exec(name) ?? [];
  return Object.hasOwn(COLLECTIONS, bare) ? COLLECTIONS[bare]! : UNKNOWN;
};

const inObject = (head: string, name: string): Recognised => {
  if (/"custom_filters"\s*:/.test(head)) return { what: "list", kind: "filters", form: "file" };
  if (/"orderedItems"\s*:/.test(head)) {
    const [, id] = /"id"\s*:\s*"([^"]*)"/.exec(head) ?? [];
    const named = collectionNamed(id ?? "");
    return named.what === "unknown" ? collectionNamed(name) : named;
  }
  if (/^\{\s*"profile"\s*:\s*\{/.test(head) && name === "settings.json")
    return { what: "settings" };
  if (ACTOR.test(head)) return { what: "actor" };
  return /"(?:muted|blocked)"\s*:\s*[[{]/.test(head) ? { what: "relations" } : UNKNOWN;
};

const has = (head: string, ...members: string[]): boolean =>
  members.every((member) => head.includes(`"${member}"`));

const inArray = (head: string, name: string): Recognised => {
  const own = ownKindOf(name);
  if (own !== null) return { what: "own", kind: own };
  if (Object.hasOwn(BESIDE_POSTS, name)) return BESIDE_POSTS[name]!;
  if (/^\[\s*"https?:/.test(head)) {
    if (isFollowers(name)) return COLLECTIONS["followers"]!;
    return /follow/i.test(name) ? COLLECTIONS["following"]! : UNKNOWN;
  }
  if (has(head, "clipNotes")) return UNKNOWN;
  if (has(head, "note", "fileIds")) return { what: "list", kind: "bookmarks", form: "favourites" };
  if (has(head, "fileIds", "visibility")) return { what: "posts", form: "notes" };
  return has(head, "uri", "content", "created_at", "media_attachments")
    ? { what: "posts", form: "statuses" }
    : UNKNOWN;
};

/** Headings that only one list has. */
const HEADINGS: [heading: string, kind: Kind][] = [
  ["show boosts", "following"],
  ["hide notifications", "mutes"],
  ["note", "account_notes"],
  ["list name", "lists"],
  ["#uri", "bookmarks"],
  ["#muted_tag", "muted_tags"],
  ["#search", "saved_searches"],
];

const inLines = (head: string, name: string): Recognised => {
  const [line = ""] = head.split(/\r?\n/, 1);
  const headings = new Set(line.split(",").map((cell) => fold(cell.replaceAll('"', ""))));
  const [, byHeading] = HEADINGS.find(([heading]) => headings.has(heading)) ?? [];
  if (!byHeading && isFollowers(name)) return COLLECTIONS["followers"]!;
  // This is a list of the staff.
  if (headings.has("#severity")) return UNKNOWN;
  const kind = byHeading ?? guessKind(name);
  return kind && kind !== "filters" ? { what: "list", kind, form: "file" } : UNKNOWN;
};

export const recognise = async ({ name, path }: Document): Promise<Recognised> => {
  const head = await headOf(path);
  if (head.startsWith("{")) return inObject(head, name);
  if (head.startsWith("[")) return inArray(head, name);
  return /\.csv$/i.test(name) ? inLines(head, name) : UNKNOWN;
};

/** Returns whether a file is not an archive but one of its files. */
export const isDocument = async ({ name, path }: Document): Promise<boolean> =>
  /\.csv$/i.test(name) || (/\.json$/i.test(name) && /^[[{]/.test(await headOf(path)));
