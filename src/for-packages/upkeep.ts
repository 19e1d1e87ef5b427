// The interface of the server for packages/upkeep.

export { createStorages } from "../app.ts";
export { printCount } from "../cli/conventions.ts";
export type { OutputOptions } from "../cli/conventions.ts";
export {
  accountNamed,
  accountsOf,
  countOf,
  eachOf,
  forEach,
  handleOf,
  named,
  printNames,
  slices,
} from "../cli/many.ts";
export type { Act } from "../cli/many.ts";
export { printRows } from "../cli/print.ts";
export { bar, megabytes, progressLine } from "../cli/progress.ts";
export type { Listed, Whose } from "../cli/queries.ts";
export { record, recordOnAccount } from "../cli/recorded.ts";
export { requireDataDir, withApp } from "../cli/session.ts";
export { knownPeers } from "../domain/about/instance/figures.ts";
export { readDomain, refusedAmong } from "../domain/base/blocklists/domains.ts";
export {
  countKnownRemote,
  countRemoteUnused,
  forgetRemote,
  mediaUsage,
  removeRemoteUnused,
} from "../domain/base/media/remote/manage.ts";
export { setSetting } from "../domain/base/settings/settings.ts";
export { removeAccount } from "../domain/people/accounts/remove.ts";
export { rotateKey } from "../domain/people/accounts/rotate-key.ts";
export { follow } from "../domain/people/relationships/follow.ts";
export { unfollow } from "../domain/people/relationships/unfollow.ts";
export { countUnusedCards, removeUnusedCards } from "../domain/posts/cards/retention.ts";
export {
  COUNTED,
  countUntouchedBefore,
  countedOf,
  deleteUntouchedBefore,
  recountSlice,
} from "../domain/posts/statuses/upkeep.ts";
export type { Counted } from "../domain/posts/statuses/upkeep.ts";
export { catchUp, queueAll } from "../domain/reading/search/index-statuses.ts";
export { ACCOUNTS_PER_RESET_JOB } from "../domain/reading/timelines/reset-feeds.ts";
export { fetchActor } from "../federation/actors.ts";
export { RemoteFault } from "../federation/faults.ts";
export { originOf } from "../federation/hosts.ts";
export type { App } from "../platform/app.ts";
export { readConfig, readEnvironment } from "../platform/config/config.ts";
export { EVERYTHING, invalidate } from "../platform/db/commits.ts";
export type { Db } from "../platform/db/index.ts";
export { ConfigError } from "../platform/errors.ts";
export { FetchFailed, FetchRefused } from "../platform/fetch/errors.ts";
export { addDays, idAt } from "../platform/ids/index.ts";
export type { Storage } from "../platform/storage/index.ts";
