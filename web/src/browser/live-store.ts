// Applies events of streams to everything that is already shown, wherever it is.

import { isBeingActedOn } from "../acts/acts.ts";
import type { Status } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { dropStatus, isUnwanted, keepDomainBlock, keepStatus } from "../store/store.ts";
import { keepTold, reloadRelations } from "../store/relations.ts";
import type { Store } from "../store/store.ts";
import { on } from "../window/live.ts";

/** Updates posts that are in the store; others are left to those who show them. */
const refresh = (store: Store, status: Status, isReport = true): void => {
  const known = store.statuses.has(status.id) ? status : status.reblog;
  if (known && store.statuses.has(known.id)) keepStatus(store, known, isReport);
};

export const followChanges = ({ get, store }: { get: Get; store: Store }): void => {
  // A mute or block may have come after the page was drawn, or while there was no connection.
  on("open", () => void reloadRelations({ get, store }).catch(() => {}));
  on("update", (status) => refresh(store, status));
  on("status.update", (status) => refresh(store, status));
  on("status.acted", (status) => {
    // The answer to an act in this window is newer than the event of an act before it.
    if (!isBeingActedOn((status.reblog ?? status).id)) refresh(store, status, false);
  });
  on("relationship", (relationship) => keepTold(store, relationship));
  on("domain_block", ({ domain, blocked }) => keepDomainBlock(store, domain, blocked));
  on("delete", (id) => {
    // After a mute or block it only says that the post is not in home any more, where lists leave it out.
    if (!isUnwanted(store, id)) dropStatus(store, id);
  });
  on("notification", ({ status }) => {
    // Its counts are up to date.
    if (status) refresh(store, status);
  });
};
