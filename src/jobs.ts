// Every job and its handler: the index of all work that happens later. Payloads are declared where the job
// is enqueued.

import { eventTable } from "./events.ts";
import type { Crontab } from "./platform/jobs/index.ts";
import type { JobTable } from "./platform/jobs/table.ts";
import { retentionOptions, runRetention } from "./platform/jobs/retention.ts";
import { runEventStep } from "./platform/outbox/worker.ts";
import { shrinkAvatars } from "./domain/people/accounts/shrink-avatars.ts";
import { verifyLinks } from "./domain/people/accounts/verify-links.ts";
import { sendEmailChange } from "./domain/people/users/change-email.ts";
import { sendConfirmation } from "./domain/people/users/confirm.ts";
import { sendPasswordReset } from "./domain/people/users/set-password.ts";
import { sendDecision } from "./domain/people/users/staff.ts";
import { sendSecurityNotice } from "./domain/people/users/security-notices.ts";
import { fetchWantedCard } from "./domain/posts/cards/fetch.ts";
import { expireStatuses } from "./domain/posts/statuses/expire.ts";
import { onScheduledRefused, publishScheduled } from "./domain/posts/statuses/schedule.ts";
import { onTagMuteExpired } from "./domain/posts/tags/mute-tag.ts";
import { onMuteExpired } from "./domain/people/relationships/mute.ts";
import { onCatchUpDue } from "./domain/reading/search/index-statuses.ts";
import { refreshTrends } from "./domain/reading/trends/refresh.ts";
import { onAnnouncementChanged } from "./domain/reading/announcements/announce.ts";
import {
  onLongConversion,
  onMediaUploaded,
  onShortConversion,
} from "./domain/base/media/process.ts";
import { cleanUp } from "./domain/posts/cleanup/clean-up.ts";
import { purgeRemote } from "./domain/base/media/remote/manage.ts";
import { onMediaWithheld } from "./domain/base/media/withhold.ts";
import { onArchiveReady } from "./domain/about/transfers/archive/ready.ts";
import { onArchiveWanted } from "./domain/about/transfers/archive/write.ts";
import { resetFeeds } from "./domain/reading/timelines/reset-feeds.ts";
import { applyLists, fetchDueLists, onListDue } from "./domain/staff/domain-lists/sync.ts";
import { onImportDue } from "./domain/about/transfers/run.ts";
import { countServersDue, COUNT_OPTIONS } from "./domain/base/peers/servers.ts";
import { countFiguresDue, FIGURES_OPTIONS } from "./domain/staff/measures/series.ts";
import { enqueueStaffDigests, sendStaffDigest } from "./domain/staff/measures/staff-digest.ts";
import { startDueBackup } from "./platform/backup/schedule.ts";
import { deleteFiles } from "./platform/storage/delete.ts";
import { startDoctor } from "./domain/staff/moderation/doctor-due.ts";
import { findAccounts, findRecommended, findTrends } from "./federation/fasp/find.ts";
import { announce, announceDue, shareWithdrawn } from "./federation/fasp/sharing.ts";
import { runRefresh } from "./federation/actors.ts";
import { refreshQuiet } from "./federation/quiet-actors.ts";
import { onActorReplaced } from "./federation/replaced-actors.ts";
import { refreshFeaturedTags } from "./federation/featured-tags.ts";
import { fillActor } from "./federation/fill-actor.ts";
import { announceGroupRemoval, announceInGroup } from "./federation/groups.ts";
import { fillThread } from "./federation/fetch-replies.ts";
import { runFollowersSync } from "./federation/followers-sync.ts";
import { runReread } from "./federation/inbox/fetch-dependencies.ts";
import { onActivityReceived } from "./federation/inbox-worker.ts";
import { checkPeer } from "./federation/peers.ts";
import { checkQuote } from "./federation/quotes.ts";
import { onStatusApproved } from "./flows/approvals.ts";
import { onTagFeatured, onTagUnfeatured, onAccountUpdated } from "./flows/account-updated.ts";
import { enqueueTermsMails, sendTermsMail } from "./domain/about/instance/notify-of-terms.ts";
import { enqueueDigests, sendDigest } from "./domain/reading/mails/digest.ts";
import { enqueueLetters, sendLetter } from "./domain/reading/mails/letter.ts";
import { enqueueSubscriptions, sendSubscription } from "./domain/reading/subscriptions/send.ts";
import { sendNotificationMail } from "./domain/reading/mails/send.ts";
import { onMentionsAccepted } from "./domain/reading/conversations/record.ts";
import {
  onNotificationsCleared,
  onNotificationsHidden,
} from "./domain/reading/notifications/clear.ts";
import { sendPush } from "./domain/reading/push/send.ts";
import { importAllowsPiece, importBlocksPiece } from "./domain/staff/moderation/import-domains.ts";
import { deleteDue } from "./domain/staff/moderation/accounts.ts";
import { onDomainLimited, onDomainSevered } from "./flows/domain-limited.ts";
import { onSpamMatched, onSpamUndo } from "./domain/staff/moderation/spam.ts";
import { onAccountModerated, onStandingChanged } from "./flows/moderated.ts";
import { onAppealDecided, onAppealFiled } from "./flows/appeals.ts";
import { onPostsHeld } from "./flows/held-posts.ts";
import { deliverWebhook } from "./domain/base/webhooks/deliver.ts";
import { onWebhookEvent } from "./flows/webhooks.ts";
import { onCardChanged } from "./flows/cards.ts";
import { onAccountMoved } from "./flows/account-moved.ts";
import { onTokensRevoked } from "./flows/tokens-revoked.ts";
import { onAccountRemoved } from "./flows/account-removed.ts";
import {
  onBlocked,
  onUnblocked,
  onFollowAccepted,
  onFollowRejected,
  onFollowRequested,
  onFollowed,
  onUnfollowed,
} from "./flows/relations.ts";
import {
  onCollectionAdded,
  onCollectionCreated,
  onCollectionLeft,
  onCollectionRemoved,
  onCollectionRequested,
  onCollectionUpdated,
} from "./flows/collections.ts";
import { onAnnualReportWanted, onSignedUp } from "./flows/notices.ts";
import {
  checkConsents,
  refreshCollection,
  refreshCollections,
} from "./federation/featured-collections.ts";
import { deliverPinned, deliverUnpinned } from "./flows/deliver-status.ts";
import { recountAnswered } from "./domain/posts/events/recount.ts";
import { onEventCounted } from "./flows/events.ts";
import { onPollCounted, onPollEnded, onPollVoted } from "./flows/polls.ts";
import {
  onQuoteAccepted,
  onQuoteEnded,
  onQuotePolicyChanged,
  onQuoteRequested,
} from "./flows/quotes.ts";
import { onReportCreated } from "./flows/report-created.ts";
import { onSettingsImported } from "./flows/settings-imported.ts";
import { onStatusBookmarked } from "./flows/status-favourited.ts";
import { onStatusEdited } from "./flows/status-edited.ts";
import { retention } from "./retention.ts";

