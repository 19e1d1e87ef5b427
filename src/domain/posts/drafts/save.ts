// Stores drafts as they were sent; they are not judged before they are posted. Each change names the version that it is
// based on, so that two apps do not overwrite one another unseen.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Conflict, NotFound, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { dateOf } from "../../../platform/json/read.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { tellOwn } from "../../people/accounts/own-stream.ts";
import { keepForDraft } from "../../base/media/attach.ts";
import type { Draft } from "../statuses/post.ts";
import {
  countDrafts,
  deleteDraft,
  insertDraft,
  selectDraft,
  selectDraftByKey,
  updateDraft,
} from "./queries.ts";
import type { DraftInput, DraftRow } from "./queries.ts";

export const MAX_DRAFTS = 100;
/** Longest draft as JSON, in UTF-16 units. */
export const MAX_LENGTH = 100_000;

/** A draft as clients send it. */
export type DraftBody = {
  statuses?: Draft[] | null | undefined;
  scheduled_at?: string | null | undefined;
};

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

const timeOf = (text: string | null | undefined): Date | null => {
  if (!text) return null;
  const at = dateOf(text);
  if (!at) throw invalid("Scheduled at is not a valid date");
  return at;
};

const inputOf = ({ statuses, scheduled_at: at }: DraftBody): DraftInput => {
  if (!statuses?.length) throw invalid("Statuses can't be blank");
  if (JSON.stringify(statuses).length > MAX_LENGTH)
    throw invalid(`Statuses are too long (maximum is ${MAX_LENGTH} characters)`);
  return { statuses, scheduled_at: timeOf(at) };
};

/** Keeps its uploads as long as it contains them. */
const keepMedia = (app: App, tx: Tx, accountId: string, { id, statuses }: DraftRow) => {
  const ids = statuses.flatMap(({ media_ids: each }) => each ?? []);
  return keepForDraft(tx, id, accountId, ids, app.clock.now());
};

/** The event has no payload, since apps request the list. */
const tell = (app: App, accountId: string): Promise<void> =>
  tellOwn(app, accountId, "drafts_changed");

/** Throws NotFound for others' drafts. */
export const getDraft = async (app: App, accountId: string, id: string): Promise<DraftRow> =>
  orNotFound(await selectDraft(app.sql, accountId, id));

/** Returns the draft that this key made; null where there is none. */
export const findDraft = (app: App, accountId: string, key: string): Promise<DraftRow | null> =>
  selectDraftByKey(app.sql, accountId, key);

/**
 * Returns the existing draft for a repeated key. Throws Unprocessable over the limits and for uploads that it cannot
 * have.
 */
export const createDraft = async (
  app: App,
  accountId: string,
  body: DraftBody,
  key: string | null,
): Promise<DraftRow> => {
  const input = inputOf(body);
  const draft = await app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const count = await countDrafts(tx, accountId);
    const known = key === null ? null : await selectDraftByKey(tx, accountId, key);
    if (known) return known;
    if (count >= MAX_DRAFTS) throw invalid(`You have reached the limit of ${MAX_DRAFTS} drafts`);
    const row = await insertDraft(tx, { ...input, accountId, key, now: app.clock.now() });
    await keepMedia(app, tx, accountId, row);
    return row;
  });
  await tell(app, accountId);
  return draft;
};

/** Throws NotFound, or Conflict with the stored version. */
const refuseVersion = async (tx: Tx, accountId: string, id: string): Promise<never> => {
  const row = orNotFound(await selectDraft(tx, accountId, id));
  throw new Conflict("The draft was changed elsewhere in the meantime", { version: row.version });
};

/** `version` is the one that was changed; throws Conflict where it is not the present one. */
export const changeDraft = async (
  app: App,
  accountId: string,
  id: string,
  { version, ...body }: DraftBody & { version?: number | null | undefined },
): Promise<DraftRow> => {
  if (typeof version !== "number") throw invalid("Version can't be blank");
  const input = inputOf(body);
  const draft = await app.sql.begin(async (tx) => {
    const change = { ...input, id, accountId, version, now: app.clock.now() };
    const row = (await updateDraft(tx, change)) ?? (await refuseVersion(tx, accountId, id));
    await keepMedia(app, tx, accountId, row);
    return row;
  });
  await tell(app, accountId);
  return draft;
};

/** Keeps its uploads for a day, for the post that it became. */
export const removeDraft = async (app: App, accountId: string, id: string): Promise<void> => {
  await app.sql.begin(async (tx) => {
    if (!(await selectDraft(tx, accountId, id))) throw new NotFound();
    await keepForDraft(tx, id, accountId, [], app.clock.now());
    await deleteDraft(tx, accountId, id);
  });
  await tell(app, accountId);
};
