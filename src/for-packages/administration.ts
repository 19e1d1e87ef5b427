// The interface of the server for packages/administration.

export { createStorages } from "../app.ts";
export { printCount } from "../cli/conventions.ts";
export type { Conventions, OutputOptions, Verb } from "../cli/conventions.ts";
export type { Examples } from "../cli/examples.ts";
export { bar, megabytes, progressLine } from "../cli/progress.ts";
export { requireDataDir, withApp } from "../cli/session.ts";
export { readText, writeText } from "../cli/text-files.ts";
export { knownPeers } from "../domain/about/instance/figures.ts";
export { allTerms, publishTerms } from "../domain/about/instance/terms.ts";
export { requestArchive } from "../domain/about/transfers/archive/request.ts";
export type { AuditAction, AuditDetails } from "../domain/base/audit/actions.ts";
export { audit, listAudit } from "../domain/base/audit/audit.ts";
export type { AuditRow } from "../domain/base/audit/audit.ts";
export { writeDomainCsv } from "../domain/base/blocklists/csv.ts";
export { readDomain, refusedAmong } from "../domain/base/blocklists/domains.ts";
export { canonicalBlocks } from "../domain/base/blocklists/emails.ts";
export {
  allDomainBlocks,
  allEmailDomainBlocks,
  allIpBlocks,
} from "../domain/base/blocklists/lists.ts";
export { DOMAIN_SEVERITIES, IP_SEVERITIES } from "../domain/base/blocklists/tables.ts";
export type { IpSeverity } from "../domain/base/blocklists/tables.ts";
export { OWN_EMOJI_LIMITS } from "../domain/base/emojis/limits.ts";
export { everyEmoji } from "../domain/base/emojis/own.ts";
export {
  countKnownRemote,
  countRemoteUnused,
  forgetRemote,
  mediaUsage,
  removeRemoteUnused,
} from "../domain/base/media/remote/manage.ts";
export { allPeers, peersOf } from "../domain/base/peers/peers.ts";
export type { PeerRow } from "../domain/base/peers/peers.ts";
export { COMMAND_LINE, PERMISSION_NAMES, namesOf } from "../domain/base/roles/permissions.ts";
export type { Actor, Permission } from "../domain/base/roles/permissions.ts";
export { everyonesRole, findRole, listRoles } from "../domain/base/roles/roles.ts";
export type { RoleInput } from "../domain/base/roles/roles.ts";
export { currentRules } from "../domain/base/rules/rules.ts";
export { DEFINITIONS, definitionOf, valueOf } from "../domain/base/settings/definitions.ts";
export type { PublicName } from "../domain/base/settings/definitions.ts";
export { PICTURE_KINDS } from "../domain/base/settings/pictures.ts";
export { allSettings, getSettings, setSetting } from "../domain/base/settings/settings.ts";
export type { PictureKind } from "../domain/base/settings/settings.ts";
export { findKnownId } from "../domain/people/accounts/find.ts";
export { acct } from "../domain/people/accounts/present.ts";
export { removeAccount } from "../domain/people/accounts/remove.ts";
export { rotateKey } from "../domain/people/accounts/rotate-key.ts";
export { findUser } from "../domain/people/accounts/settings.ts";
export { parseScopes } from "../domain/people/oauth/scopes.ts";
export { issueToken } from "../domain/people/oauth/tokens.ts";
export { follow } from "../domain/people/relationships/follow.ts";
export { unfollow } from "../domain/people/relationships/unfollow.ts";
export { createPerson, passwordFault, personFaults } from "../domain/people/users/create.ts";
export type { RoleName } from "../domain/people/users/create.ts";
export { countUnusedCards, removeUnusedCards } from "../domain/posts/cards/retention.ts";
export {
  COUNTED,
  countUntouchedBefore,
  countedOf,
  deleteUntouchedBefore,
  recountSlice,
} from "../domain/posts/statuses/upkeep.ts";
export type { Counted } from "../domain/posts/statuses/upkeep.ts";
export {
  createAnnouncement,
  removeAnnouncement,
} from "../domain/reading/announcements/announce.ts";
export { everyAnnouncement } from "../domain/reading/announcements/load.ts";
export { allGroups } from "../domain/reading/groups/load.ts";
export { loadReports } from "../domain/reading/reports/load.ts";
export { pageOfReports } from "../domain/reading/reports/moderate.ts";
export { catchUp, queueAll } from "../domain/reading/search/index-statuses.ts";
export { ACCOUNTS_PER_RESET_JOB } from "../domain/reading/timelines/reset-feeds.ts";
export {
  addDomainList,
  addException,
  getDomainList,
  listChanges,
  listDomainLists,
  listExceptions,
  previewDomainList,
  removeDomainList,
  removeException,
  syncDomainList,
} from "../domain/staff/domain-lists/lists.ts";
export {
  changeEntity,
  domainListEntity,
  planEntity,
} from "../domain/staff/domain-lists/present.ts";
export {
  changeAddress,
  confirmAddress,
  resetPasswordOf,
  switchOffFactors,
} from "../domain/staff/moderation/access.ts";
export {
  actOnAccount,
  approveAccount,
  deleteAccountAs,
  deleteSuspended,
  enableAccount,
  giveRole,
  rejectAccount,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from "../domain/staff/moderation/accounts.ts";
export type { ActionType } from "../domain/staff/moderation/accounts.ts";
export {
  createCanonicalBlock,
  createDomainBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteDomainBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
} from "../domain/staff/moderation/blocks.ts";
export { transferGroupAs } from "../domain/staff/moderation/groups.ts";
export { importDomainBlocks } from "../domain/staff/moderation/import-domains.ts";
export { listAdminAccounts } from "../domain/staff/moderation/load.ts";
export {
  SITE_PICTURE_BYTES,
  removeSitePicture,
  setSitePicture,
} from "../domain/staff/moderation/look.ts";
export { openingConcerns } from "../domain/staff/moderation/opening.ts";
export { actOnReportedPosts, resolve } from "../domain/staff/moderation/reports.ts";
export type { PostAction } from "../domain/staff/moderation/reports.ts";
export {
  createRoleAs,
  modifyEveryoneAs,
  modifyRoleAs,
  removeRoleAs,
} from "../domain/staff/moderation/roles.ts";
export {
  changeEmojis,
  changeSettings,
  copyEmojis,
  createEmoji,
  createRule,
  deleteRule,
  importEmojis,
  translateRuleAs,
} from "../domain/staff/moderation/server.ts";
export {
  dryRunEntity,
  spamMatchEntity,
  spamRuleEntity,
} from "../domain/staff/moderation/spam-present.ts";
export {
  addSpamRule,
  approveHeld,
  discardHeld,
  enableSpamRule,
  getSpamRule,
  listHeldPosts,
  listSpamRules,
  removeSpamRule,
  trySpamRule,
  undoSpamRule,
} from "../domain/staff/moderation/spam.ts";
export { fetchActor } from "../federation/actors.ts";
export {
  resumeDeliveries,
  retryDeliveries,
  stopDeliveries,
} from "../federation/delivery/by-staff.ts";
export { RemoteFault } from "../federation/faults.ts";
export { originOf } from "../federation/hosts.ts";
export { addRelay, listRelays, removeRelay } from "../federation/relays.ts";
export type { App } from "../platform/app.ts";
export { readConfig, readEnvironment } from "../platform/config/config.ts";
export { EVERYTHING, invalidate } from "../platform/db/commits.ts";
export type { Db } from "../platform/db/index.ts";
export { ConfigError, DomainError, Forbidden, invalidFields } from "../platform/errors.ts";
export { FetchFailed, FetchRefused } from "../platform/fetch/errors.ts";
export { addDays, idAt, isoDate, parseId } from "../platform/ids/index.ts";
export { makeFolder } from "../platform/make-folder.ts";
export { reasonOf } from "../platform/reason.ts";
export type { Storage } from "../platform/storage/index.ts";
export { normaliseLanguage } from "../platform/text/language.ts";
export { englishOf } from "../platform/text/texts.ts";
export { instantOf } from "../platform/time.ts";
