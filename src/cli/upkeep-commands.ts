// Registers the commands of maintenance: many accounts at once, old data, derived data, and self-destruction.

import { Command } from "commander";
import { JSON_OPTION, many, wholeDays, wholeNumber } from "./conventions.ts";

export const addAccountUpkeep = (accounts: Command): void => {
  many(accounts.command("delete <names...>"))
    .description("delete accounts and everything of them; their names stay taken")
    .action(async (names: string[], options) =>
      (await import("#administration")).upkeep.deleteCommand(names, options),
    );
  many(accounts.command("refresh [names...]"))
    .description("fetch profiles of other servers again")
    .option("--domain <host>", "all of a server")
    .option("--all", "all of all servers")
    .action(async (names: string[], options) =>
      (await import("#administration")).upkeep.refreshCommand(names, options),
    );
  many(accounts.command("cull [domain]"))
    .description("delete accounts of other servers that are gone there; asks for each of them")
    .action(async (domain: string | undefined, options) =>
      (await import("#administration")).upkeep.cullCommand(domain, options),
    );
  many(accounts.command("prune"))
    .description(
      "delete accounts of other servers that have no posts here, and that nobody here ever had anything to do with",
    )
    .option("--days <days>", "known here for so many days", wholeDays, 30)
    .action(async (options) => (await import("#administration")).upkeep.pruneCommand(options));
  many(accounts.command("rotate [names...]"))
    .description("make new keys for accounts whose old ones may be known to others")
    .option("--all", "for everybody here")
    .action(async (names: string[], options) =>
      (await import("#administration")).upkeep.rotateCommand(names, options),
    );
  many(accounts.command("follow <name>"))
    .description("let everybody here follow an account")
    .action(async (name: string, options) =>
      (await import("#administration")).upkeep.followCommand(name, options),
    );
  many(accounts.command("unfollow <name>"))
    .description("let nobody here follow an account any more")
    .action(async (name: string, options) =>
      (await import("#administration")).upkeep.unfollowCommand(name, options),
    );
  accounts
    .command("backup <name>")
    .description(
      "make an archive of what a person posted and uploaded; the person gets a mail when it is ready",
    )
    .action(async (name: string) =>
      (await import("#administration")).accounts.archiveCommand(name),
    );
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
      .action(async (names: string[], options) =>
        (await import("#administration")).upkeep.feedsCommand(act, names, options),
      );
  }
  const cache = root.command("cache").description("manage what servers have in memory, and counts");
  cache
    .command("clear")
    .description("let all running servers forget what they have read of the database")
    .action(async () => (await import("#administration")).upkeep.clearCacheCommand());
  many(cache.command("recount <what>"))
    .description(
      "count again: accounts (posts, followers) or statuses (answers, boosts, favourites)",
    )
    .action(async (what: string, options) =>
      (await import("#administration")).upkeep.recountCommand(what, options),
    );
  const search = root.command("search").description("manage the search index");
  search
    .command("reindex")
    .description("index all posts that may be found and are not in the index")
    .option(...JSON_OPTION)
    .action(async (options) => (await import("#administration")).upkeep.reindexCommand(options));
};

export const upkeepCommands = (root: Command): void => {
  const domains = root.command("domains").description("manage what is known of other servers");
  many(domains.command("purge <host>"))
    .description("delete all accounts and posts of a server; block it first, or they come back")
    .action(async (host: string, options) =>
      (await import("#administration")).upkeep.purgeDomainCommand(host, options),
    );
  domains
    .command("list [domain]")
    .description("list servers and what software they run, or one and those below its domain")
    .option("--software <name>", "only those with this software")
    .option(...JSON_OPTION)
    .action(async (domain: string | undefined, options) =>
      (await import("#administration")).peers.listPeers(domain, options),
    );
  domains
    .command("crawl [start]")
    .description("ask known servers, or this one, for others, and how large they are")
    .option("--max <servers>", "visit at most so many", wholeNumber("--max"), 1000)
    .option(...JSON_OPTION)
    .action(async (start: string | undefined, options) =>
      (await import("#administration")).upkeep.crawlCommand(start, options),
    );
  for (const [act, description] of [
    ["retry", "try at once what waits to be delivered to a server"],
    ["stop", "deliver nothing to a server until somebody lets it go on"],
    ["resume", "let deliveries to a server go on"],
  ] as const) {
    domains
      .command(`${act} <host>`)
      .description(description)
      .action(async (host: string) =>
        (await import("#administration")).peers.deliveriesCommand(act, host),
      );
  }
  const statuses = root.command("statuses").description("manage posts of other servers");
  many(statuses.command("remove"))
    .description("delete old posts of other servers that nobody here has anything to do with")
    .option("--days <days>", "older than so many days", wholeDays, 90)
    .action(async (options) =>
      (await import("#administration")).upkeep.removeStatusesCommand(options),
    );
  const cards = root.command("preview-cards").description("manage the previews of links");
  many(cards.command("remove"))
    .description("delete the previews that no post shows any more")
    .action(async (options) =>
      (await import("#administration")).upkeep.removeCardsCommand(options),
    );
  storedTwice(root);
  many(root.command("maintenance"))
    .description(
      "look for unfinished indexes, another order of texts and bloated tables, and put them right",
    )
    .action(async (options) =>
      (await import("#administration")).upkeep.maintenanceCommand(options),
    );
  many(root.command("self-destruct"))
    .description("delete everybody on this server, and tell all other servers; for ever")
    .option("--confirm <domain>", "the domain of this server")
    .action(async (options) =>
      (await import("#administration")).upkeep.selfDestructCommand(options),
    );
};
