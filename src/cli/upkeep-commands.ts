// Registers the commands of maintenance: many accounts at once, old data, derived data, and self-destruction.

import { Command } from "commander";
import { administer } from "./administer.ts";
import { JSON_OPTION, many, wholeDays, wholeNumber } from "./conventions.ts";

export const addAccountUpkeep = (accounts: Command): void => {
  many(accounts.command("delete <names...>"))
    .description("delete accounts and everything of them; their names stay taken")
    .action(administer("upkeep", "deleteCommand"));
  many(accounts.command("refresh [names...]"))
    .description("fetch profiles of other servers again")
    .option("--domain <host>", "all of a server")
    .option("--all", "all of all servers")
    .action(administer("upkeep", "refreshCommand"));
  many(accounts.command("cull [domain]"))
    .description("delete accounts of other servers that are gone there; asks for each of them")
    .action(administer("upkeep", "cullCommand"));
  many(accounts.command("prune"))
    .description(
      "delete accounts of other servers that have no posts here, and that nobody here ever had anything to do with",
    )
    .option("--days <days>", "known here for so many days", wholeDays, 30)
    .action(administer("upkeep", "pruneCommand"));
  many(accounts.command("rotate [names...]"))
    .description("make new keys for accounts whose old ones may be known to others")
    .option("--all", "for everybody here")
    .action(administer("upkeep", "rotateCommand"));
  many(accounts.command("follow <name>"))
    .description("let everybody here follow an account")
    .action(administer("upkeep", "followCommand"));
  many(accounts.command("unfollow <name>"))
    .description("let nobody here follow an account any more")
    .action(administer("upkeep", "unfollowCommand"));
  accounts
    .command("backup <name>")
    .description(
      "make an archive of what a person posted and uploaded; the person gets a mail when it is ready",
    )
    .action(administer("accounts", "archiveCommand"));
};

const storedTwice = (root: Command): void => {
  const feeds = root.command("feeds").description("manage home and list timelines");
  for (const [act, description] of [
    ["build", "fill the timelines of accounts again"],
    ["clear", "empty the timelines of accounts; they are filled again when somebody reads them"],
  ] as const) {
    many(feeds.command(`${act} [names...]`))
      .description(description)
      .option("--all", "of everybody here")
      .action(administer("upkeep", "feedsCommand", act));
  }
  const cache = root.command("cache").description("manage what servers have in memory, and counts");
  cache
    .command("clear")
    .description("let all running servers forget what they have read of the database")
    .action(administer("upkeep", "clearCacheCommand"));
  many(cache.command("recount <what>"))
    .description(
      "count again: accounts (posts, followers) or statuses (answers, boosts, favourites)",
    )
    .action(administer("upkeep", "recountCommand"));
  const search = root.command("search").description("manage the search index");
  search
    .command("reindex")
    .description("index all posts that may be found and are not in the index")
    .option(...JSON_OPTION)
    .action(administer("upkeep", "reindexCommand"));
};

export const upkeepCommands = (root: Command): void => {
  const domains = root.command("domains").description("manage what is known of other servers");
  many(domains.command("purge <host>"))
    .description("delete all accounts and posts of a server; block it first, or they come back")
    .action(administer("upkeep", "purgeDomainCommand"));
  domains
    .command("list [domain]")
    .description("list servers and what software they run, or one and those below its domain")
    .option("--software <name>", "only those with this software")
    .option(...JSON_OPTION)
    .action(administer("peers", "listPeers"));
  domains
    .command("crawl [start]")
    .description("ask known servers, or this one, for others, and how large they are")
    .option("--max <servers>", "visit at most so many", wholeNumber("--max"), 1000)
    .option(...JSON_OPTION)
    .action(administer("upkeep", "crawlCommand"));
  for (const [act, description] of [
    ["retry", "try at once what waits to be delivered to a server"],
    ["stop", "deliver nothing to a server until somebody lets it go on"],
    ["resume", "let deliveries to a server go on"],
  ] as const) {
    domains
      .command(`${act} <host>`)
      .description(description)
      .action(administer("peers", "deliveriesCommand", act));
  }
  const statuses = root.command("statuses").description("manage posts of other servers");
  many(statuses.command("remove"))
    .description("delete old posts of other servers that nobody here has anything to do with")
    .option("--days <days>", "older than so many days", wholeDays, 90)
    .action(administer("upkeep", "removeStatusesCommand"));
  const cards = root.command("preview-cards").description("manage the previews of links");
  many(cards.command("remove"))
    .description("delete the previews that no post shows any more")
    .action(administer("upkeep", "removeCardsCommand"));
  storedTwice(root);
  many(root.command("maintenance"))
    .description(
      "look for unfinished indexes, another order of texts and bloated tables, and put them right",
    )
    .action(administer("upkeep", "maintenanceCommand"));
  many(root.command("self-destruct"))
    .description("delete everybody on this server, and tell all other servers; for ever")
    .option("--confirm <domain>", "the domain of this server")
    .action(administer("upkeep", "selfDestructCommand"));
};
