// Events of streams that change what is shown already, wherever it is shown.

import type { Status } from "../api/entities.ts";
import { dropStatus, keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { on } from "./live.ts";

/** Keeps what is news of posts that are here; others are for those who show them. */
const refresh = (store: Store, status: Status): void => {
  if (store.statuses.has(status.id)) keepStatus(store, status);
  else if (status.reblog && store.statuses.has(status.reblog.id)) keepStatus(store, status.reblog);
};

export const followChanges = (store: Store): void => {
  on("update", (status) => refresh(store, status));
  on("status.update", (status) => refresh(store, status));
  on("delete", (id) => dropStatus(store, id));
  on("notification", ({ status }) => {
    // Its counts are those of now.
    if (status) refresh(store, status);
  });
};
