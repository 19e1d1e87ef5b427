// Row types of the conversations slice.

import type { AccountView } from "../../people/accounts/tables.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";

/** A thread of direct statuses between one person and the same others. */
export type ConversationRow = {
  id: string;
  account_id: string;
  /** Ids of the other participants, ascending; empty when one writes to oneself. */
  participant_ids: string[];
  last_status_id: string;
  unread: boolean;
};

export type ConversationView = ConversationRow & {
  accounts: AccountView[];
  /** Null where the person may not see it (any more). */
  lastStatus: SeenStatus | null;
};
