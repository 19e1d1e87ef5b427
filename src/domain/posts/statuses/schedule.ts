// Schedules posts and boosts: stores them as they were sent, with a job at that time. Checks of now are repeated then;
// the author of a post that is refused then is notified.

import { instantOf } from "../../../platform/time.ts";
import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import {
  DomainError,
  Forbidden,
  isRefusal,
  Unprocessable,
  InvalidFields,
  orNotFound,
} from "../../../platform/errors.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { saidOf } from "../../../platform/text/refusals.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { loadPerson } from "../../people/accounts/settings.ts";
import { keepForScheduled, loadScheduledMedia } from "../../base/media/attach.ts";
import type { MediaView } from "../../base/media/tables.ts";
import { mailPerson } from "../../people/users/mail.ts";
import { findSignUp } from "../../people/users/staff.ts";
import { actTarget } from "./acts.ts";
import "./events.ts";
import type { NewStatus } from "./new-status.ts";
import type { About, Author, Draft } from "./post.ts";
import {
  countScheduled,
  deleteScheduled,
  insertScheduled,
  lockScheduled,
  selectScheduled,
  selectScheduledByKey,
  selectScheduledReblog,
  updateFault,
  updateScheduled,
} from "./queries-scheduled.ts";
import type { ScheduledDraft, ScheduledRow } from "./queries-scheduled.ts";
import { composeReblog } from "./reblog.ts";
import type { BoostAudience } from "./reblog.ts";
import { refusal } from "./spam-check.ts";
import { composeThread, createInOrder } from "./thread.ts";

export type { ScheduledDraft };

// Bounds of the time and the number of scheduled posts (limits.json of the contract, status.scheduled_*).
const MIN_AHEAD_MS = 300_000;
const MAX_TOTAL = 300;
const MAX_A_DAY = 25;
const MAX_AHEAD_MS = 50 * 365 * 24 * 3600_000;

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

/** Makes it a refusal of the field of a form. */
const ofTime = ({ message }: Unprocessable): InvalidFields => {
  const fault = { field: "scheduled_at", code: "ERR_INVALID", description: message };
  return new InvalidFields(message, undefined, [{ ...fault, said: saidOf(message)! }]);
};

/** Returns a time that was chosen for later; null where none was sent. */
export const laterTime = (app: App, text: string | null | undefined): Date | null => {
  if (text === null || text === undefined) return null;
  const at = instantOf(text);
  if (at === null) throw ofTime(invalid("Scheduled at is not a valid date"));
  const ahead = at.getTime() - app.clock.now().getTime();
  if (ahead < MIN_AHEAD_MS)
    throw ofTime(invalid("The scheduled date must be at least 5 minutes ahead"));
  if (ahead > MAX_AHEAD_MS) throw ofTime(invalid("Scheduled at is too far into the future"));
  return at;
};

/** Returns the requested time; null when it is past, so that the post is published at once. */
export const scheduledTime = (app: App, text: string | null | undefined): Date | null =>
  !text || Number(instantOf(text) ?? NaN) <= Number(app.clock.now()) ? null : laterTime(app, text);

const postsOf = ({ thread = [], ...first }: ScheduledDraft): Draft[] => [first, ...thread];

type Placed = { accountId: string; draft: ScheduledDraft; exceptId?: string };

const checkLimits = async (tx: Tx, at: Date, { accountId, draft, exceptId = "0" }: Placed) => {
  const { total, that_day: thatDay } = await countScheduled(tx, accountId, at, exceptId);
  const more = postsOf(draft).length;
  if (total + more > MAX_TOTAL)
    throw invalid(`You have reached the limit of ${MAX_TOTAL} scheduled posts`);
  if (thatDay + more > MAX_A_DAY) {
    throw invalid(`You have reached the limit of ${MAX_A_DAY} scheduled posts for that day`);
  }
};

/** Enqueues the job that publishes it, in place of one with another time. */
export const planScheduled = (app: App, tx: Tx, id: string, runAt: Date): Promise<void> =>
  app.jobs.add(tx, "status.scheduled", { id }, { runAt, key: `status.scheduled:${id}` });

type JudgedAt = Omit<About, "idempotencyKey">;

/** Judges posts as of now, or `at` that time; throws what posting and boosting throw. */
const judge = async (
  app: App,
  author: Author,
  draft: ScheduledDraft,
  about: JudgedAt,
): Promise<NewStatus[]> => {
  const { reblog_of_id: targetId } = draft;
  if (targetId === undefined)
    return composeThread(app, author, postsOf(draft), { ...about, idempotencyKey: null });
  return [await composeReblog(app, asPerson(author.id), targetId, draft)];
};

type ToSchedule = {
  draft: ScheduledDraft;
  at: Date;
  appId: string | null;
  idempotencyKey: string | null;
};

/** Returns the attachments of these scheduled posts, by their ids. */
export const mediaOfScheduled = async (
  app: App,
  rows: ScheduledRow[],
): Promise<Map<string, MediaView[]>> => {
  const hasMedia = ({ draft }: ScheduledRow) =>
    postsOf(draft).some(({ media_ids: ids }) => ids?.length);
  const withMedia = rows.filter(hasMedia).map(({ id }) => id);
  return withMedia.length === 0 ? new Map() : loadScheduledMedia(app.sql, withMedia);
};

const moveWithin = async (app: App, tx: Tx, row: ScheduledRow, at: Date): Promise<ScheduledRow> => {
  await checkLimits(tx, at, { accountId: row.account_id, draft: row.draft, exceptId: row.id });
  await updateScheduled(tx, row.id, at);
  await planScheduled(app, tx, row.id, at);
  return { ...row, scheduled_at: at };
};

