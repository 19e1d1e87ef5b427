// Lists everything that is deleted by age, as in docs/RETENTION.md and docs/design/database.md. How long each is stored
// is said here, or where more is done than rows are deleted.

import { both, olderThan } from "./platform/jobs/retention.ts";
import type { RetentionTable } from "./platform/jobs/retention.ts";
import { HISTORY_DAYS } from "./domain/base/blocklists/emails.ts";
import { deleteExpiredIps } from "./domain/base/blocklists/ips.ts";
import { deleteRemoteFiles, deleteUnusedUploads } from "./domain/base/media/retention.ts";
import { deleteUnusedCards } from "./domain/posts/cards/retention.ts";
import { deleteExpiredTokens, deleteRevokedTokens } from "./domain/people/oauth/retention.ts";
import { deleteStaleSessions } from "./domain/people/users/session.ts";
import { deleteOldNotifications } from "./domain/reading/notifications/notify.ts";
import {
  deleteOldIdempotencyKeys,
  deleteUntouchedStatuses,
} from "./domain/posts/statuses/upkeep.ts";
import { ARCHIVE_DAYS } from "./domain/about/transfers/archive/request.ts";
import { deleteOldImports } from "./domain/about/transfers/import.ts";
import { deleteOldDeliveries, deleteOldHosts } from "./federation/delivery/retention.ts";
import { deleteOldRegistrations } from "./federation/fasp/providers.ts";
import { deleteOldSeen } from "./federation/inbox/store.ts";

export const retention: RetentionTable = {
  archives: olderThan(ARCHIVE_DAYS, "archives"),
  blocked_sign_ups: olderThan(HISTORY_DAYS, "email_domain_block_tries", "day"),
  cards: deleteUnusedCards,
  // A second use of a code revokes the tokens of the first.
  codes: olderThan(1, "oauth_codes", "expires_at"),
  deliveries: deleteOldDeliveries,
  domain_list_changes: olderThan(90, "domain_list_changes"),
  // A signature is valid for half a day, and peers retry for some days.
  early_deletes: olderThan(7, "early_deletes"),
  fasp_registrations: deleteOldRegistrations,
  // Servers that were away longer learn nothing of the move any more.
  former_follows: olderThan(90, "former_follows"),
  group_acts: olderThan(365, "group_acts"),
  // Replies are counted for a day.
  group_answers: olderThan(2, "group_answers"),
  idempotency_keys: deleteOldIdempotencyKeys,
  imports: deleteOldImports,
  ip_blocks: deleteExpiredIps,
  notifications: deleteOldNotifications,
  // Longer than an activity is tried (LIFETIME_DAYS in federation/delivery/retention.ts).
  outgoing_activities: olderThan(8, "outgoing_activities"),
  peers: olderThan(90, "peers", "checked_at"),
  recommended_accounts: olderThan(30, "recommended_accounts", "found_at"),
  remote_hosts: deleteOldHosts,
  remote_statuses: deleteUntouchedStatuses,
  seen_activities: deleteOldSeen,
  spam: both(olderThan(1, "spam_texts", "at"), olderThan(30, "spam_matches")),
  sessions: deleteStaleSessions,
  sso_assertions: olderThan(0, "sso_assertions", "expires_at"),
  subscriptions: olderThan(0, "email_subscriptions", "expires_at"),
  shared_acts: olderThan(180, "shared_acts"),
  // Twice the length of a history.
  tag_days: both(olderThan(14, "tag_day_accounts", "day"), olderThan(14, "tag_days", "day")),
  tokens: deleteRevokedTokens,
  expired_tokens: deleteExpiredTokens,
  // A deleted status that arrives later does not exist at its origin any more, and is not fetched.
  tombstones: olderThan(90, "tombstones"),
  remote_files: deleteRemoteFiles,
  uploads: deleteUnusedUploads,
  // Statistics reach back twelve weeks, the current one included.
  weeks: olderThan(13 * 7, "user_weeks", "week"),
};