export const jobTable: JobTable = {
  "event.step": { run: runEventStep(eventTable) },
  "backup.due": { run: startDueBackup },
  "feeds.renew": { run: resetFeeds },
  "figures.count": { run: countFiguresDue },
  "files.delete": { run: deleteFiles },
  "media.uploaded": { run: onMediaUploaded, lane: "media" },
  "media.convert": { run: onShortConversion, lane: "videos" },
  "media.convert_long": { run: onLongConversion, lane: "long_videos" },
  "media.withheld": { run: onMediaWithheld, lane: "media" },
  "remote_files.purge": { run: purgeRemote },
  "status.bookmarked": { run: onStatusBookmarked },
  "statuses.clean_up": { run: cleanUp },
  "status.edited": { run: onStatusEdited },
  "status.approved": { run: onStatusApproved },
  "sso.check": {
    run: async (app) => (await import("#sso-accounts")).checkDue(app),
    lane: "network",
  },
  "sso.profile": {
    run: async (app, profile) => (await import("#sso-accounts")).takeProfile(app, profile),
    lane: "network",
  },
  "card.wanted": { run: fetchWantedCard, lane: "previews" },
  "card.changed": { run: onCardChanged },
  "domain_lists.due": { run: fetchDueLists },
  "domain_list.fetch": { run: onListDue, lane: "network" },
  "domain_lists.apply": { run: applyLists },
  "archive.wanted": { run: onArchiveWanted },
  "archive.ready": { run: onArchiveReady, lane: "network" },
  "settings.imported": { run: onSettingsImported },
  "import.due": { run: onImportDue, lane: "network" },
  "poll.voted": { run: onPollVoted },
  "poll.counted": { run: onPollCounted },
  "poll.ended": { run: onPollEnded },
  "event.counted": { run: onEventCounted },
  "event.recounted": { run: recountAnswered },
  "status.scheduled": { run: publishScheduled },
  "statuses.expire": { run: expireStatuses },
  "scheduled.refused": { run: onScheduledRefused, lane: "network" },
  "quote.requested": { run: onQuoteRequested },
  "quote.check": { run: checkQuote, lane: "network", formerName: "quote.told" },
  "quote.accepted": { run: onQuoteAccepted },
  "quote.ended": { run: onQuoteEnded },
  "quote.policy_changed": { run: onQuotePolicyChanged },
  "status.pinned": { run: deliverPinned },
  "status.unpinned": { run: deliverUnpinned },
  "account.followed": { run: onFollowed },
  "account.follow_requested": { run: onFollowRequested },
  "account.unfollowed": { run: onUnfollowed },
  "follow.accepted": { run: onFollowAccepted },
  "follow.rejected": { run: onFollowRejected },
  "account.blocked": { run: onBlocked },
  "account.unblocked": { run: onUnblocked },
  "mute.expired": { run: onMuteExpired },
  "tag_mute.expired": { run: onTagMuteExpired },
  "account.moved": { run: onAccountMoved },
  "account.updated": { run: onAccountUpdated },
  "account.removed": { run: onAccountRemoved },
  "account.wanted": { run: fillActor, lane: "network" },
  "thread.wanted": { run: fillThread, lane: "network" },
  "group.announce": { run: announceInGroup, lane: "network" },
  "group.removed": { run: announceGroupRemoval },
  "account.links": { run: verifyLinks, lane: "network" },
  "avatars.shrink": { run: shrinkAvatars, lane: "media" },
  "tag.featured": { run: onTagFeatured },
  "tag.unfeatured": { run: onTagUnfeatured },
  "featured_tags.refresh": { run: refreshFeaturedTags, lane: "network" },
  "actor.refresh": { run: runRefresh, lane: "network" },
  "actors.quiet": { run: refreshQuiet },
  "actor.replaced": { run: onActorReplaced, lane: "network" },
  "document.reread": { run: runReread, lane: "network" },
  "peer.wanted": { run: checkPeer, lane: "network" },
  "followers.sync": { run: runFollowersSync, lane: "network" },
  "activity.received": { run: onActivityReceived, lane: "network" },
  "notifications.cleared": { run: onNotificationsCleared },
  "notifications.hidden": { run: onNotificationsHidden },
  "mentions.accepted": { run: onMentionsAccepted },
  "annual_report.wanted": { run: onAnnualReportWanted },
  "announcement.changed": { run: onAnnouncementChanged },
  "collection.created": { run: onCollectionCreated },
  "collection.added": { run: onCollectionAdded },
  "collection.updated": { run: onCollectionUpdated },
  "collection.requested": { run: onCollectionRequested },
  "collection.left": { run: onCollectionLeft },
  "collection.removed": { run: onCollectionRemoved },
  "collection.check": { run: checkConsents, lane: "network" },
  "collection.refresh": { run: refreshCollection, lane: "network" },
  "collections.refresh": { run: refreshCollections, lane: "network" },
  "report.created": { run: onReportCreated },
  "user.confirmation": { run: sendConfirmation, lane: "network" },
  "user.signed_up": { run: onSignedUp },
  "user.decided": { run: sendDecision, lane: "network" },
  "user.password_reset": { run: sendPasswordReset, lane: "network" },
  "user.email_change": { run: sendEmailChange, lane: "network" },
  "user.security_notice": { run: sendSecurityNotice, lane: "network" },
  "account.standing_changed": { run: onStandingChanged },
  "account.moderated": { run: onAccountModerated },
  "webhook.event": { run: onWebhookEvent },
  "webhook.deliver": { run: deliverWebhook, lane: "network" },
  "appeal.filed": { run: onAppealFiled, lane: "network" },
  "appeal.decided": { run: onAppealDecided, lane: "network" },
  "accounts.delete_due": { run: deleteDue },
  "domain.limited": { run: onDomainLimited },
  "doctor.due": { run: startDoctor },
  "domain_blocks.import": { run: importBlocksPiece },
  "domain_allows.import": { run: importAllowsPiece },
  "domain.severed": { run: onDomainSevered },
  "spam.matched": { run: onSpamMatched },
  "spam.held": { run: onPostsHeld },
  "spam.undo": { run: onSpamUndo },
  "fasp.announce": { run: announce, lane: "network" },
  "fasp.due": { run: announceDue },
  "fasp.trends": { run: findTrends, lane: "network" },
  "fasp.withdrawn": { run: shareWithdrawn },
  "accounts.wanted": { run: findAccounts, lane: "network" },
  "recommendations.wanted": { run: findRecommended, lane: "network" },
  "trends.refresh": { run: refreshTrends },
  "search.catch_up": { run: onCatchUpDue },
  "servers.count": { run: countServersDue },
  "tokens.revoked": { run: onTokensRevoked },
  "push.send": { run: sendPush, lane: "network" },
  "mail.notification": { run: sendNotificationMail, lane: "network" },
  "terms.mails": { run: enqueueTermsMails },
  "terms.mail": { run: sendTermsMail, lane: "network" },
  "mail.digests": { run: enqueueDigests },
  "mail.digest": { run: sendDigest, lane: "network" },
  "mail.letters": { run: enqueueLetters },
  "mail.letter": { run: sendLetter, lane: "network" },
  "subscriptions.due": { run: enqueueSubscriptions },
  "subscriptions.send": { run: sendSubscription, lane: "network" },
  "staff_digests.due": { run: enqueueStaffDigests },
  "staff_digest.send": { run: sendStaffDigest, lane: "network" },
  "retention.due": { run: runRetention(retention) },
};

