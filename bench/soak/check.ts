// Checks at the end that everything acknowledged is stored, that derived data agrees, and that no work is left.

import { setTimeout as sleep } from "node:timers/promises";
import type { FakePeer } from "../../test/fake-peer.ts";
import type { Someone } from "../../test/journeys/server.ts";
import { connect } from "../../src/platform/db/index.ts";
import type { Sql } from "../../src/platform/db/index.ts";
import { withAppIn } from "../../src/cli/session.ts";
import { retentionOptions } from "../../src/platform/jobs/retention.ts";
import { retention } from "../../src/retention.ts";
import type { Clock } from "./clock.ts";
import type { Stage } from "./people.ts";
import {
  selectDescribed,
  selectMarks,
  selectFollows,
  selectNotes,
  selectPosts,
  selectTooOld,
  selectWaiting,
} from "./queries.ts";

/** The result of one check: how many things it looked at, and what is wrong with some. */
export type Finding = { what: string; looked: number; wrong: string[] };

const QUIET_MS = 600_000;
const MOST_OF_HOME = 400;

/** Waits until no work is left: what failed while a process was dead is retried after a while. */
const untilDone = async (sql: Sql): Promise<string[]> => {
  const deadline = performance.now() + QUIET_MS;
  for (;;) {
    const rows = await selectWaiting(sql);
    const left = rows.filter(({ count }) => count > 0);
    if (left.length === 0) return [];
    if (performance.now() > deadline) return left.map(({ name, count }) => `${count} in ${name}`);
    await sleep(1000);
  }
};

const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, "");

const checkPosts = async ({ ledger }: Stage, sql: Sql): Promise<Finding> => {
  const rows = new Map((await selectPosts(sql)).map(({ id, content }) => [id, plain(content)]));
  const posts = [...ledger.posts.values()];
  const wrong = posts.flatMap(({ id, text }) => {
    const stored = rows.get(id) ?? null;
    return stored === text ? [] : [`${id} is ${stored}, and ${text} was acknowledged`];
  });
  const known = new Set(posts.map(({ id }) => id));
  const unknown = [...rows.keys()].filter((id) => !known.has(id));
  return {
    what: "posts",
    looked: posts.length,
    wrong: [...wrong, ...unknown.map((id) => `${id} is there twice, or was never acknowledged`)],
  };
};

const compare = (
  what: string,
  acknowledged: Map<string, boolean>,
  stored: Set<string>,
  matters: (key: string) => boolean,
): Finding => {
  const keys = [...acknowledged].filter(([key]) => matters(key));
  const wrong = keys
    .filter(([key, isOn]) => stored.has(key) !== isOn)
    .map(([key, isOn]) => `${key} is ${isOn ? "lost" : "still there"}`);
  return { what, looked: keys.length, wrong };
};

const checkMarks = async ({ ledger }: Stage, sql: Sql): Promise<Finding[]> => {
  const rows = await selectMarks(sql);
  const of = (kind: string): Set<string> =>
    new Set(rows.filter((row) => row.kind === kind).map(({ key }) => key));
  const isThere = (key: string): boolean => ledger.posts.get(key.split(" ")[1]!)?.text !== null;
  const likes = new Map([...ledger.likes].map((key) => [key, true]));
  return [
    compare("favourites", ledger.favourites, of("favourite"), isThere),
    compare("favourites from elsewhere", likes, of("favourite"), isThere),
    compare("bookmarks", ledger.bookmarks, of("bookmark"), isThere),
    compare("boosts", ledger.boosts, of("boost"), isThere),
  ];
};

const checkFollows = async ({ ledger }: Stage, sql: Sql): Promise<Finding> => {
  const stored = new Set((await selectFollows(sql)).map(({ key }) => key));
  return compare("follows", ledger.follows, stored, () => true);
};

const checkNotes = async ({ ledger }: Stage, sql: Sql): Promise<Finding> => {
  const rows = new Map((await selectNotes(sql)).map(({ uri, content }) => [uri, plain(content)]));
  const wrong = [...ledger.notes]
    .filter(([uri, text]) => (rows.get(uri) ?? null) !== text)
    .map(([uri, text]) => `${uri} is ${rows.get(uri) ?? null}, and ${text} was accepted`);
  return { what: "notes from elsewhere", looked: ledger.notes.size, wrong };
};

/** Checks public posts that the other server got: at least once, and the last activity is what holds. */
const checkDeliveries = ({ ledger }: Stage, peer: FakePeer): Finding => {
  const heard = new Set<string>();
  const ended = new Set<string>();
  for (const { type, object } of peer.inbox() as { type: string; object: any }[]) {
    if (type === "Create") heard.add(object.id);
    if (type === "Delete") ended.add(typeof object === "string" ? object : object.id);
  }
  const posts = [...ledger.posts.values()];
  const wrong = posts.flatMap(({ uri, text }) => [
    ...(heard.has(uri) || text === null ? [] : [`${uri} was not delivered`]),
    ...(text === null && heard.has(uri) && !ended.has(uri) ? [`${uri} was not taken back`] : []),
  ]);
  return { what: "deliveries", looked: posts.length, wrong };
};

