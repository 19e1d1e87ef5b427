// Loads the thread of a status (its ancestors and descendants, also from its server), and its earlier versions.

import type { App } from "../../../platform/app.ts";
import { boundedCache, sizeOf } from "../../../platform/caches/bounded.ts";
import { invalidationCount } from "../../../platform/db/commits.ts";
import { afterTurn, eachSlice } from "../../../platform/event-loop-turns.ts";
import { NOBODY } from "../../../platform/viewer.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { beginRefresh, runningRefresh } from "../../base/refreshes/refreshes.ts";
import type { Refresh } from "../../base/refreshes/refreshes.ts";
import { emojisInTexts, remoteEmojis } from "../../base/emojis/load.ts";
import { emojiText } from "./cache.ts";
import "./events.ts";
import { loadStatuses } from "./load.ts";
import { selectContextIds, selectEdits } from "./queries.ts";
import type { ContextLimits } from "./queries.ts";
import { belongsInList } from "./rules.ts";
import type { SeenStatus, StatusEditRow, StatusView } from "./tables.ts";
import { openTo } from "./visibility.ts";

export type Context = { ancestors: SeenStatus[]; descendants: SeenStatus[] };

// Statuses and levels of a thread (limits.json of the contract, context_anonymous and context_user).
const LIMITS = {
  anonymous: { ancestors: 40, descendants: 60, depth: 20 },
  person: { ancestors: 4096, descendants: 4096, depth: 4096 },
};

/** Returns whether a post is by a limited author whom the viewer does not follow; it is then shown only when opened. */
const isByStranger = (view: StatusView): boolean =>
  view.account.silenced_at !== null &&
  view.viewer?.id !== view.account_id &&
  view.viewer?.relation?.following !== true;

const belongsInThread = (view: StatusView): view is SeenStatus =>
  belongsInList(view) && !isByStranger(view);

/** Leaves out branches whose root is hidden: a reply to a hidden status is not shown either. */
const dropHiddenBranches = (rootId: string, views: StatusView[]): SeenStatus[] => {
  const shown = new Set([rootId]);
  return views.filter((view): view is SeenStatus => {
    if (!belongsInThread(view) || !shown.has(view.in_reply_to_id ?? "")) return false;
    shown.add(view.id);
    return true;
  });
};

/** Puts the author's replies to themselves before those of others. */
const ownThreadFirst = (root: StatusView, views: SeenStatus[]): SeenStatus[] => {
  const own = new Set([root.id]);
  for (const view of views) {
    const continues = own.has(view.in_reply_to_id ?? "") && view.account_id === root.account_id;
    if (continues) own.add(view.id);
  }
  const [first, rest] = [views.filter((v) => own.has(v.id)), views.filter((v) => !own.has(v.id))];
  return [...first, ...rest];
};

type Ids = { ancestors: string[]; descendants: string[] };
/** Ids with the numbers of the rows, so that no rows are held in memory. */
type Thread = Ids & { numbers: number[] };

/** Caches threads by the number of their root's row and the depth limit. */
const threads = boundedCache<Thread>("threads", sizeOf);

/**
 * Returns whether every status of the thread is still the same cached row. That means that the thread is unchanged,
 * because a reply or a deletion invalidates the parent, and a deletion also the replies.
 */
const isUnchanged = ({ numbers }: Thread, views: StatusView[]): boolean =>
  numbers.length === views.length &&
  views.every((view, index) => view.row.derived.number === numbers[index]);

/** Statuses of a thread that are loaded before requests of others get a turn. */
const PER_TURN = 400;

const load = async (
  app: App,
  { ancestors, descendants }: Ids,
  viewer: Viewer,
): Promise<StatusView[]> => {
  const views: StatusView[] = [];
  await eachSlice([...ancestors, ...descendants], PER_TURN, async (ids) => {
    views.push(...(await loadStatuses(app, ids, viewer)));
  });
  return views;
};

/** Loads ids and views; the ids are read again when anything in the thread has changed. */
const loadThread = async (app: App, view: StatusView, limits: ContextLimits) => {
  const viewer = view.viewer ?? NOBODY;
  const key = `${view.row.derived.number}:${limits.depth}`;
  const cached = threads(app).get(key);
  if (cached) {
    const views = await load(app, cached, viewer);
    if (isUnchanged(cached, views)) return { ids: cached, views };
  }
  const before = invalidationCount(app.sql);
  const ids = await selectContextIds(app.sql, view.id, limits);
  const views = await load(app, ids, viewer);
  if (app.config.caches.enabled && invalidationCount(app.sql) === before) {
    threads(app).set(key, { ...ids, numbers: views.map(({ row }) => row.derived.number) });
  }
  return { ids, views };
};

/** `view` is a status that its viewer may see; hidden ones of the thread are left out. */
export const loadContext = async (app: App, view: StatusView): Promise<Context> => {
  const limits = view.viewer === null ? LIMITS.anonymous : LIMITS.person;
  const { ids, views } = await loadThread(app, view, limits);
  const isLong = views.length > PER_TURN;
  await afterTurn(isLong);
  const above = new Set(ids.ancestors);
  const below = above.size === 0 ? views : views.filter(({ id }) => !above.has(id));
  const descendants = dropHiddenBranches(view.id, below);
  await afterTurn(isLong);
  return {
    ancestors: views.filter((ancestor) => above.has(ancestor.id)).filter(belongsInThread),
    descendants: ownThreadFirst(view, descendants),
  };
};

/** Seconds before replies are fetched again. */
const AGAIN_SECONDS = 15 * 60;

export const threadSubject = (id: string): string => `context:${id}`;

/** Returns the running refresh; null where there is nothing to wait for. */
export const wantReplies = async (app: App, view: StatusView): Promise<Refresh | null> => {
  const { id, local, reblog_of_id } = view;
  if (local || reblog_of_id || !openTo("elsewhere", view)) return null;
  if (!(await app.kv.add(`thread-wanted:${id}`, "1", AGAIN_SECONDS))) {
    return runningRefresh(app, threadSubject(id));
  }
  const { refresh } = await beginRefresh(app, threadSubject(id), true);
  await app.jobs.add(app.sql, "thread.wanted", { statusId: id }, { key: `thread:${id}` });
  return refresh;
};

/** Returns versions, oldest first, with their emojis: those of a local status are the server's own. */
export const loadEdits = async (app: App, view: SeenStatus): Promise<StatusEditRow[]> => {
  const edits = [...(await selectEdits(app.sql, view.id))];
  if (!view.local) {
    const remote = await remoteEmojis(
      app,
      edits.map(({ emojis }) => ({ uri: view.uri, emojis })),
    );
    return edits.map((edit, n) => ({ ...edit, emojis: remote[n]! }));
  }
  const emojis = await emojisInTexts(
    app,
    app.sql,
    edits.map((edit) => emojiText(edit, edit.poll_options ?? [])),
  );
  return edits.map((edit, n) => ({ ...edit, emojis: emojis[n]! }));
};
