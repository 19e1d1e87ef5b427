// A post as views are given it, and where its page is.

import type { Status } from "../api/entities.ts";
import type { StoredStatus } from "../store/store.ts";

/** From the store, or as the API has answered. */
export type ShownStatus = StoredStatus | Status;

/** Returns the page of a post on this server. */
export const postPath = ({ account, id }: Pick<ShownStatus, "account" | "id">): string =>
  `/@${account.acct}/${id}`;
