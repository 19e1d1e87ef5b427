// The commands of upkeep.

export {
  cullCommand,
  deleteCommand,
  followCommand,
  pruneCommand,
  purgeDomainCommand,
  refreshCommand,
  rotateCommand,
  selfDestructCommand,
  unfollowCommand,
} from "./accounts.ts";
export { crawlCommand } from "./crawl.ts";
export { clearCacheCommand, feedsCommand, recountCommand } from "./derived.ts";
export { maintenanceCommand } from "./maintenance.ts";
export {
  mediaUsageCommand,
  moveMediaCommand,
  refreshMediaCommand,
  removeMediaCommand,
} from "./media.ts";
export { reindexCommand, removeCardsCommand, removeStatusesCommand } from "./posts.ts";
