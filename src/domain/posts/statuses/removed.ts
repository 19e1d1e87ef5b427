// What is known of a status once its rows are deleted.

import type { VisibilityFacts } from "./visibility.ts";

export type Reach = {
  /** Of the remote accounts that are mentioned, or did something with it; shared ones where there are. */
  inboxes: string[];
  /** People here who boosted, answered or quoted it: the servers of their followers fetch it. */
  sharerIds: string[];
};

/** All that is needed once the rows are deleted. */
export type RemovedStatus = VisibilityFacts & {
  id: string;
  uri: string;
  accountId: string;
  local: boolean;
  reblogOfId: string | null;
  reblogOfUri: string | null;
  /** The address of the author of what it boosted. */
  reblogOfAuthorUri: string | null;
  /** Only the author of the other post was sent it. */
  awaitsApproval: boolean;
  /** ISO 8601. */
  createdAt: string;
  inReplyToAccountId: string | null;
  tags: string[];
  /** One of its versions has media; missing in what was written before. */
  hasMedia?: boolean;
  mentionIds: string[];
  /** Who may have a copy, of local ones. */
  reach?: Reach;
  /** Its reblogs, which were deleted with it. */
  reblogs?: { id: string; accountId: string }[];
};
