// Favourites statuses, and undoes it, for local and remote accounts, one or many. An account's favourite counts once.

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { createBatcher, gatherRequests } from "../../../platform/batcher.ts";
import { perApp } from "../../../platform/caches/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { publishEvents } from "../../../platform/outbox/emit.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import "./events.ts";
import { keepCounted, keepMark } from "./cache.ts";
import { asStillSeen, checkInteraction } from "./rules.ts";
import {
  deleteFavourites,
  deleteFurther,
  insertFavourites,
  insertFurther,
  MARKS,
  promoteFurther,
} from "./queries-acts.ts";
import type { FavouriteOf, StoredFavourite } from "./queries-acts.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { actTarget, tellAct, undoAct } from "./acts.ts";

/**
 * `uri` is that of the Like activity. A local favourite gets a new one each time, because peers drop an activity whose
 * id they have seen, and a favourite can be undone and made again.
 */
export type NewFavourite = FavouriteOf & {
  uri?: string;
  /** Emoji with which a remote account reacted. */
  reaction?: string | null;
  /** Address of the picture of that emoji. */
  reactionUrl?: string | null;
};

/**
 * Passes the events that `store` writes to the worker. Statuses stay cached with the new count, and so do people's
 * marks, as far as nothing else changes them; reactions are read anew.
 */
const storeFavourites = (
  app: App,
  db: Db,
  favourites: EndedFavourite[],
  isSet: boolean,
  store: () => Promise<StoredFavourite[]>,
): Promise<StoredFavourite[]> => {
  const ids = [...new Set(favourites.map(({ statusId }) => statusId))];
  return keepCounted(app, db, ids, async (keep) => {
    const marks = new Map(
      favourites.map(({ accountId, statusId }) => [
        `${accountId} ${statusId}`,
        keepMark(app, db, accountId, statusId),
      ]),
    );
    const stored = await store();
    const reacted = new Set(
      stored.filter(({ payload }) => payload.reaction).map(({ payload }) => payload.statusId),
    );
    for (const { payload, favourites_count } of stored) {
      // A reaction changes more than a count, so that the post is read anew.
      if (!reacted.has(payload.statusId)) keep(payload.statusId, { favourites_count });
      marks.get(`${payload.accountId} ${payload.statusId}`)?.(MARKS.favourited, isSet);
    }
    publishEvents(app, db, stored);
    return stored;
  });
};

/** Stores favourites that the caller has judged: `favourite` does so for people, the inbox for a batch. */
export const favouriteStatuses = async (
  app: App,
  db: Db,
  favourites: NewFavourite[],
): Promise<void> => {
  if (favourites.length === 0) return;
  const { origin } = app.config.site;
  const rows = favourites.map((favourite) => ({ uri: `${origin}/${randomUUID()}`, ...favourite }));
  const events = await storeFavourites(app, db, favourites, true, () =>
    insertFavourites(db, rows, app.outbox.owner()),
  );
  const remote = rows.filter((_, n) => favourites[n]!.uri !== undefined);
  if (remote.length > 0 && events.length < rows.length) await insertFurther(db, remote);
};

/** `uri` is that of the undone activity, where it is known; other reactions of the account stay. */
export type EndedFavourite = FavouriteOf & { uri?: string };

/** Returns those that end as a whole: the account has no other reaction to the post. */
const withoutFurther = async (db: Db, ended: EndedFavourite[]): Promise<EndedFavourite[]> => {
  const uris = ended.flatMap(({ uri }) => uri ?? []);
  if (uris.length === 0) return ended;
  const further = new Set((await deleteFurther(db, uris)).map(({ uri }) => uri));
  const first = uris.filter((uri) => !further.has(uri));
  const replaced = new Set(await promoteFurther(db, first));
  return ended.filter(({ uri }) => !uri || (!further.has(uri) && !replaced.has(uri)));
};

/** Returns how many favourites existed. */
export const unfavouriteStatuses = async (
  app: App,
  db: Db,
  favourites: EndedFavourite[],
): Promise<number> => {
  const ended = await withoutFurther(db, favourites);
  if (ended.length === 0) return 0;
  const events = await storeFavourites(app, db, ended, false, () =>
    deleteFavourites(db, ended, app.outbox.owner()),
  );
  return events.length;
};

/** Leaves out the viewer's own reaction. */
const reactionsWithout = ({ reactions }: StatusView, viewerId: string): StatusView["reactions"] =>
  reactions.flatMap((reaction) => {
    if (!reaction.by?.includes(viewerId)) return [reaction];
    const by = reaction.by.filter((id) => id !== viewerId);
    return reaction.count > 1 ? [{ ...reaction, by, count: reaction.count - 1 }] : [];
  });

/**
 * Returns the view after the act. It counts this act alone; acts of others at the same moment show with the next read.
 */
const favourited = <T extends StatusView>(view: T, now: boolean): T => {
  const { viewer } = view;
  if (!viewer || viewer.flags.favourited === now) return view;
  const count = Math.max(0, Number(view.favourites_count) + (now ? 1 : -1));
  const flags = { ...viewer.flags, favourited: now };
  const reactions = now ? view.reactions : reactionsWithout(view, viewer.id);
  return { ...view, reactions, favourites_count: String(count), viewer: { ...viewer, flags } };
};

/** Writes favourites of local people at the same moment together, as posts are (create.ts). */
const batcherOf = perApp("favourites being written", (app) =>
  createBatcher<NewFavourite, void>({
    async run(favourites) {
      await favouriteStatuses(app, app.sql, favourites);
      return [];
    },
    gatherMs: gatherRequests(app.process),
    maxBatch: 100,
    maxWaiting: 5_000,
  }),
);

/**
 * Throws NotFound for a status that the viewer may not see, Forbidden where its author's policy forbids a favourite.
 */
export const favourite = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  checkInteraction(view, "like");
  await batcherOf(app).add({ accountId: viewer.id, statusId: view.id });
  return tellAct(app, viewer, favourited(view, true));
};

export const unfavourite = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(
    app,
    viewer,
    id,
    async ({ id: statusId }) =>
      (await unfavouriteStatuses(app, app.sql, [{ accountId: viewer.id, statusId }])) > 0,
    (view) => tellAct(app, viewer, asStillSeen(favourited(view, false))),
  );
