// Writes follows together: judges them under the locks of their pairs, then stores them with counts, events and jobs by
// a fixed number of statements.

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { keepCountedAccounts } from "../accounts/load.ts";
import type { AccountView, FollowCounts } from "../accounts/tables.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import type { Pair } from "./events.ts";
import { endFormer } from "./former-follows.ts";
import { selectStandings } from "./queries.ts";
import { insertFollows, lockPairs, updateFollows } from "./queries-write.ts";
import type { FollowRow, FollowTable, StoredFollow } from "./queries-write.ts";
import type { Relation } from "./tables.ts";

/** `uri` is that of the Follow activity, when another server sent it. */
export type PendingFollow = FollowRow & { account: AccountView; target: AccountView };

/** A follow with the relation of the two, which nothing else changes until the transaction ends. */
export type Judged = PendingFollow & {
  relation: Relation;
  /** Whether the target blocks the whole domain of the follower. */
  isDomainBlocked: boolean;
};

/**
 * `renewed`: the follow exists, and its options change. `resumed`: a remote account that followed under a former domain
 * of this server follows under the present one, without a new request or notification.
 */
export type Verdict = "followed" | "requested" | "renewed" | "resumed" | "refused" | "over limit";

/** `relation` is the one after the follow. */
export type Outcome = { verdict: Verdict; relation: Relation };

type Rules = {
  isShutOut: (follow: Judged) => boolean;
  judge: (follow: Judged, isFormer: boolean) => Verdict;
};

type JudgedAs = Judged & { verdict: Verdict };

const keyOf = ({ accountId, targetId }: Pair): string => `${accountId} ${targetId}`;

const judgeAll = async (
  app: App,
  tx: Tx,
  follows: PendingFollow[],
  { isShutOut, judge }: Rules,
): Promise<JudgedAs[]> => {
  // Both run in order on the connection of the transaction, so that the select sees the state after the lock.
  const [, standings] = await Promise.all([
    lockPairs(tx, follows),
    selectStandings(tx, follows, app.clock.now()),
  ]);
  const judged = follows.map((follow, n) => {
    const { domain_blocked_by: isDomainBlocked, ...relation } = standings[n]!;
    return { ...follow, relation, isDomainBlocked };
  });
  const welcome = judged.filter((follow) => !isShutOut(follow));
  const ended = await endFormer(tx, welcome.filter(({ uri }) => uri !== null).map(pairOf));
  const former = new Set(ended.map(keyOf));
  const isWelcome = new Set(welcome);
  return judged.map((follow) => ({
    ...follow,
    verdict: isWelcome.has(follow) ? judge(follow, former.has(keyOf(follow))) : "refused",
  }));
};

const pairOf = ({ accountId, targetId }: Pair): Pair => ({ accountId, targetId });

const changesSomething = ({ uri, options }: PendingFollow): boolean =>
  uri !== null || Object.values(options).some((option) => option !== undefined);

type Stored = { inserted: Set<string>; rows: StoredFollow[] };

/** Inserts new follows, and changes the options of existing ones. */
const store = async (
  app: App,
  tx: Tx,
  table: FollowTable,
  follows: JudgedAs[],
): Promise<Stored> => {
  const isThere = ({ relation }: Judged) =>
    table === "follows" ? relation.following : relation.requested;
  const missing = follows.filter((follow) => !isThere(follow));
  const rows = await insertFollows(
    tx,
    table,
    missing.map((follow) => ({
      ...follow,
      uri: follow.uri ?? `${app.config.site.origin}/${randomUUID()}`,
    })),
  );
  const inserted = new Set(rows.map(keyOfRow));
  // The uri that the other side knows stays, unless the follower sends a new one.
  const others = follows.filter(
    (follow) => !inserted.has(keyOf(follow)) && (!isThere(follow) || changesSomething(follow)),
  );
  return { inserted, rows: [...rows, ...(await updateFollows(tx, table, others))] };
};

const keyOfRow = ({ account_id, target_account_id }: StoredFollow): string =>
  keyOf({ accountId: account_id, targetId: target_account_id });

/** A peer that sends its Follow again gets the answer again. */
const isNews = ({ verdict, uri }: JudgedAs, isNew: boolean): boolean =>
  verdict === "followed" ? isNew : verdict === "renewed" && uri !== null;

