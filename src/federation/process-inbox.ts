// The job `activity.received`: works through what one actor sent, in the order in which it came.
// One worker at a time has an actor in hand, by a claim on the row that ends by itself, so that no
// connection is held while a stranger's server is asked. What fails for now waits for its next try
// and lets the later ones pass.

import type { App } from "../platform/app.ts";
import { sqlState } from "../platform/db/index.ts";
import { HttpError } from "../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../platform/fetch/errors.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { idOf, parseRecord } from "../platform/json/read.ts";
import { perform } from "./inbox.ts";
import { pruneInbox } from "./inbox/prune.ts";
import { claimIncoming, finishIncoming, retryIncoming, selectClaimEnd } from "./inbox/queries.ts";
import type { IncomingRow } from "./inbox/queries.ts";
import { inboxJobKey } from "./inbox/receive.ts";
import "./events.ts";

const CLAIM_MS = 120_000;
/** Seconds until the next try, by how many there were; after the last the activity is given up. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
/** A fault of ours (a bug) is not tried for a day. */
const MAX_FAULTS = 4;

/** Trying again may help: the network, a server that is away, a deadlock, a lost connection. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof FetchFailed) return error.reason === "network" || error.reason === "timeout";
  if (error instanceof HttpError) return error.status >= 500 || error.status === 429;
  const state = sqlState(error) ?? "";
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return /^(?:40|53|57|08)/.test(state) || /^CONNECTION_|^CONNECT_/.test(code);
};

/** What the activity itself brought about: it is refused, and no fault of ours. */
const isRefusal = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof FetchFailed || error instanceof FetchRefused;

const later = async (app: App, actorUri: string, row: IncomingRow): Promise<void> => {
  const seconds = BACKOFF_SECONDS[row.attempts - 1]!;
  const at = new Date(app.clock.now().getTime() + seconds * 1000);
  await app.sql.begin(async (tx) => {
    await retryIncoming(tx, row.id, at);
    await app.jobs.add(
      tx,
      "activity.received",
      { actorUri },
      { runAt: at, key: `inbox:${row.id}` },
    );
  });
};

/** True when the activity is to be tried again. */
const fails = (app: App, actorUri: string, row: IncomingRow, error: unknown): boolean => {
  const entry = { err: error, activity: row.id, actor: actorUri, attempts: row.attempts };
  if (isTransient(error) && row.attempts <= BACKOFF_SECONDS.length) {
    app.log.info(entry, "activity put off");
    return true;
  }
  if (isTransient(error) || isRefusal(error)) app.log.info(entry, "activity refused");
  else app.log.error(entry, "activity failed");
  return !isTransient(error) && !isRefusal(error) && row.attempts < MAX_FAULTS;
};

const work = async (app: App, actorUri: string, row: IncomingRow): Promise<void> => {
  try {
    const body = parseRecord(row.body);
    if (body && idOf(body["actor"]) === actorUri) await perform(app, { actorUri, body });
  } catch (error) {
    if (fails(app, actorUri, row, error)) return later(app, actorUri, row);
  }
  await finishIncoming(app.sql, row.id, app.clock.now());
};

const claim = (app: App, actorUri: string): Promise<IncomingRow | null> => {
  const now = app.clock.now();
  return claimIncoming(app.sql, actorUri, now, new Date(now.getTime() + CLAIM_MS));
};

/** Somebody else has this actor in hand; should they die, this wakes us when their claim ends. */
const watchOther = async (app: App, actorUri: string): Promise<void> => {
  const until = await selectClaimEnd(app.sql, actorUri, app.clock.now());
  if (!until) return;
  const key = `${inboxJobKey(actorUri)}:watch`;
  await app.jobs.add(app.sql, "activity.received", { actorUri }, { runAt: until, key });
};

/** The handler of `activity.received`. */
export const processInbox = async (
  app: App,
  { actorUri }: JobPayloads["activity.received"],
): Promise<void> => {
  await pruneInbox(app);
  let row = await claim(app, actorUri);
  if (!row) return watchOther(app, actorUri);
  for (; row; row = await claim(app, actorUri)) await work(app, actorUri, row);
};
