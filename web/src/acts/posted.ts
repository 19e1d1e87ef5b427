// Shows what was written in this window at once: in the lists that it belongs to, and in the counts of what it replies
// to and quotes.

import { signal } from "@preact/signals";
import type { Status } from "../api/entities.ts";
import { countWith, keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";

/** The newest post written in this window. */
export const posted = signal<{ id: string; parentId: string | null } | null>(null);

export const showPosted = (store: Store, status: Status): void => {
  keepStatus(store, status);
  countWith(store, status, 1);
  posted.value = { id: status.id, parentId: status.in_reply_to_id };
};
