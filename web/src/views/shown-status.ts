// Defines the post that views are given, the path of its page, and whether it may be boosted.

import type { Account, Status } from "../api/entities.ts";
import { isOpenToAll } from "../api/visibility.ts";
import type { StoredStatus } from "../store/store.ts";

/** The post is from the store, or from an answer of the API. */
export type ShownStatus = StoredStatus | Status;

/** Returns the page of a post on this server. */
export const postPath = ({ account, id }: Pick<ShownStatus, "account" | "id">): string =>
  `/@${account.acct}/${id}`;

/** Whether the reader may boost it: authors boost to their followers what not everybody may. */
export const mayBoost = (status: ShownStatus, me: Pick<Account, "id"> | null): boolean =>
  isOpenToAll(status) ||
  (status.account.id === me?.id && status.visibility !== "direct" && !status.circle);
