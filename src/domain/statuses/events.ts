// What the statuses slice announces: the payloads of the jobs that follow from its acts.

import type { VisibilityFacts } from "./visibility.ts";

/** All that is needed once the rows are gone. */
export type RemovedStatus = VisibilityFacts & {
  id: string;
  uri: string;
  accountId: string;
  local: boolean;
  reblogOfId: string | null;
  reblogOfUri: string | null;
  /** ISO 8601. */
  createdAt: string;
  inReplyToAccountId: string | null;
  tags: string[];
  mentionIds: string[];
  /** Statuses that went with it: the reblogs of it. */
  reblogIds: string[];
};

export type Favourited = { accountId: string; statusId: string; uri: string | null };
export type Pinned = { accountId: string; statusId: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "status.created": { id: string };
    "status.edited": { id: string };
    "status.removed": RemovedStatus;
    "status.favourited": Favourited;
    "status.unfavourited": Favourited;
    "status.bookmarked": { id: string };
    "status.scheduled": { id: string };
    "status.pinned": Pinned;
    "status.unpinned": Pinned;
  }
}
