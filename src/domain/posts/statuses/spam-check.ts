// Judges new posts and edits by the rules against spam before they are written: what is held or rejected is stored with
// the match, so that a moderator can still publish it.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { judgePosts } from "../../base/spam/judge.ts";
import type { Verdict } from "../../base/spam/judge.ts";
import { addMatches, findStopped, findStoppedAlone, listHeldOf } from "../../base/spam/rules.ts";
import type { Judged } from "../../base/spam/tables.ts";
import type { Created, NewStatus, StatusChange } from "./new-status.ts";
import { idempotentSince } from "./idempotency.ts";
import { linksOf } from "./links.ts";
import type { NewEvent } from "../events/tables.ts";
import type { NewPoll } from "../polls/tables.ts";
import type { StatusView } from "./tables.ts";
import { isCircle } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A rule against spam matched a post; the job does what else the rule says. */
    "spam.matched": { id: string };
    /** Posts were held in the quarter of an hour before `at`; moderators get a mail, and `to` names one of them. */
    "spam.held": { at: string; to?: string };
  }
}

/** A post or an edit that waits for a moderator. `statusId` is the post that is edited. */
export type HeldPost = {
  id: string;
  createdAt: Date;
  text: string;
  spoilerText: string;
  statusId: string | null;
};

export type Stopped = { stopped: "hold" | "reject" };

/** A post as people read it: a new or edited one, or one of the last day. */
export type Written = VisibilityFacts & {
  accountId: string;
  content: string;
  warning: string;
  mentions: { accountId: string; silent: boolean }[];
  event: { name: string; place: string | null } | null;
  poll: { options: string[] } | null;
  files: Files;
  createdAt: Date;
};

/** Descriptions of its files, or the ids of local files that have them. */
type Files = { described: (string | null)[]; uploadIds: string[] };

const describedBy = (media: { description: string | null }[]): Files => ({
  described: media.map(({ description }) => description),
  uploadIds: [],
});

/** Returns what the rules judge of a post, at any time. */
export const judgedOf = ({ event, poll, files, ...post }: Written): Judged => ({
  accountId: post.accountId,
  content: post.content,
  beside: [
    post.warning,
    ...(event ? [event.name, event.place ?? ""] : []),
    ...(poll?.options ?? []),
  ],
  described: files.described.filter((text) => text !== null),
  uploadIds: files.uploadIds,
  links: linksOf(post.content),
  // Silent mentions of a circle are left out: nobody is notified.
  mentionIds: post.mentions
    .filter(({ silent }) => !(silent && isCircle(post)))
    .map(({ accountId }) => accountId),
  createdAt: post.createdAt,
});

/**
 * Returns null for what is not judged: boosts, which have no text, older posts, of which nobody is notified, and posts
 * that were judged.
 */
const judgedNew = (input: NewStatus): Judged | null => {
  const { row, mentions, event, poll, media, uploads } = input;
  if (row.reblog_of_id || input.quiet || input.cleared) return null;
  return judgedOf({
    accountId: row.account_id,
    content: row.content ?? "",
    warning: row.spoiler_text ?? "",
    visibility: row.visibility,
    mentions,
    event,
    poll,
    files: uploads ? { described: [], uploadIds: uploads.ids } : describedBy(media),
    createdAt: row.created_at,
  });
};

/** Returns null where no rule matches anything. */
export const screen = (app: App, db: Db, inputs: NewStatus[]): Promise<(Verdict | null)[] | null> =>
  judgePosts(app, db, inputs.map(judgedNew));

const stopOf = ({ rule: { actions } }: Verdict): Stopped["stopped"] | null =>
  actions.includes("reject") ? "reject" : actions.includes("hold") ? "hold" : null;

/** Returns whether a job has more to do once the match is stored. */
const doesMore = ({ rule: { actions } }: Verdict): boolean =>
  actions.includes("report") || actions.includes("limit");

const MAX_SHOWN = 1000;
const STATES = { hold: "held", reject: "rejected" } as const;

