// Reads drafts, scheduled posts and pins of an archive of this software as lines of the import of its posts, which come
// after these. Ids of the old server are replaced by addresses and titles in the archive.

import { compileValidator } from "../../../../platform/http/validate.ts";
import { Type } from "../../../../platform/http/schema.ts";
import { httpUrl, isRecord, listOf, textOf } from "../../../../platform/json/read.ts";
import type { Json } from "../../../../platform/json/read.ts";
import { MAX_ATTACHED } from "../../../base/media/limits.ts";
import { withAudience } from "../../../posts/statuses/audience.ts";
import type { Draft } from "../../../posts/statuses/post.ts";
import { StatusesBody } from "../../../posts/statuses/schema.ts";
import type { Visibility } from "../../../posts/statuses/visibility.ts";
import { itemsIn } from "./json-items.ts";
import { WAITING } from "./limits.ts";
import { storedName } from "./read-post.ts";
import type { ArchivedFile } from "./read-post.ts";
import type { Document } from "./recognise.ts";

/** A post that is not posted yet, without what only its old server knows. */
export type ArchivedDraft = Draft & {
  inReplyToUri: string | null;
  quotedUri: string | null;
  listTitles: string[];
  files: ArchivedFile[];
};

/** `key` is the same in a repetition. */
export type DraftLine = { draft: ArchivedDraft[]; key: string; at: string | null; waits: boolean };
export type BoostLine = { boost: string; visibility: Visibility | null; at: string };
export type PinLine = { pin: string };
export type OwnLine = DraftLine | BoostLine | PinLine;

export type Uploads = ReadonlyMap<string, ArchivedFile>;

const items = async function* ({ path }: Document): AsyncGenerator<Json> {
  let count = 0;
  for await (const item of itemsIn(path)) {
    if (isRecord(item)) yield item;
    if ((count += 1) === WAITING) return;
  }
};

/** Returns the files of drafts and scheduled posts, by their former ids. */
export const readUploads = async (document: Document): Promise<Uploads> => {
  const uploads = new Map<string, ArchivedFile>();
  for await (const item of itemsIn(document.path)) {
    if (!isRecord(item) || (item["draft_id"] ?? item["scheduled_id"] ?? null) === null) continue;
    const [id, name] = [textOf(item["id"]), storedName(textOf(item["path"]) ?? "")];
    if (id === null || name === null) continue;
    const [description, focus] = [textOf(item["description"]), textOf(item["focus"])];
    uploads.set(id, { name, description, focus });
    if (uploads.size === WAITING * MAX_ATTACHED) break;
  }
  return uploads;
};

const validate = compileValidator({ schema: Type.Object(StatusesBody) });

/** Returns posts in the form that clients send; null where they are not. */
const checked = (statuses: unknown): Draft[] | null => {
  const { error, value } = validate({ statuses }) as {
    error?: Error;
    value?: { statuses?: Draft[] };
  };
  return error ? null : (value?.statuses?.map(withAudience) ?? null);
};

const archived = (draft: Draft, named: Json, uploads: Uploads): ArchivedDraft => {
  const {
    in_reply_to_id: _parentId,
    quoted_status_id: _quotedId,
    list_ids: _listIds,
    media_ids: mediaIds,
    // These are people of the old server.
    allowed_mentions: _mentions,
    ...rest
  } = draft;
  return {
    ...rest,
    inReplyToUri: httpUrl(textOf(named["in_reply_to_uri"])),
    quotedUri: httpUrl(textOf(named["quoted_status_uri"])),
    listTitles: listOf(named["list_titles"]).flatMap((title) => textOf(title) ?? []),
    files: (mediaIds ?? []).slice(0, MAX_ATTACHED).flatMap((id) => uploads.get(id) ?? []),
  };
};

const draftLine = (
  statuses: unknown[],
  about: Omit<DraftLine, "draft">,
  uploads: Uploads,
): DraftLine[] => {
  const drafts = checked(statuses);
  if (!drafts?.length) return [];
  const draft = drafts.map((each, at) => archived(each, statuses[at] as Json, uploads));
  return [{ ...about, draft }];
};

export const readDrafts = async function* (document: Document, uploads: Uploads) {
  for await (const { id, statuses, scheduled_at: at } of items(document)) {
    const about = { key: `draft ${textOf(id)}`, at: textOf(at), waits: false };
    yield* draftLine(listOf(statuses), about, uploads);
  }
};

const boostLine = (params: Json, at: string): BoostLine[] => {
  const uri = httpUrl(textOf(params["status"]));
  const [draft] = checked([{ visibility: params["visibility"] ?? undefined }]) ?? [];
  return uri === null ? [] : [{ boost: uri, visibility: draft?.visibility ?? null, at }];
};

export const readScheduled = async function* (document: Document, uploads: Uploads) {
  for await (const { id, params, scheduled_at: time } of items(document)) {
    const at = textOf(time);
    if (!isRecord(params) || at === null) continue;
    if ("reblog_of_id" in params) yield* boostLine(params, at);
    else {
      const about = { key: `scheduled ${textOf(id)}`, at, waits: true };
      yield* draftLine([params, ...listOf(params["thread"])], about, uploads);
    }
  }
};

/** Returns the oldest first, in the order of pinning. */
export const readPins = async (document: Document): Promise<PinLine[]> => {
  const lines: PinLine[] = [];
  for await (const item of itemsIn(document.path)) {
    const uri = httpUrl(item);
    if (uri !== null) lines.push({ pin: uri });
    if (lines.length === WAITING) break;
  }
  return lines.toReversed();
};