/** Returns a page of a home; a feed that is being built is requested again. */
const pageOf = async ({ server }: Stage, { token }: Someone, path: string): Promise<string[]> => {
  for (;;) {
    const { status, json, text } = await server.request("GET", path, { token });
    if (status === 200) return (json as { id: string }[]).map(({ id }) => id);
    if (status !== 206) throw new Error(`${path}: ${status} ${text}`);
    await sleep(200);
  }
};

const homeOf = async (stage: Stage, person: Someone): Promise<string[]> => {
  const ids: string[] = [];
  for (let before = ""; ids.length < MOST_OF_HOME;) {
    const page = await pageOf(stage, person, `/api/v1/timelines/home?limit=40${before}`);
    if (page.length === 0) break;
    ids.push(...page);
    before = `&max_id=${page.at(-1)}`;
  }
  return ids;
};

const missing = (ids: string[], from: string[]): string[] => ids.filter((id) => !from.includes(id));

/** Compares feeds that were pushed to with feeds rebuilt from the database. */
const checkFeeds = async (stage: Stage, sql: Sql): Promise<Finding> => {
  const { server, people } = stage;
  const homes = () => Promise.all(people.map((person) => homeOf(stage, person)));
  const before = await homes();
  const { code, err } = await server.cli(["feeds", "clear", "--all"]);
  if (code !== 0) throw new Error(err);
  await untilDone(sql);
  const after = await homes();
  const differences = people.flatMap(({ name }, index) => {
    const [pushed, made] = [before[index]!, after[index]!];
    const length = Math.min(pushed.length, made.length);
    return [
      ...missing(made.slice(0, length), pushed).map((id) => ({ id, text: `${name} had not` })),
      ...missing(pushed.slice(0, length), made).map((id) => ({ id, text: `${name} had` })),
    ];
  });
  const ids = differences.map(({ id }) => id);
  const described = new Map((await selectDescribed(sql, ids)).map(({ id, text }) => [id, text]));
  const wrong = differences.map(({ id, text }) => `${text} ${id}: ${described.get(id) ?? "gone"}`);
  return { what: "posts in homes", looked: before.flat().length, wrong };
};

const checkCounts = async ({ server }: Stage): Promise<Finding[]> =>
  Promise.all(
    ["statuses", "accounts"].map(async (what) => {
      const { out, err } = await server.cli(["cache", "recount", what, "--dry-run", "--json"]);
      const { count } = JSON.parse(out || "null") ?? { count: err };
      return { what: `counts of ${what}`, looked: 1, wrong: count === 0 ? [] : [`${count} wrong`] };
    }),
  );

/** Checks what is kept for ever. */
const checkStored = async (stage: Stage, sql: Sql): Promise<Finding[]> => [
  await checkPosts(stage, sql),
  ...(await checkMarks(stage, sql)),
  await checkFollows(stage, sql),
  await checkNotes(stage, sql),
];

/** Runs all checks after everybody stopped. */
export const checkAll = async (
  stage: Stage,
  peer: FakePeer,
  databaseUrl: string,
): Promise<Finding[]> => {
  const sql = connect(databaseUrl, { max: 2, application: "soak" });
  try {
    const left = await untilDone(sql);
    return [
      { what: "what still waits", looked: 1, wrong: left },
      { what: "answers", looked: stage.ledger.acts, wrong: stage.ledger.faults },
      ...(await checkStored(stage, sql)),
      checkDeliveries(stage, peer),
      await checkFeeds(stage, sql),
      ...(await checkCounts(stage)),
    ];
  } finally {
    await sql.end({ timeout: 5 });
  }
};

const tooOld = async (sql: Sql): Promise<{ count: number; texts: string[] }> => {
  const rows = (await selectTooOld(sql)).filter(({ count }) => count > 0);
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    texts: rows.map(({ name, count }) => `${count} in ${name}`),
  };
};

const LATER_DAYS = 100;

/** Checks long after that what docs/RETENTION.md lists is gone, and everything else is there. */
export const checkRetention = async (
  stage: Stage,
  clock: Clock,
  databaseUrl: string,
): Promise<Finding[]> => {
  const sql = connect(databaseUrl, { max: 2, application: "soak" });
  try {
    clock.jump(LATER_DAYS);
    const before = await tooOld(sql);
    await withAppIn(
      stage.server.env,
      async (app) => {
        for (const what of Object.keys(retention))
          await app.jobs.add(app.sql, "retention.due", { what }, retentionOptions(what));
      },
      { migrated: false },
    );
    const left = await untilDone(sql);
    const later = (finding: Finding) => ({ ...finding, what: `${finding.what}, later` });
    return [
      { what: "what still waits, later", looked: 1, wrong: left },
      { what: "rows that are too old", looked: before.count, wrong: (await tooOld(sql)).texts },
      ...(await checkStored(stage, sql)).map(later),
    ];
  } finally {
    await sql.end({ timeout: 5 });
  }
};
