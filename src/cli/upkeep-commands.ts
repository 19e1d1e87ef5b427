// The commands of upkeep: many accounts at once, what is old, and the end of a server.

import { Command } from "commander";
import { ConfigError } from "../platform/errors.ts";

const both = (command: Command): Command =>
  command
    .option("--dry-run", "only say what would be done")
    .option("--json", "print the result as JSON");

/** At the end of a command's help. */
export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;

export const wholeDays = (given: string): number => {
  if (!/^\d{1,5}$/.test(given)) throw new ConfigError("--days must be a whole number of days.");
  return Number(given);
};

export const addAccountUpkeep = (accounts: Command): void => {
  both(accounts.command("delete <names...>"))
    .description("delete accounts and everything of them; their names stay taken")
    .addHelpText("after", examples("rookery accounts delete spammer another@elsewhere.example"))
    .action(async (names: string[], options) =>
      (await import("./upkeep.ts")).deleteCommand(names, options),
    );
  both(accounts.command("refresh [names...]"))
    .description("fetch profiles of other servers again")
    .option("--domain <host>", "all of a server")
    .option("--all", "all of all servers")
    .addHelpText(
      "after",
      examples(
        "rookery accounts refresh someone@elsewhere.example",
        "rookery accounts refresh --domain elsewhere.example --dry-run",
      ),
    )
    .action(async (names: string[], options) =>
      (await import("./upkeep.ts")).refreshCommand(names, options),
    );
  both(accounts.command("cull [domain]"))
    .description("delete accounts of other servers that are gone there; asks for each of them")
    .action(async (domain: string | undefined, options) =>
      (await import("./upkeep.ts")).cullCommand(domain, options),
    );
  both(accounts.command("rotate [names...]"))
    .description("make new keys for accounts whose old ones may be known to others")
    .option("--all", "for everybody here")
    .action(async (names: string[], options) =>
      (await import("./upkeep.ts")).rotateCommand(names, options),
    );
  both(accounts.command("follow <name>"))
    .description("let everybody here follow an account")
    .action(async (name: string, options) =>
      (await import("./upkeep.ts")).followCommand(name, options),
    );
  both(accounts.command("unfollow <name>"))
    .description("let nobody here follow an account any more")
    .action(async (name: string, options) =>
      (await import("./upkeep.ts")).unfollowCommand(name, options),
    );
};

export const upkeepCommands = (root: Command): void => {
  const domains = root.command("domains").description("manage what is known of other servers");
  both(domains.command("purge <host>"))
    .description("delete all accounts and posts of a server; block it first, or they come back")
    .action(async (host: string, options) =>
      (await import("./upkeep.ts")).purgeDomainCommand(host, options),
    );
  const statuses = root.command("statuses").description("manage posts of other servers");
  statuses
    .command("remove")
    .description("delete old posts of other servers that nobody here has anything to do with")
    .option("--days <days>", "older than so many days", wholeDays, 90)
    .action(async (options: { days: number }) =>
      (await import("./upkeep.ts")).removeStatusesCommand(options.days),
    );
  const cards = root.command("preview-cards").description("manage the previews of links");
  cards
    .command("remove")
    .description("delete the previews that no post shows any more")
    .action(async () => (await import("./upkeep.ts")).removeCardsCommand());
  const search = root.command("search").description("manage the search index");
  search
    .command("reindex")
    .description("index all posts that may be found and are not in the index")
    .action(async () => (await import("./upkeep.ts")).reindexCommand());
  both(root.command("self-destruct"))
    .description("delete everybody on this server, and tell all other servers; for ever")
    .option("--confirm <domain>", "the domain of this server")
    .addHelpText("after", examples("rookery self-destruct --dry-run"))
    .action(async (options) => (await import("./upkeep.ts")).selfDestructCommand(options));
};