const matchOf = (
  app: App,
  verdict: Verdict,
  accountId: string,
  stop: keyof typeof STATES | null,
) => ({
  rule_id: verdict.rule.id,
  account_id: accountId,
  state: stop ? STATES[stop] : ("published" as const),
  text: verdict.text.slice(0, MAX_SHOWN).toWellFormed(),
  created_at: app.clock.now(),
});

type Matched = { verdict: Verdict; input: NewStatus; result: Created | Stopped };

const matchOfNew = (app: App, { verdict, input, result }: Matched) => {
  const stop = stopOf(verdict);
  return {
    ...matchOf(app, verdict, input.row.account_id, stop),
    status_id: "id" in result ? result.id : null,
    post: stop ? input : null,
    idempotency_key: stop ? input.idempotencyKey : null,
  };
};

const QUARTER_MS = 15 * 60_000;

/** Enqueues one job for all that is held in a quarter of an hour, at its end. */
const announceHeld = (app: App, tx: Db): Promise<void> => {
  const end = Math.floor(app.clock.now().getTime() / QUARTER_MS + 1) * QUARTER_MS;
  const runAt = new Date(end);
  const at = runAt.toISOString();
  return app.jobs.add(tx, "spam.held", { at }, { key: `spam.held:${at}`, runAt });
};

/** Returns what was stopped before under the same keys as those that are stopped now. */
const stoppedBefore = async (
  app: App,
  tx: Tx,
  inputs: NewStatus[],
  stops: (Stopped["stopped"] | null)[],
): Promise<ReadonlySet<NewStatus>> => {
  const keyed = inputs.flatMap((input, n) =>
    stops[n] && input.idempotencyKey
      ? [{ input, accountId: input.row.account_id, key: input.idempotencyKey }]
      : [],
  );
  const keys = keyed.map(({ accountId, key }) => ({ accountId, key }));
  const rows = await findStoppedAlone(tx, keys, idempotentSince(app));
  const stopped = new Set(rows.map((row) => `${row.account_id} ${row.idempotency_key}`));
  const repeats = new Set<NewStatus>();
  for (const { input, accountId, key } of keyed) {
    const name = `${accountId} ${key}`;
    if (stopped.has(name)) repeats.add(input);
    // Also counts posts that come twice in one batch.
    stopped.add(name);
  }
  return repeats;
};

/**
 * Stores with `store` those that may be published, and matches for the others, all in the transaction. Results are in
 * the order of the inputs.
 */
export const storeScreened = async (
  app: App,
  tx: Tx,
  inputs: NewStatus[],
  verdicts: (Verdict | null)[],
  store: (inputs: NewStatus[]) => Promise<(Created | null)[]>,
): Promise<(Created | Stopped | null)[]> => {
  const stops = verdicts.map((verdict) => verdict && stopOf(verdict));
  const passing = inputs.filter((_, n) => !stops[n]);
  const created = passing.length > 0 ? await store(passing) : [];
  const results = stops.map((stop) => (stop ? { stopped: stop } : (created.shift() ?? null)));
  const known = await stoppedBefore(app, tx, inputs, stops);
  // A post that existed already is no new match.
  const matched = verdicts.flatMap((verdict, n) => {
    const result = results[n]!;
    const isNew = result !== null && ("stopped" in result ? !known.has(inputs[n]!) : result.isNew);
    return verdict && isNew ? [{ verdict, input: inputs[n]!, result }] : [];
  });
  if (matched.length === 0) return results;
  const ids = await addMatches(
    tx,
    matched.map((match) => matchOfNew(app, match)),
  );
  const jobs = matched.flatMap(({ verdict }, n) =>
    doesMore(verdict) ? [{ payload: { id: ids[n]! } }] : [],
  );
  if (jobs.length > 0) await app.jobs.addMany(tx, "spam.matched", jobs);
  if (stops.includes("hold")) await announceHeld(app, tx);
  return results;
};

const TEXTS: Record<Stopped["stopped"], string> = {
  hold: "Your post waits for a moderator’s review and is published if they approve it.",
  reject:
    "Your post looks like spam and was not published. Contact the moderators if that is wrong.",
};

