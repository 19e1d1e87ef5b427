// Declares the commands of upkeep: media, old posts and previews, derived data, what is known of other servers.

import type { Command } from "commander";
import type { Conventions } from "../uses.ts";
import { administer } from "./administer.ts";
import { groupOf } from "./group-of.ts";

const storedTwice = (root: Command, { JSON_OPTION, many }: Conventions): void => {
  const feeds = groupOf(root, "feeds");
  for (const [act, description] of [
    ["build", "fill the timelines of accounts again"],
    ["clear", "empty the timelines of accounts; they are filled again when somebody reads them"],
  ] as const) {
    many(feeds.command(`${act} [names...]`))
      .description(description)
      .option("--all", "of everybody here")
      .action(administer("upkeep", "feedsCommand", act));
  }
  const cache = groupOf(root, "cache");
  cache
    .command("clear")
    .description("let all running servers forget what they have read of the database")
    .action(administer("upkeep", "clearCacheCommand"));
  many(cache.command("recount <what>"))
    .description(
      "count again: accounts (posts, followers) or statuses (answers, boosts, favourites)",
    )
    .action(administer("upkeep", "recountCommand"));
  const search = groupOf(root, "search");
  search
    .command("reindex")
    .description("index all posts that may be found and are not in the index")
    .option(...JSON_OPTION)
    .action(administer("upkeep", "reindexCommand"));
};

const mediaCommands = (root: Command, { JSON_OPTION, many, wholeDays }: Conventions): void => {
  const media = groupOf(root, "media");
  media
    .command("usage")
    .description("show how many files there are and how much space the copies take")
    .option(...JSON_OPTION)
    .action(administer("upkeep", "mediaUsageCommand"));
  many(media.command("remove"))
    .description("remove copies that nobody has looked at for some time")
    .option("--days <days>", "for so many days", wholeDays, 7)
    .action(administer("upkeep", "removeMediaCommand"));
  many(media.command("refresh [host]"))
    .description("fetch a server's files again, or all that could not be fetched")
    .action(administer("upkeep", "refreshMediaCommand"));
  many(media.command("move"))
    .description("move all media to where MEDIA_STORAGE says, while the server runs")
    .action(administer("upkeep", "moveMediaCommand"));
};

export const upkeepCommands = (root: Command, conventions: Conventions): void => {
  const { JSON_OPTION, many, wholeDays, wholeNumber } = conventions;
  mediaCommands(root, conventions);
  const domains = groupOf(root, "domains");
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
  const statuses = groupOf(root, "statuses");
  many(statuses.command("remove"))
    .description("delete old posts of other servers that nobody here has anything to do with")
    .option("--days <days>", "older than so many days", wholeDays, 90)
    .action(administer("upkeep", "removeStatusesCommand"));
  const cards = groupOf(root, "preview-cards");
  many(cards.command("remove"))
    .description("delete the previews that no post shows any more")
    .action(administer("upkeep", "removeCardsCommand"));
  storedTwice(root, conventions);
};
