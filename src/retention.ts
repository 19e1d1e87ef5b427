// Lists everything that is deleted by age, as in docs/RETENTION.md and docs/design/database.md. How long each is stored
// is said where it is deleted.

import type { RetentionTable } from "./platform/jobs/retention.ts";
import { deleteOldTries } from "./domain/base/blocklists/emails.ts";
import { deleteExpiredIps } from "./domain/base/blocklists/ips.ts";
import { deleteRemoteFiles, deleteUnusedUploads } from "./domain/base/media/retention.ts";
import { deleteOldRecommendations } from "./domain/people/discovery/recommend.ts";
import { deleteOldFormerFollows } from "./domain/people/relationships/former-follows.ts";
import { deleteUnusedCards } from "./domain/posts/cards/retention.ts";
import {
  deleteExpiredTokens,
  deleteOldCodes,
  deleteOldWeeks,
  deleteRevokedTokens,
} from "./domain/people/oauth/retention.ts";
import { deleteOldActs } from "./domain/people/users/identities/acts.ts";
import { deleteOldAssertions } from "./domain/people/sso/assertions.ts";
import { deleteStaleSessions } from "./domain/people/users/session.ts";
import { deleteOldNotifications } from "./domain/reading/notifications/notify.ts";
import { deleteUnconfirmed } from "./domain/reading/subscriptions/subscribe.ts";
import { deleteOldTagDays } from "./domain/posts/tags/use.ts";
import {
  deleteOldIdempotencyKeys,
  deleteOldTombstones,
  deleteUntouchedStatuses,
} from "./domain/posts/statuses/upkeep.ts";
import { deleteOldGroupActs, deleteOldGroupAnswers } from "./domain/reading/groups/retention.ts";
import { deleteOldArchives } from "./domain/about/transfers/archive/request.ts";
import { deleteOldImports } from "./domain/about/transfers/import.ts";
import { deleteOldChanges } from "./domain/staff/domain-lists/lists.ts";
import { deleteOldPeers } from "./domain/base/peers/peers.ts";
import { deleteOldMatches } from "./domain/base/spam/rules.ts";
import { deleteOldOutgoing } from "./federation/delivery/outgoing.ts";
import { deleteOldDeliveries, deleteOldHosts } from "./federation/delivery/retention.ts";
import { deleteOldRegistrations } from "./federation/fasp/providers.ts";
import { deleteOldEarlyDeletes, deleteOldSeen } from "./federation/inbox/store.ts";

export const retention: RetentionTable = {
  archives: deleteOldArchives,
  blocked_sign_ups: deleteOldTries,
  cards: deleteUnusedCards,
  codes: deleteOldCodes,
  deliveries: deleteOldDeliveries,
  domain_list_changes: deleteOldChanges,
  early_deletes: deleteOldEarlyDeletes,
  fasp_registrations: deleteOldRegistrations,
  former_follows: deleteOldFormerFollows,
  group_acts: deleteOldGroupActs,
  group_answers: deleteOldGroupAnswers,
  idempotency_keys: deleteOldIdempotencyKeys,
  imports: deleteOldImports,
  ip_blocks: deleteExpiredIps,
  notifications: deleteOldNotifications,
  outgoing_activities: deleteOldOutgoing,
  peers: deleteOldPeers,
  recommended_accounts: deleteOldRecommendations,
  remote_hosts: deleteOldHosts,
  remote_statuses: deleteUntouchedStatuses,
  seen_activities: deleteOldSeen,
  spam: deleteOldMatches,
  sessions: deleteStaleSessions,
  sso_assertions: deleteOldAssertions,
  subscriptions: deleteUnconfirmed,
  shared_acts: deleteOldActs,
  tag_days: deleteOldTagDays,
  tokens: deleteRevokedTokens,
  expired_tokens: deleteExpiredTokens,
  tombstones: deleteOldTombstones,
  remote_files: deleteRemoteFiles,
  uploads: deleteUnusedUploads,
  weeks: deleteOldWeeks,
};