/** Enqueues the work that follows. */
const enqueue = async (app: App, tx: Tx, follows: JudgedAs[], isNew: (follow: Pair) => boolean) => {
  const answered = (verdict: Verdict) =>
    follows
      .filter((follow) => follow.verdict === verdict && follow.uri !== null)
      .map((follow) => ({ payload: { ...pairOf(follow), uri: follow.uri } }));
  const requests = follows.filter((follow) => follow.verdict === "requested" && isNew(follow));
  await emit(
    app,
    tx,
    "account.followed",
    follows.filter((follow) => isNews(follow, isNew(follow))).map(pairOf),
  );
  await app.jobs.addMany(
    tx,
    "account.follow_requested",
    requests.map((follow) => ({ payload: pairOf(follow) })),
  );
  await app.jobs.addMany(tx, "follow.accepted", answered("resumed"));
  await app.jobs.addMany(tx, "follow.rejected", answered("refused"));
};

const FOLLOWS: Verdict[] = ["followed", "renewed", "resumed"];

const relationAfter = (
  { relation, verdict }: JudgedAs,
  row: StoredFollow | undefined,
): Relation => {
  if (!row) return relation;
  const { account_id: _follower, target_account_id: _target, ...options } = row;
  const standing = verdict === "requested" ? { requested: true } : { following: true };
  return { ...relation, ...standing, ...options };
};

type Written = { outcomes: Outcome[]; counts: FollowCounts[] };

const write = async (
  app: App,
  tx: Tx,
  pending: PendingFollow[],
  rules: Rules,
): Promise<Written> => {
  const follows = await judgeAll(app, tx, pending, rules);
  const ofVerdicts = (...verdicts: Verdict[]) =>
    follows.filter(({ verdict }) => verdicts.includes(verdict));
  const followed = await store(app, tx, "follows", ofVerdicts(...FOLLOWS));
  const requested = await store(app, tx, "follow_requests", ofVerdicts("requested"));
  const counts = await countFollows(
    tx,
    follows
      .filter((follow) => followed.inserted.has(keyOf(follow)))
      .map((follow) => ({ ...pairOf(follow), by: 1 })),
  );
  await enqueue(app, tx, follows, (follow) =>
    [followed, requested].some(({ inserted }) => inserted.has(keyOf(follow))),
  );
  const rows = new Map([...followed.rows, ...requested.rows].map((row) => [keyOfRow(row), row]));
  const outcomes = follows.map((follow) => ({
    verdict: follow.verdict,
    relation: relationAfter(follow, rows.get(keyOf(follow))),
  }));
  return { outcomes, counts };
};

/**
 * Takes one transaction. Both accounts of each follow stay cached with their new counts, as far as nothing else changes
 * them.
 */
const storeRound = (app: App, follows: PendingFollow[], rules: Rules): Promise<Outcome[]> => {
  const ids = [...new Set(follows.flatMap(({ accountId, targetId }) => [accountId, targetId]))];
  return keepCountedAccounts(app, app.sql, ids, async (keep) => {
    const { outcomes, counts } = await app.sql.begin((tx) => write(app, tx, follows, rules));
    for (const { id, ...count } of counts) keep(id, count);
    return outcomes;
  });
};

/**
 * Splits follows into rounds, each with one act between two accounts, so that a later act is judged after an earlier
 * one.
 */
const inRounds = (follows: PendingFollow[]): PendingFollow[][] => {
  const rounds: PendingFollow[][] = [];
  const count = new Map<string, number>();
  for (const follow of follows) {
    const { accountId, targetId } = follow;
    const key = [accountId, targetId].toSorted().join(" ");
    const round = count.get(key) ?? 0;
    count.set(key, round + 1);
    (rounds[round] ??= []).push(follow);
  }
  return rounds;
};

/** Judges and stores; outcomes are in the order of the follows. */
export const storeFollows = async (
  app: App,
  follows: PendingFollow[],
  rules: Rules,
): Promise<Outcome[]> => {
  const outcomes = new Map<PendingFollow, Outcome>();
  for (const round of inRounds(follows)) {
    const ended = await storeRound(app, round, rules);
    round.forEach((follow, n) => outcomes.set(follow, ended[n]!));
  }
  await relationsChanged(app, ...new Set(follows.map(({ accountId }) => accountId)));
  return follows.map((follow) => outcomes.get(follow)!);
};