/** `held` tells apps that the post is not lost and need not be sent again; its author finds it in a list. */
const HELD = { held: true };

export const refusal = ({ stopped }: Stopped): Unprocessable =>
  new Unprocessable(TEXTS[stopped], stopped === "hold" ? HELD : undefined);

/** Answers a repeated request for a stopped post as before; it is stored once. */
export const refuseStopped = async (app: App, accountId: string, keys: string[]): Promise<void> => {
  const sent = keys.map((key) => ({ accountId, key }));
  const [first] = await findStopped(app.sql, sent, idempotentSince(app));
  if (first) throw refusal({ stopped: first.state === "held" ? "hold" : "reject" });
};

/** Returns an author's posts that wait, as they wrote them; the newest first. */
export const listOwnHeld = async (app: App, accountId: string): Promise<HeldPost[]> =>
  (await listHeldOf(app, accountId)).map(({ id, created_at, post }) => {
    const edit = revivedEdit(post!);
    const { text, spoilerText } = edit
      ? edit.change
      : { text: revived(post!).row.text, spoilerText: revived(post!).row.spoiler_text };
    return {
      id,
      createdAt: created_at,
      text: text ?? "",
      spoilerText: spoilerText ?? "",
      statusId: edit?.statusId ?? null,
    };
  });

const EDIT_TEXTS: Record<Stopped["stopped"], string> = {
  hold: "Your edit waits for a moderator’s review. Until they approve it, your post stays as it was.",
  reject:
    "Your edit looks like spam, so your post stays as it was. Contact the moderators if that is wrong.",
};

export const editRefusal = ({ stopped }: Stopped): Unprocessable =>
  new Unprocessable(EDIT_TEXTS[stopped], stopped === "hold" ? HELD : undefined);

/** Returns files that it keeps and that it gets. */
const filesAfter = (before: StatusView, { media, uploads }: StatusChange): Files => {
  if (media || !uploads) return describedBy(media ?? before.media);
  const known = new Map(before.media.map(({ id, description }) => [id, description]));
  const texts = uploads.ids.map((id) => {
    const changed = uploads.changes.get(id)?.description;
    return { id, text: changed === undefined ? known.get(id) : changed };
  });
  return {
    described: texts.flatMap(({ text }) => text ?? []),
    uploadIds: texts.flatMap(({ id, text }) => (text === undefined ? [id] : [])),
  };
};

const judgedBefore = (before: StatusView): Judged =>
  judgedOf({
    ...before,
    accountId: before.account_id,
    warning: before.spoiler_text,
    mentions: before.mentions.map(({ id, silent }) => ({ accountId: id, silent })),
    files: describedBy(before.media),
    createdAt: before.created_at,
  });

/** Returns the whole post after an edit, which may leave event, poll and files as they are. */
const judgedAfter = (before: StatusView, change: StatusChange, now: Date): Judged =>
  judgedOf({
    accountId: before.account_id,
    content: change.content,
    warning: change.spoilerText,
    visibility: before.visibility,
    mentions: change.mentions,
    event: change.event ?? before.event,
    poll: change.poll === undefined ? before.poll : change.poll,
    files: filesAfter(before, change),
    createdAt: now,
  });

const textsOf = ({ content, beside, described }: Judged): string =>
  [content, ...beside, ...described].join("\n");

/** Returns whether an edit leaves texts and mentions as they are, so that there is nothing new to read. */
const saysTheSame = (before: Judged, after: Judged): boolean =>
  textsOf(before) === textsOf(after) &&
  after.uploadIds.length === 0 &&
  after.mentionIds.every((id) => before.mentionIds.includes(id));

type StoredEvent = Omit<NewEvent, "startsAt" | "endsAt"> & {
  startsAt: string;
  endsAt: string | null;
};
type StoredPoll = Omit<NewPoll, "expiresAt"> & { expiresAt: string | null };

