// Writes the changes of a whole batch of activities, by the commands of the statuses slice.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { idOf } from "../../platform/json/read.ts";
import { createStatuses } from "../../domain/posts/statuses/create.ts";
import type { NewStatus } from "../../domain/posts/statuses/new-status.ts";
import { favouriteStatuses, unfavouriteStatuses } from "../../domain/posts/statuses/favourite.ts";
import type { EndedFavourite, NewFavourite } from "../../domain/posts/statuses/favourite.ts";
import { removeStatuses } from "../../domain/posts/statuses/remove.ts";
import { forwardAll } from "./forward.ts";
import type { Forward } from "./forward.ts";
import { insertEarlyDeletes } from "./queries.ts";
import type { EarlyDelete } from "./queries.ts";

export type Change =
  | { do: "create"; status: NewStatus }
  | { do: "favourite"; favourite: NewFavourite }
  | { do: "unfavourite"; favourite: EndedFavourite }
  | { do: "remove"; statusId: string }
  /** Forwards an activity to the servers of local people's followers. */
  | { do: "forward"; forward: Forward }
  /** Remembers that something was deleted or undone before it arrived. */
  | { do: "earlyDelete"; earlyDelete: EarlyDelete };

/**
 * Creates statuses; returns the addresses of those that are not stored, because a spam rule refused them or they were
 * deleted.
 */
const create = async (app: App, tx: Tx, statuses: NewStatus[]): Promise<string[]> => {
  if (statuses.length === 0) return [];
  const results = await createStatuses(app, tx, statuses);
  return statuses.flatMap(({ row: { uri } }, n) => (results[n] === null && uri ? [uri] : []));
};

/** Applies changes; one that was made already has no effect. */
export const applyChanges = async (app: App, tx: Tx, changes: Change[]): Promise<void> => {
  const created: NewStatus[] = [];
  const favourites: NewFavourite[] = [];
  const unfavourites: EndedFavourite[] = [];
  const removed: string[] = [];
  const earlyDeletes: EarlyDelete[] = [];
  const forwards: Forward[] = [];
  for (const change of changes) {
    if (change.do === "create") created.push(change.status);
    else if (change.do === "favourite") favourites.push(change.favourite);
    else if (change.do === "unfavourite") unfavourites.push(change.favourite);
    else if (change.do === "forward") forwards.push(change.forward);
    else if (change.do === "remove") removed.push(change.statusId);
    else earlyDeletes.push(change.earlyDelete);
  }
  if (earlyDeletes.length > 0) await insertEarlyDeletes(tx, earlyDeletes, app.clock.now());
  const stopped = await create(app, tx, created);
  await favouriteStatuses(app, tx, favourites);
  await unfavouriteStatuses(app, tx, unfavourites);
  // Activities are forwarded before the posts are deleted that determine the recipients.
  await forwardAll(
    app,
    tx,
    forwards.filter(({ body }) => !stopped.includes(idOf(body["object"]) ?? "")),
  );
  if (removed.length > 0) await removeStatuses(app, tx, removed);
};