/** Throws 422, 403 or 404 for a post that could not be posted now either. */
export const schedule = async (
  app: App,
  author: Author,
  { draft: asSent, at, appId, idempotencyKey }: ToSchedule,
): Promise<ScheduledRow> => {
  const accountId = author.id;
  const [first] = await judge(app, author, asSent, { appId, at });
  // Stores the present visibility, since apps need one in the response.
  const { local_only: _, ...rest } = asSent;
  const draft = { ...rest, visibility: first!.row.visibility };
  return app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const known = idempotencyKey && (await selectScheduledByKey(tx, accountId, idempotencyKey));
    if (known) return known;
    const { reblog_of_id: targetId } = draft;
    const boost = targetId && (await selectScheduledReblog(tx, accountId, targetId));
    if (boost) return moveWithin(app, tx, boost, at);
    await checkLimits(tx, at, { accountId, draft });
    const row = await insertScheduled(tx, {
      account_id: accountId,
      scheduled_at: at,
      draft,
      app_id: appId,
      idempotency_key: idempotencyKey,
    });
    for (const { media_ids: ids } of postsOf(draft))
      await keepForScheduled(tx, row!.id, accountId, ids ?? []);
    await planScheduled(app, tx, row!.id, at);
    return row!;
  });
};

type BoostLater = BoostAudience & { id: string; at: Date };

/**
 * Schedules one boost of a post at most; a second one moves it. Its text is the post's address, which every app can
 * show.
 */
export const scheduleReblog = async (
  app: App,
  author: Author,
  appId: string | null,
  { id, at, ...audience }: BoostLater,
): Promise<ScheduledRow> => {
  const target = await actTarget(app, asPerson(author.id), id);
  if (target.viewer?.flags.reblogged) throw invalid("You have already boosted this post");
  const draft = { ...audience, reblog_of_id: target.id, status: target.url ?? target.uri };
  return schedule(app, author, { draft, at, appId, idempotencyKey: null });
};

const getOwn = async (db: Tx | App["sql"], id: string, accountId: string) =>
  orNotFound(await selectScheduled(db, id, accountId));

export const getScheduled = (app: App, id: string, accountId: string): Promise<ScheduledRow> =>
  getOwn(app.sql, id, accountId);

/** Returns what this key made; null where there is none. */
export const findScheduled = (app: App, accountId: string, key: string) =>
  selectScheduledByKey(app.sql, accountId, key);

/** Changes the time; one that is past, or absent, leaves it. */
export const reschedule = (
  app: App,
  id: string,
  accountId: string,
  text: string | null | undefined,
): Promise<ScheduledRow> =>
  app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const row = await getOwn(tx, id, accountId);
    const at = laterTime(app, text);
    if (at === null) return row;
    return moveWithin(app, tx, row, at);
  });

/** Leaves the job, which finds nothing to do. */
export const cancelScheduled = async (app: App, id: string, accountId: string): Promise<void> => {
  await getOwn(app.sql, id, accountId);
  await deleteScheduled(app.sql, id);
};

const TRY_AGAIN_MS = 60_000;

/** Keeps it among the scheduled posts, where its author finds it; another time tries it again. */
const refuse = async (app: App, tx: Tx, id: string, fault: string): Promise<void> => {
  app.log.info({ scheduled: id, why: fault }, "a scheduled post was refused");
  await updateFault(tx, id, fault);
  await app.jobs.add(tx, "scheduled.refused", { id });
};

/** Publishes the post and deletes its row in one transaction, so that it is posted once whatever interrupts it. */
const publish = async (app: App, row: ScheduledRow): Promise<void> => {
  const { id } = row;
  const author = await loadPerson(app, row.account_id);
  if (!author) throw new Forbidden("Your account could not be used at that time.");
  const inputs = await judge(app, author, row.draft, { appId: row.app_id, scheduledId: id });
  await app.sql.begin(async (tx) => {
    if (!(await lockScheduled(tx, id))) return;
    const result = await createInOrder(app, tx, inputs);
    if ("stopped" in result) await refuse(app, tx, id, refusal(result).message);
    else await deleteScheduled(tx, id);
  });
};

/** Notifies the author of a post that is refused for good; other faults are retried like all jobs. */
const settle = async (app: App, row: ScheduledRow): Promise<void> => {
  try {
    await publish(app, row);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const later = new Date(app.clock.now().getTime() + TRY_AGAIN_MS);
    await app.sql.begin((tx) =>
      isRefusal(error)
        ? refuse(app, tx, row.id, error.message)
        : planScheduled(app, tx, row.id, later),
    );
  }
};

/** Handles the job `status.scheduled`. */
export const publishScheduled = async (app: App, { id }: { id: string }): Promise<void> => {
  const row = await selectScheduled(app.sql, id);
  if (!row || row.fault !== null) return;
  if (row.scheduled_at > app.clock.now()) {
    return app.sql.begin((tx) => planScheduled(app, tx, id, row.scheduled_at));
  }
  await settle(app, row);
};

/** Handles the job `scheduled.refused`. */
export const onScheduledRefused = async (app: App, { id }: { id: string }): Promise<void> => {
  const row = await selectScheduled(app.sql, id);
  if (!row?.fault) return;
  const person = await findSignUp(app, row.account_id);
  if (!person) return;
  const { fault: why } = row;
  await mailPerson(app, person, (t) => ({
    title: t("mail.scheduled_refused.title"),
    text: [t("mail.scheduled_refused.text", { why })],
  }));
};
