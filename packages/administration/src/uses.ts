// What this package uses of the server.

export { createStorages } from "../../../src/app.ts";
export { printCount } from "../../../src/cli/conventions.ts";
export type { Conventions, OutputOptions, Verb } from "../../../src/cli/conventions.ts";
export type { Examples } from "../../../src/cli/examples.ts";
export { bar, megabytes, progressLine } from "../../../src/cli/progress.ts";
export { requireDataDir, withApp } from "../../../src/cli/session.ts";
export { readText, writeText } from "../../../src/cli/text-files.ts";
export { knownPeers } from "../../../src/domain/about/instance/figures.ts";
export { allTerms, publishTerms } from "../../../src/domain/about/instance/terms.ts";
export { requestArchive } from "../../../src/domain/about/transfers/archive/request.ts";
export type { AuditAction, AuditDetails } from "../../../src/domain/base/audit/actions.ts";
export { audit, listAudit } from "../../../src/domain/base/audit/audit.ts";
export { recorded } from "../../../src/domain/base/audit/recorded.ts";
export type { AuditRow } from "../../../src/domain/base/audit/audit.ts";
export { writeDomainCsv } from "../../../src/domain/base/blocklists/csv.ts";
export { readDomain, refusedAmong } from "../../../src/domain/base/blocklists/domains.ts";
export { canonicalBlocks } from "../../../src/domain/base/blocklists/emails.ts";
export {
  allDomainBlocks,
  allEmailDomainBlocks,
  allIpBlocks,
} from "../../../src/domain/base/blocklists/lists.ts";
export { DOMAIN_SEVERITIES, IP_SEVERITIES } from "../../../src/domain/base/blocklists/tables.ts";
export type { IpSeverity } from "../../../src/domain/base/blocklists/tables.ts";
export { OWN_EMOJI_LIMITS } from "../../../src/domain/base/emojis/limits.ts";
export { everyEmoji } from "../../../src/domain/base/emojis/own.ts";
export { removeRemoteUnused } from "../../../src/domain/base/media/remote/manage.ts";
export { peersOf } from "../../../src/domain/base/peers/peers.ts";
export type { PeerRow } from "../../../src/domain/base/peers/peers.ts";
export {
  COMMAND_LINE,
  PERMISSION_NAMES,
  namesOf,
} from "../../../src/domain/base/roles/permissions.ts";
export type { Actor, Permission } from "../../../src/domain/base/roles/permissions.ts";
export { everyonesRole, findRole, listRoles } from "../../../src/domain/base/roles/roles.ts";
export type { RoleInput } from "../../../src/domain/base/roles/roles.ts";
export { currentRules } from "../../../src/domain/base/rules/rules.ts";
export {
  DEFINITIONS,
  definitionOf,
  valueOf,
} from "../../../src/domain/base/settings/definitions.ts";
export type { PublicName } from "../../../src/domain/base/settings/definitions.ts";
export { PICTURE_KINDS } from "../../../src/domain/base/settings/pictures.ts";
export {
  allSettings,
  getSettings,
  setSetting,
} from "../../../src/domain/base/settings/settings.ts";
export type { PictureKind } from "../../../src/domain/base/settings/settings.ts";
export { findKnownId } from "../../../src/domain/people/accounts/find.ts";
export { getAccount } from "../../../src/domain/people/accounts/load.ts";
export { acct } from "../../../src/domain/people/accounts/present.ts";
export { removeAccount } from "../../../src/domain/people/accounts/remove.ts";
export { rotateKey } from "../../../src/domain/people/accounts/rotate-key.ts";
export { findUser } from "../../../src/domain/people/accounts/settings.ts";
export { listSources } from "../../../src/domain/people/sso/directory.ts";
export {
  callbackUrl,
  metadataUrl,
  signedOutUrl,
} from "../../../src/domain/people/sso/providers.ts";
export type { Source } from "../../../src/domain/people/sso/tables.ts";
export {
  addProvider,
  endScimToken,
  makeScimToken,
  peopleOf,
  removeProvider,
  tryProvider,
} from "../../sso-accounts/src/index.ts";
export type { Examination } from "../../sso/src/index.ts";
export { parseScopes } from "../../../src/domain/people/oauth/scopes.ts";
export { issueToken } from "../../../src/domain/people/oauth/tokens.ts";
export { follow } from "../../../src/domain/people/relationships/follow.ts";
export { unfollow } from "../../../src/domain/people/relationships/unfollow.ts";
export {
  createPerson,
  passwordFault,
  personFaults,
} from "../../../src/domain/people/users/create.ts";
export type { RoleName } from "../../../src/domain/people/users/create.ts";
export { removeUnusedCards } from "../../../src/domain/posts/cards/retention.ts";
export { isCounted } from "../../../src/domain/posts/statuses/fragments.ts";
export {
  countUntouchedBefore,
  deleteUntouchedBefore,
} from "../../../src/domain/posts/statuses/upkeep.ts";
export {
  createAnnouncement,
  removeAnnouncement,
} from "../../../src/domain/reading/announcements/announce.ts";
export { everyAnnouncement } from "../../../src/domain/reading/announcements/load.ts";
export { transferIn } from "../../../src/domain/reading/groups/edit.ts";
export { allGroups } from "../../../src/domain/reading/groups/load.ts";
export { loadReports } from "../../../src/domain/reading/reports/load.ts";
export { pageOfReports } from "../../../src/domain/reading/reports/moderate.ts";
export { catchUp, queueAll } from "../../../src/domain/reading/search/index-statuses.ts";
export { ACCOUNTS_PER_RESET_JOB } from "../../../src/domain/reading/timelines/reset-feeds.ts";
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
} from "../../../src/domain/staff/domain-lists/lists.ts";
export {
  changeEntity,
  domainListEntity,
  planEntity,
} from "../../../src/domain/staff/domain-lists/present.ts";
export {
  changeAddress,
  confirmAddress,
  resetPasswordOf,
  switchOffFactors,
} from "../../../src/domain/staff/moderation/access.ts";
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
} from "../../../src/domain/staff/moderation/accounts.ts";
export type { ActionType } from "../../../src/domain/staff/moderation/accounts.ts";
export {
  createCanonicalBlock,
  createDomainBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteDomainBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
} from "../../../src/domain/staff/moderation/blocks.ts";
export { importDomainBlocks } from "../../../src/domain/staff/moderation/import-domains.ts";
export { listAdminAccounts } from "../../../src/domain/staff/moderation/load.ts";
export {
  SITE_PICTURE_BYTES,
  removeSitePicture,
  setSitePicture,
} from "../../../src/domain/staff/moderation/look.ts";
export { openingConcerns } from "../../../src/domain/staff/moderation/opening.ts";
export { actOnReportedPosts, resolve } from "../../../src/domain/staff/moderation/reports.ts";
export type { PostAction } from "../../../src/domain/staff/moderation/reports.ts";
export {
  createRoleAs,
  modifyEveryoneAs,
  modifyRoleAs,
  removeRoleAs,
} from "../../../src/domain/staff/moderation/roles.ts";
export {
  changeEmojis,
  changeSettings,
  copyEmojis,
  createEmoji,
  createRule,
  deleteRule,
  importEmojis,
  translateRuleAs,
} from "../../../src/domain/staff/moderation/server.ts";
export {
  dryRunEntity,
  spamMatchEntity,
  spamRuleEntity,
} from "../../../src/domain/staff/moderation/spam-present.ts";
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
} from "../../../src/domain/staff/moderation/spam.ts";
export { fetchActor } from "../../../src/federation/actors.ts";
export {
  resumeDeliveries,
  retryDeliveries,
  stopDeliveries,
} from "../../../src/federation/delivery/by-staff.ts";
export { RemoteFault } from "../../../src/federation/faults.ts";
export { originOf } from "../../../src/federation/hosts.ts";
export { addRelay, listRelays, removeRelay } from "../../../src/federation/relays.ts";
export type { App } from "../../../src/platform/app.ts";
export { readConfig, readEnvironment } from "../../../src/platform/config/config.ts";
export { EVERYTHING, invalidate } from "../../../src/platform/db/commits.ts";
export type { Db, Fragment } from "../../../src/platform/db/index.ts";
export {
  ConfigError,
  DomainError,
  Forbidden,
  Unprocessable,
  invalidFields,
} from "../../../src/platform/errors.ts";
export { FetchFailed, FetchRefused } from "../../../src/platform/fetch/errors.ts";
export { addDays, idAt, isoDate, parseId } from "../../../src/platform/ids/index.ts";
export { makeFolder } from "../../../src/platform/make-folder.ts";
export { reasonOf } from "../../../src/platform/reason.ts";
export type { Storage } from "../../../src/platform/storage/index.ts";
export { normaliseLanguage } from "../../../src/platform/text/language.ts";
export { englishOf } from "../../../src/platform/text/texts.ts";
export { readGroupRole } from "../../../src/platform/config/parse.ts";
export { instantOf } from "../../../src/platform/time.ts";