/** An edit as it is stored in `post` of a match. */
type StoredEdit = {
  edit: {
    statusId: string;
    local: boolean;
    change: Omit<StatusChange, "uploads" | "poll" | "event" | "editedAt" | "expiresAt"> & {
      expiresAt?: string | null;
      uploads?: { ids: string[]; changes: [string, object][] };
      poll?: StoredPoll | null;
      event?: StoredEvent;
      editedAt: string;
    };
  };
};

/** Counts as of the approval: a later edit of the post wins over it. */
const storedEdit = (before: StatusView, change: StatusChange, now: Date) => ({
  edit: {
    statusId: before.id,
    local: before.local,
    change: {
      ...change,
      ...(change.uploads && {
        uploads: { ids: change.uploads.ids, changes: [...change.uploads.changes] },
      }),
      editedAt: change.editedAt ?? now,
    },
  },
});

/** Judges an edit, and stores a match in its transaction. Returns what stops the edit, or null. */
export const screenEdit = async (
  app: App,
  tx: Tx,
  before: StatusView,
  change: StatusChange,
): Promise<Stopped | null> => {
  if (change.cleared) return null;
  const now = app.clock.now();
  const judged = judgedAfter(before, change, now);
  if (saysTheSame(judgedBefore(before), judged)) return null;
  const [verdict] = (await judgePosts(app, tx, [judged])) ?? [];
  if (!verdict) return null;
  const stop = stopOf(verdict);
  const match = {
    ...matchOf(app, verdict, before.account_id, stop),
    status_id: before.id,
    post: stop ? storedEdit(before, change, now) : null,
    idempotency_key: null,
  };
  const [id] = await addMatches(tx, [match]);
  if (doesMore(verdict)) await app.jobs.add(tx, "spam.matched", { id: id! });
  if (stop === "hold") await announceHeld(app, tx);
  return stop && { stopped: stop };
};

type Stored = Omit<NewStatus, "row" | "poll" | "event"> & {
  row: Omit<NewStatus["row"], "created_at" | "edited_at" | "expires_at"> & {
    created_at: string;
    edited_at?: string | null;
    expires_at?: string | null;
  };
  poll: StoredPoll | null;
  /** Absent in rows of older versions. */
  event?: StoredEvent | null;
};

const revivedDate = (text: string | null | undefined): Date | null =>
  text ? new Date(text) : null;

const revivedPoll = (poll: StoredPoll | null): NewPoll | null =>
  poll && { ...poll, expiresAt: poll.expiresAt === null ? null : new Date(poll.expiresAt) };

const revivedEvent = ({ startsAt, endsAt, ...rest }: StoredEvent): NewEvent => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsAt: revivedDate(endsAt),
});

/** Returns whether a stored post or edit is by a local person. */
export const isOfPersonHere = (post: object): boolean =>
  "edit" in post
    ? (post as StoredEdit).edit.local
    : (post as { row?: { local?: boolean } }).row?.local === true;

/** Returns an edit as it was stored with its match; null for a new post. */
export const revivedEdit = (post: object): { statusId: string; change: StatusChange } | null => {
  if (!("edit" in post)) return null;
  const { statusId, change } = (post as StoredEdit).edit;
  const { uploads, poll, event, editedAt, expiresAt, ...rest } = change;
  return {
    statusId,
    change: {
      ...rest,
      cleared: true,
      editedAt: new Date(editedAt),
      ...(expiresAt !== undefined && { expiresAt: revivedDate(expiresAt) }),
      ...(uploads && { uploads: { ids: uploads.ids, changes: new Map(uploads.changes) } }),
      ...(poll !== undefined && { poll: revivedPoll(poll) }),
      ...(event && { event: revivedEvent(event) }),
    },
  };
};

/** Returns a post as it was stored with its match, with its dates, which JSON lacks. */
export const revived = (post: object): NewStatus => {
  const { row, poll, event, ...rest } = post as Stored;
  return {
    ...rest,
    cleared: true,
    row: {
      ...row,
      created_at: new Date(row.created_at),
      edited_at: revivedDate(row.edited_at),
      expires_at: revivedDate(row.expires_at),
    },
    poll: revivedPoll(poll),
    event: event ? revivedEvent(event) : null,
  };
};
