// Declares the commands of accounts and their tokens.

import { Option } from "commander";
import type { Command } from "commander";
import type { Conventions } from "../uses.ts";
import { administer } from "./administer.ts";
import { groupOf } from "./group-of.ts";

const ACTS = [
  ["suspend", "hide an account and everything it posted; deleted after 30 days unless undone"],
  ["silence", "limit an account: only its followers see its posts"],
  ["sensitive", "hide all media of an account behind a warning"],
  ["disable", "freeze an account: nobody can sign in to it"],
  ["warn", "send a warning"],
] as const;

const UNDO = [
  ["reject", "reject a sign-up and delete it"],
  ["unsuspend", "undo a suspension"],
  ["unsilence", "undo a limit"],
  ["unsensitive", "undo sensitive"],
  ["enable", "undo disable"],
  ["purge", "delete what a suspended account had at once; cannot be undone"],
] as const;

const accountModeration = (
  accounts: Command,
  { JSON_OPTION, many, wholeNumber }: Conventions,
): void => {
  for (const [name, description] of ACTS) {
    accounts
      .command(`${name} <name>`)
      .description(description)
      .option("--text <text>", "what the person is told")
      .option("--no-mail", "tell the person in the app only")
      .action(administer("moderation", "actOnAccountCommand", name === "warn" ? "none" : name));
  }
  for (const [name, description] of UNDO) {
    accounts
      .command(`${name} <name>`)
      .description(description)
      .action(administer("moderation", "commandOnAccount", name));
  }
  many(accounts.command("approve [names...]"))
    .description("approve sign-ups")
    .option("--all", "all that wait")
    .option("--number <count>", "those that have waited for longest", wholeNumber("--number"))
    .action(administer("moderation", "approveCommand"));
  accounts
    .command("pending")
    .description("list sign-ups that wait for approval, with what the applicants wrote")
    .option(...JSON_OPTION)
    .action(administer("moderation", "listPending"));
};

const accountUpkeep = (accounts: Command, { many, wholeDays }: Conventions): void => {
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

export const accountCommands = (root: Command, conventions: Conventions): void => {
  const accounts = groupOf(root, "accounts");
  accounts
    .command("create <name>")
    .description("create an account and print its password")
    .requiredOption("--email <address>", "email address of the account")
    .option("--confirmed", "skip email confirmation")
    .addOption(
      new Option("--role <role>", "role of the account").choices(["Owner", "Admin", "Moderator"]),
    )
    .option(
      "--scopes <scopes>",
      "also create an access token with these scopes, the last line of the output",
    )
    .action(administer("accounts", "createAccount"));
  accounts
    .command("modify <name>")
    .description(
      "change an account's role or email address, or reset its password or two-factor authentication",
    )
    .option("--role <role>", 'give the account this role; "none" takes it away')
    .option("--email <address>", "set another email address, which counts as confirmed")
    .option("--confirm", "confirm the email address")
    .option(
      "--reset-password",
      "generate and print a new password, and sign out all apps and browsers",
    )
    .option("--disable-2fa", "turn off two-factor authentication and remove all passkeys")
    .action(administer("accounts", "modifyAccount"));
  accountModeration(accounts, conventions);
  accountUpkeep(accounts, conventions);
  const tokens = groupOf(root, "tokens");
  tokens
    .command("create <name>")
    .description("create an access token for an account; the last line of the output is the token")
    .option("--scopes <scopes>", "scopes, separated by spaces", "read")
    .action(administer("tokens", "createToken"));
};
