// What activities write, for a whole batch at once: the changes, and the commands of the statuses slice
// that make them.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { createStatuses } from "../../domain/statuses/create.ts";
import type { NewStatus } from "../../domain/statuses/create.ts";
import { favouriteStatuses, unfavouriteStatuses } from "../../domain/statuses/favourite.ts";
import type { NewFavourite } from "../../domain/statuses/favourite.ts";
import { removeStatuses } from "../../domain/statuses/remove.ts";
import { forwardAll } from "./forward.ts";
import type { Forward } from "./forward.ts";
import { insertEarlyDeletes } from "./queries.ts";
import type { EarlyDelete } from "./queries.ts";

type Favourite = { accountId: string; statusId: string };

export type Change =
  | { do: "create"; status: NewStatus }
  | { do: "favourite"; favourite: NewFavourite }
  | { do: "unfavourite"; favourite: Favourite }
  | { do: "remove"; statusId: string }
  /** To the servers of followers of people here. */
  | { do: "forward"; forward: Forward }
  /** Something was deleted or undone that has not arrived yet. */
  | { do: "earlyDelete"; earlyDelete: EarlyDelete };

/** A change that was made already has no effect. */
export const applyChanges = async (app: App, tx: Tx, changes: Change[]): Promise<void> => {
  const created: NewStatus[] = [];
  const favourites: NewFavourite[] = [];
  const unfavourites: Favourite[] = [];
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
  if (created.length > 0) await createStatuses(app, tx, created);
  await favouriteStatuses(app, tx, favourites);
  await unfavouriteStatuses(app, tx, unfavourites);
  // Before the posts are gone by which it is known to whom.
  await forwardAll(app, tx, forwards);
  if (removed.length > 0) await removeStatuses(app, tx, removed);
};
