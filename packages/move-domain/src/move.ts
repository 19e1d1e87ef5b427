// Moves the server to another domain: every address in the database is rewritten, other servers are told, and the old
// names become former ones (docs/design/moving.md). Each slice commits together with the progress, so that an
// interrupted move continues there.

import {
  COMMAND_LINE,
  ConfigError,
  audit,
  holdDatabase,
  originWith,
  selectFormerNames,
} from "./uses.ts";
import type { App, FormerNames, SiteNames, Tx } from "./uses.ts";
import { COLUMNS } from "./columns.ts";
import { checkNames } from "./check.ts";
import {
  changeNames,
  finishMove,
  insertMove,
  rewriteSlice,
  selectMove,
  updateMove,
} from "./queries.ts";
import type { MoveRow, Slice } from "./queries.ts";
import { notifyBlocked, notifyFollowed, notifyFollowers, notifyRelays } from "./notify-others.ts";

/** `app` has the new names, and the old ones among the former. */
type Moving = { app: App; former: FormerNames };

type Step = {
  name: string;
  slice(moving: Moving, tx: Tx, after: string): Promise<Slice>;
};

const REWRITES: readonly Step[] = COLUMNS.map((columns) => ({
  name: columns.table,
  slice: ({ app, former }, tx, after) =>
    rewriteSlice(tx, columns, { from: former.origin, to: app.config.site.origin }, after),
}));

const TELLS: readonly Step[] = [
  { name: "Move", slice: ({ app, former }, tx, after) => notifyFollowers(app, tx, former, after) },
  {
    name: "Follow",
    slice: ({ app }, tx, after) => notifyFollowed(app, tx, "follows", after),
  },
  {
    name: "Follow (requests)",
    slice: ({ app }, tx, after) => notifyFollowed(app, tx, "follow_requests", after),
  },
  { name: "Block", slice: ({ app }, tx, after) => notifyBlocked(app, tx, after) },
  { name: "relays", slice: ({ app }, tx) => notifyRelays(app, tx) },
];

const STEPS: readonly Step[] = [...REWRITES, ...TELLS];

/** Number of rows or activities of each step. */
export type Moved = { from: SiteNames; to: SiteNames; counts: Record<string, number> };

export type OnProgress = (step: string, done: number) => void;

const namesOf = ({ localDomain, webDomain, https }: SiteNames): SiteNames => ({
  localDomain,
  webDomain,
  https,
});

/** Returns the unfinished move, or begins a new one. */
const begin = async (app: App, to: SiteNames): Promise<MoveRow> => {
  const present = await selectMove(app.sql);
  if (present) return present;
  await insertMove(app.sql, to, app.clock.now());
  return (await selectMove(app.sql))!;
};

/** Returns the remaining steps, each with the row after which it continues. */
const left = ({ step, after }: MoveRow): { step: Step; after: string }[] => {
  const at = Math.max(
    0,
    STEPS.findIndex(({ name }) => name === step),
  );
  return STEPS.slice(at).map((next, n) => ({ step: next, after: n === 0 && step ? after : "0" }));
};

/** The highest id; no row of a step comes after it. */
const END = "9223372036854775807";

const runStep = async (
  moving: Moving,
  move: MoveRow,
  step: Step,
  onProgress: OnProgress,
  from: string,
) => {
  for (let after: string | null = from; after !== null && after !== END;) {
    const begun: string = after;
    const { done, last } = await moving.app.sql.begin(async (tx) => {
      const slice = await step.slice(moving, tx, begun);
      await updateMove(tx, move.id, {
        step: step.name,
        after: slice.last ?? END,
        done: slice.done,
      });
      return slice;
    });
    onProgress(step.name, done);
    after = last;
  }
};

const finish = (app: App, move: MoveRow, moved: Omit<Moved, "counts">) =>
  app.sql.begin(async (tx) => {
    const now = app.clock.now();
    await changeNames(tx, moved.to, move.started_at);
    await finishMove(tx, move.id, now);
    await audit(app, tx, COMMAND_LINE, {
      action: "server.move_domain",
      target: { type: "domain", id: null, label: moved.to.localDomain },
      details: { from: moved.from.localDomain },
    });
  });

/** Throws ConfigError while a server works on the database: it would write old addresses. */
const holdAlone = (app: App): Promise<() => Promise<void>> =>
  holdDatabase(app.sql).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError("The server is running: stop every process of it first.");
  });

/** Returns the former names as they will be after the move. */
const futureNames = async (app: App, from: SiteNames, until: Date): Promise<FormerNames[]> => {
  const origin = originWith(from);
  const { webDomain } = app.config.site;
  const others = (await selectFormerNames(app.sql)).filter(
    (names) => names.webDomain !== webDomain && names.webDomain !== from.webDomain,
  );
  return [{ ...namesOf(from), origin, until }, ...others];
};

/**
 * Moves the server from these names to those of `app`, or continues an unfinished move. Throws ConfigError where that
 * is impossible.
 */
export const moveDomain = async (
  app: App,
  { from, onProgress = () => {} }: { from: SiteNames; onProgress?: OnProgress },
): Promise<Moved> => {
  const to = namesOf(app.config.site);
  const release = await holdAlone(app);
  try {
    await checkNames(app, from);
    const move = await begin(app, to);
    app.config.site.former = await futureNames(app, from, move.started_at);
    const moving = { app, former: app.config.site.former[0]! };
    for (const { step, after } of left(move)) await runStep(moving, move, step, onProgress, after);
    const { counts } = (await selectMove(app.sql))!;
    await finish(app, move, { from, to });
    return { from, to, counts };
  } finally {
    await release();
  }
};
