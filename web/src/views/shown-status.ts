// Defines the post that views are given, and the path of its page.

import type { Status } from "../api/entities.ts";
import type { StoredStatus } from "../store/store.ts";

/** The post is from the store, or from an answer of the API. */
export type ShownStatus = StoredStatus | Status;

/** Returns the page of a post on this server. */
export const postPath = ({ account, id }: Pick<ShownStatus, "account" | "id">): string =>
  `/@${account.acct}/${id}`;
