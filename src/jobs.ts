// Every job: the index of all that happens later. Each line is a name and who does it; payloads are
// declared where the job is enqueued.

import type { JobTable } from "./platform/jobs/index.ts";
import { sendConfirmation } from "./domain/accounts/confirm.ts";
import { deliverNotification } from "./domain/notifications/tasks.ts";
import { runRefresh } from "./federation/actors.ts";
import { deliverOnce } from "./federation/delivery/deliver-once.ts";
import { processInbox } from "./federation/process-inbox.ts";
import { onTokensRevoked } from "./flows/tokens-revoked.ts";
import { onAccountRemoved } from "./flows/account-removed.ts";
import { onAccountUpdated } from "./flows/account-updated.ts";
import { onBlocked, onUnblocked } from "./flows/blocked.ts";
import { onFollowAccepted, onFollowRejected } from "./flows/follow-answered.ts";
import { onFollowRequested } from "./flows/follow-requested.ts";
import { onFollowed } from "./flows/followed.ts";
import { deliverPinned, deliverUnpinned } from "./flows/deliver-status.ts";
import { onInboxApplied } from "./flows/inbox-applied.ts";
import { onStatusCreated, runStatusStep } from "./flows/status-created.ts";
import { onStatusEdited } from "./flows/status-edited.ts";
import { onStatusFavourited, onStatusUnfavourited } from "./flows/status-favourited.ts";
import { onStatusRemoved } from "./flows/status-removed.ts";
import { onUnfollowed } from "./flows/unfollowed.ts";

export const jobTable: JobTable = {
  "status.created": { run: onStatusCreated },
  "status.fan_out": { run: runStatusStep("status.fan_out") },
  "status.notify": { run: runStatusStep("status.notify") },
  "status.deliver": { run: runStatusStep("status.deliver") },
  "status.edited": { run: onStatusEdited },
  "status.removed": { run: onStatusRemoved },
  "status.favourited": { run: onStatusFavourited },
  "status.unfavourited": { run: onStatusUnfavourited },
  "status.pinned": { run: deliverPinned },
  "status.unpinned": { run: deliverUnpinned },
  "account.followed": { run: onFollowed },
  "account.follow_requested": { run: onFollowRequested },
  "account.unfollowed": { run: onUnfollowed },
  "follow.accepted": { run: onFollowAccepted },
  "follow.rejected": { run: onFollowRejected },
  "account.blocked": { run: onBlocked },
  "account.unblocked": { run: onUnblocked },
  "account.updated": { run: onAccountUpdated },
  "account.removed": { run: onAccountRemoved },
  "actor.refresh": { run: runRefresh, lane: "network" },
  "activity.received": { run: processInbox, lane: "network" },
  "inbox.applied": { run: onInboxApplied },
  delivery: { run: deliverOnce, lane: "network" },
  "user.confirmation": { run: sendConfirmation, lane: "network" },
  "notification.created": { run: deliverNotification },
  "tokens.revoked": { run: onTokensRevoked },
};
