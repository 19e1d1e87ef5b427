// Declares what is known of a status once its rows are deleted.

import type { VisibilityFacts } from "./visibility.ts";

export type Reach = {
  /** Inboxes of remote accounts that are mentioned or were involved; shared inboxes where there are any. */
  inboxes: string[];
  /** Ids of local people who boosted, replied to or quoted it: the servers of their followers may have fetched it. */
  sharerIds: string[];
};

/** All that is needed of a status once its rows are deleted. */
export type RemovedStatus = VisibilityFacts & {
  id: string;
  uri: string;
  accountId: string;
  local: boolean;
  reblogOfId: string | null;
  reblogOfUri: string | null;
  /** Address of the boosted status's author. */
  reblogOfAuthorUri: string | null;
  /** Whether only the author of the other post was sent it. */
  awaitsApproval: boolean;
  /** ISO 8601. */
  createdAt: string;
  inReplyToAccountId: string | null;
  tags: string[];
  /** Whether one of its versions has media; absent in events of older versions. */
  hasMedia?: boolean;
  mentionIds: string[];
  /** Who may have a copy of a local one. */
  reach?: Reach;
  /** Its reblogs, which were deleted with it. */
  reblogs?: { id: string; accountId: string }[];
};
