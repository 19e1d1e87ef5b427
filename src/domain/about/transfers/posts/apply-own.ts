// Imports drafts and scheduled posts of an archive of this software, as their author would make them here. The import
// posts none of them.

import { createHash } from "node:crypto";
import type { App } from "../../../../platform/app.ts";
import { Forbidden, isRefusal, NotFound, Unprocessable } from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { asPerson } from "../../../../platform/viewer.ts";
import { loadPerson } from "../../../people/accounts/settings.ts";
import { createDraft, findDraft } from "../../../posts/drafts/save.ts";
import { keepList } from "../../../people/lists/write.ts";
import { pin } from "../../../posts/statuses/acts.ts";
import { loadVisible } from "../../../posts/statuses/load.ts";
import type { Author, Draft } from "../../../posts/statuses/post.ts";
import {
  findScheduled,
  schedule,
  scheduledTime,
  scheduleReblog,
} from "../../../posts/statuses/schedule.ts";
import { NotFoundYet } from "../faults.ts";
import { selectImported } from "../queries.ts";
import { attachAll, hashOf } from "./apply-post.ts";
import type { ArchivedDraft, BoostLine, DraftLine, OwnLine, PinLine } from "./read-own.ts";

/** Returns a post that the archive names: imported before, or known here and visible to the person. */
const findPost = async (app: App, accountId: string, uri: string | null) => {
  if (uri === null) return null;
  const own = await selectImported(app.sql, accountId, hashOf(uri));
  if (own !== null) return own;
  const target = await app.remote.address(uri, false);
  if (target?.kind !== "status") return null;
  const [view] = await loadVisible(app, [target.id], asPerson(accountId));
  return view?.id ?? null;
};

/** Returns the draft as it would be written here, without references that are unknown here. */
const draftHere = async (
  app: App,
  importId: string,
  accountId: string,
  archived: ArchivedDraft,
): Promise<Draft> => {
  const { inReplyToUri, quotedUri, listTitles, files, ...draft } = archived;
  const parentId = await findPost(app, accountId, inReplyToUri);
  const quotedId = await findPost(app, accountId, quotedUri);
  const listIds: string[] = [];
  for (const title of listTitles) listIds.push((await keepList(app, accountId, title)).id);
  const mediaIds = await attachAll(app, importId, accountId, files);
  return {
    ...draft,
    ...(parentId && { in_reply_to_id: parentId }),
    ...(quotedId && { quoted_status_id: quotedId }),
    ...(listIds.length > 0 && { list_ids: listIds }),
    ...(mediaIds.length > 0 && { media_ids: mediaIds }),
  };
};

const authorOf = async (app: App, accountId: string): Promise<Author> => {
  const author = await loadPerson(app, accountId);
  if (!author) throw new Forbidden("Your account cannot be used.");
  return author;
};

/** Returns null where its time has passed, or it could not be posted here, so that it becomes a draft. */
const scheduleHere = async (
  app: App,
  accountId: string,
  drafts: Draft[],
  { at, key }: { at: string | null; key: string },
): Promise<string | null> => {
  const [first, ...thread] = drafts;
  try {
    const time = scheduledTime(app, at);
    if (time === null) return null;
    const draft = { ...first, ...(thread.length > 0 && { thread }) };
    const input = { draft, at: time, appId: null, idempotencyKey: key };
    return (await schedule(app, await authorOf(app, accountId), input)).id;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
};

const keyOf = (key: string): string =>
  `archive:${createHash("sha256").update(key).digest("base64url")}`;

const applyDraft = async (
  app: App,
  importId: string,
  accountId: string,
  line: DraftLine,
): Promise<string> => {
  const key = keyOf(line.key);
  const before =
    (await findDraft(app, accountId, key)) ?? (await findScheduled(app, accountId, key));
  if (before) return before.id;
  const drafts: Draft[] = [];
  for (const each of line.draft) drafts.push(await draftHere(app, importId, accountId, each));
  const scheduled =
    line.waits && (await scheduleHere(app, accountId, drafts, { at: line.at, key }));
  if (scheduled) return scheduled;
  return (await createDraft(app, accountId, { statuses: drafts, scheduled_at: line.at }, key)).id;
};

/** A boost cannot be a draft. */
const applyBoost = async (
  app: App,
  accountId: string,
  { boost, visibility, at: text }: BoostLine,
): Promise<string> => {
  const target = await app.remote.address(boost);
  if (target?.kind !== "status") throw new NotFoundYet("import.post_unknown");
  const at = scheduledTime(app, text);
  if (at === null) throw new Unprocessable(says("import.time_passed"));
  const later = { id: target.id, at, ...(visibility && { visibility }) };
  try {
    return (await scheduleReblog(app, await authorOf(app, accountId), null, later)).id;
  } catch (error) {
    throw error instanceof NotFound ? new NotFoundYet("import.post_unknown") : error;
  }
};

/** A post that is not imported yet comes later. */
const applyPin = async (app: App, accountId: string, { pin: uri }: PinLine): Promise<string> => {
  const id = await selectImported(app.sql, accountId, hashOf(uri));
  if (id === null) throw new NotFoundYet("import.post_unknown");
  return (await pin(app, asPerson(accountId), id)).id;
};

/** Returns the id of what it became. Throws NotFoundYet, or a DomainError with the reason. */
export const applyLine = (
  app: App,
  importId: string,
  accountId: string,
  line: OwnLine,
): Promise<string> => {
  if ("draft" in line) return applyDraft(app, importId, accountId, line);
  return "boost" in line ? applyBoost(app, accountId, line) : applyPin(app, accountId, line);
};

export const isOwnLine = (data: object): data is OwnLine =>
  "draft" in data || "boost" in data || "pin" in data;
