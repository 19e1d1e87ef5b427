// What activities write, all of a batch together: the acts, and the commands of the statuses slice
// that do them.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { createStatuses } from "../../domain/statuses/create.ts";
import type { NewStatus } from "../../domain/statuses/create.ts";
import { favouriteStatuses, unfavouriteStatuses } from "../../domain/statuses/favourite.ts";
import { removeStatuses } from "../../domain/statuses/remove.ts";
import { insertEarlyDeletes } from "./queries.ts";
import type { EarlyDelete } from "./queries.ts";

type Favour = { accountId: string; statusId: string };

export type Act =
  | { do: "create"; status: NewStatus }
  | { do: "favourite"; favour: Favour & { uri: string } }
  | { do: "unfavourite"; favour: Favour }
  | { do: "remove"; statusId: string }
  /** Something was deleted, or an act undone, that has not come yet. */
  | { do: "noteDelete"; gone: EarlyDelete };

/** What was done already changes nothing. */
export const applyActs = async (app: App, tx: Tx, acts: Act[]): Promise<void> => {
  const created: NewStatus[] = [];
  const favourites: (Favour & { uri: string })[] = [];
  const unfavourites: Favour[] = [];
  const removed: string[] = [];
  const gone: EarlyDelete[] = [];
  for (const act of acts) {
    if (act.do === "create") created.push(act.status);
    else if (act.do === "favourite") favourites.push(act.favour);
    else if (act.do === "unfavourite") unfavourites.push(act.favour);
    else if (act.do === "remove") removed.push(act.statusId);
    else gone.push(act.gone);
  }
  if (gone.length > 0) await insertEarlyDeletes(tx, gone, app.clock.now());
  if (created.length > 0) await createStatuses(app, tx, created);
  await favouriteStatuses(app, tx, favourites);
  await unfavouriteStatuses(app, tx, unfavourites);
  if (removed.length > 0) await removeStatuses(app, tx, removed);
};