/** Times of passes over all old statuses, which read much and so start at night. */
const PASSES: Record<string, string> = { remote_statuses: "30 3 * * *" };

/** Scheduled jobs (UTC). Each retention has a minute of its own. */
export const crontab: Crontab = [
  { job: "trends.refresh", match: "*/5 * * * *", payload: {} },
  { job: "fasp.due", match: "*/5 * * * *", payload: {} },
  { job: "fasp.trends", match: "53 * * * *", payload: {} },
  { job: "fasp.withdrawn", match: "57 * * * *", payload: { after: "0" } },
  { job: "domain_lists.due", match: "20 * * * *", payload: {} },
  { job: "sso.check", match: "*/5 * * * *", payload: {} },
  { job: "statuses.clean_up", match: "*/5 * * * *", payload: {} },
  { job: "statuses.expire", match: "* * * * *", payload: {} },
  { job: "accounts.delete_due", match: "40 * * * *", payload: {} },
  { job: "actors.quiet", match: "33 * * * *", payload: {} },
  { job: "avatars.shrink", match: "23 * * * *", payload: {} },
  { job: "backup.due", match: "17 * * * *", payload: {} },
  { job: "doctor.due", match: "40 4 * * 0", payload: {} },
  { job: "doctor.due", match: "52 5 * * *", payload: { only: "updates" }, key: "doctor.updates" },
  { job: "figures.count", match: "7 0 * * *", payload: {}, ...FIGURES_OPTIONS },
  { job: "files.delete", match: "* * * * *", payload: {} },
  { job: "mail.digests", match: "0 8 * * *", payload: {} },
  { job: "mail.letters", match: "5 12 * * *", payload: {} },
  { job: "subscriptions.due", match: "27 * * * *", payload: { after: "0" } },
  { job: "staff_digests.due", match: "0 7 * * *", payload: {} },
  { job: "search.catch_up", match: "*/5 * * * *", payload: {} },
  { job: "servers.count", match: "37 * * * *", payload: {}, ...COUNT_OPTIONS },
  ...Object.keys(retention).map((what, n, all) => ({
    job: "retention.due" as const,
    match: PASSES[what] ?? `${Math.floor((60 * n) / all.length)} * * * *`,
    payload: { what },
    ...retentionOptions(what),
  })),
];
