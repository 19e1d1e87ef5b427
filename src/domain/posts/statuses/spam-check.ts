// Judges new posts and edits by the rules against spam before they are written: what is held or rejected is stored with
// the match, so that a moderator can still publish it.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { judgePosts } from "../../base/spam/judge.ts";
import type { Verdict } from "../../base/spam/judge.ts";
import { addMatches, findStopped, findStoppedAlone } from "../../base/spam/rules.ts";
import type { Judged } from "../../base/spam/tables.ts";
import type { Created, NewStatus } from "./new-status.ts";
import { idempotentSince } from "./idempotency.ts";
import { linksOf } from "./links.ts";
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
export type Files = { described: (string | null)[]; uploadIds: string[] };

export const describedBy = (media: { description: string | null }[]): Files => ({
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

export const stopOf = ({ rule: { actions } }: Verdict): Stopped["stopped"] | null =>
  actions.includes("reject") ? "reject" : actions.includes("hold") ? "hold" : null;

/** Returns whether a job has more to do once the match is stored. */
export const doesMore = ({ rule: { actions } }: Verdict): boolean =>
  actions.includes("report") || actions.includes("limit");

const MAX_SHOWN = 1000;
const STATES = { hold: "held", reject: "rejected" } as const;

export const matchOf = (
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
export const announceHeld = (app: App, tx: Db): Promise<void> => {
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
export const HELD = { held: true };

export const refusal = ({ stopped }: Stopped): Unprocessable =>
  new Unprocessable(TEXTS[stopped], stopped === "hold" ? HELD : undefined);

/** Answers a repeated request for a stopped post as before; it is stored once. */
export const refuseStopped = async (app: App, accountId: string, keys: string[]): Promise<void> => {
  const sent = keys.map((key) => ({ accountId, key }));
  const [first] = await findStopped(app.sql, sent, idempotentSince(app));
  if (first) throw refusal({ stopped: first.state === "held" ? "hold" : "reject" });
};
