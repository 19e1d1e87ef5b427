// Declares the commands of moderators: accounts, reports, roles, the audit log, block lists.

import { Option } from "commander";
import type { Command } from "commander";
import type { Conventions } from "../uses.ts";
import { administer } from "./administer.ts";
import { groupOf } from "./group-of.ts";
import { spamCommands } from "./spam.ts";

const reportCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const reports = groupOf(root, "reports");
  reports
    .command("list")
    .description("list the newest unresolved reports")
    .option("--all", "list resolved ones instead")
    .option(...JSON_OPTION)
    .action(administer("moderation", "listReports"));
  reports
    .command("resolve <id>")
    .description("resolve a report without doing anything")
    .action(administer("moderation", "resolveReport"));
  for (const [name, action, description] of [
    ["delete-posts", "delete_statuses", "delete the reported posts and resolve the report"],
    ["mark-posts", "mark_statuses_as_sensitive", "hide the media of the reported posts"],
  ] as const) {
    reports
      .command(`${name} <id>`)
      .description(description)
      .option("--text <text>", "what the author is told")
      .option("--no-mail", "tell the author in the app only")
      .action(administer("moderation", "actOnPosts", action));
  }
};

const roleOptions = (command: Command): Command =>
  command
    .option("--permissions <names>", "permissions, separated by commas")
    .option("--color <#rrggbb>", "colour of the badge")
    .option("--position <number>", "rank: people act only on those below them (0 to 999)")
    .option("--highlighted", "show the role on profiles")
    .option("--no-highlighted", "do not show the role on profiles")
    .option("--max-characters <number>", "how long their posts may be, or `default`");

const groupCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const groups = groupOf(root, "groups");
  groups
    .command("list")
    .description("list all groups with their owners; accounts delete deletes one")
    .option(...JSON_OPTION)
    .action(administer("groups", "listGroups"));
  groups
    .command("transfer <name> <owner>")
    .description("make somebody of this server the owner of a group")
    .action(administer("groups", "transferGroup"));
};

const roleCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const roles = groupOf(root, "roles");
  roles
    .command("list")
    .description("list all roles with their ranks and permissions")
    .option(...JSON_OPTION)
    .action(administer("roles", "listRolesCommand"));
  roleOptions(roles.command("create <name>").description("add a role")).action(
    administer("roles", "createRoleCommand"),
  );
  roleOptions(roles.command("modify <name>").description("change a role"))
    .option("--name <name>", "rename it")
    .action(administer("roles", "modifyRoleCommand"));
  roles
    .command("remove <name>")
    .description("remove a role that nobody has")
    .action(administer("roles", "removeRoleCommand"));
  const audit = groupOf(root, "audit");
  audit
    .command("list")
    .description("list what was done, newest first")
    .option("--by <name>", "only by this person")
    .option("--action <action>", "only this action, such as account.suspend")
    .option("--limit <number>", "how many", "50")
    .option(...JSON_OPTION)
    .action(administer("roles", "listAuditCommand"));
};

const domainCommands = (root: Command, { JSON_OPTION, many }: Conventions): void => {
  const blocks = groupOf(root, "domain-blocks");
  blocks
    .command("list")
    .description("list all blocks")
    .option(...JSON_OPTION)
    .action(administer("blocklists", "listDomainBlocks"));
  blocks
    .command("add <domain>")
    .description("block a server and its subdomains")
    .addOption(
      new Option("--severity <severity>", "how much")
        .choices(["noop", "silence", "suspend"])
        .default("suspend"),
    )
    .option("--public-comment <text>", "the reason, for everybody")
    .option("--private-comment <text>", "the reason, for the staff")
    .option("--reject-media", "show no media from there")
    .option("--reject-reports", "take no reports from there")
    .option("--obfuscate", "hide part of the name in the public list")
    .action(administer("blocklists", "addDomainBlock"));
  blocks
    .command("remove <domain>")
    .description("lift a block")
    .action(administer("blocklists", "removeDomainBlock"));
  blocks
    .command("export [file]")
    .description("write all blocks as CSV, as Mastodon does; without a file to standard output")
    .action(administer("blocklists", "exportDomainBlocks"));
  many(blocks.command("import <file>"))
    .description("add the blocks of a CSV file, as Mastodon writes it, or of standard input (-)")
    .option("--overwrite", "also change blocks that are another in the file")
    .action(administer("blocklists", "importDomains"));
};

const severityOption = (name: string, byDefault: string): Option =>
  new Option(`--${name} <severity>`, `what its entries with the severity ${name} become`)
    .choices(["suspend", "silence", "noop", "skip"])
    .default(byDefault);

const domainListCommands = (root: Command, { JSON_OPTION, many }: Conventions): void => {
  const lists = groupOf(root, "domain-lists");
  lists
    .command("list")
    .description("show the lists")
    .option(...JSON_OPTION)
    .action(administer("domainLists", "showLists"));
  many(lists.command("add <url>"))
    .description("subscribe to a list: CSV as Mastodon writes it, or one domain a line")
    .option("--title <title>", "its name here")
    .addOption(severityOption("suspend", "suspend"))
    .addOption(severityOption("silence", "silence"))
    .addOption(severityOption("noop", "skip"))
    .option("--no-retract", "keep blocks that the list has no more")
    .action(administer("domainLists", "addList"));
  lists
    .command("remove <id>")
    .description("end the subscription, and the blocks that only this list has")
    .action(administer("domainLists", "removeList"));
  lists
    .command("sync <id>")
    .description("read the list now, also where it has become much shorter")
    .action(administer("domainLists", "syncList"));
  lists
    .command("changes")
    .description("show what the lists changed")
    .option("--days <days>", "since how many days ago", "7")
    .option(...JSON_OPTION)
    .action(administer("domainLists", "showChanges"));
  lists
    .command("exceptions <act> [domain]")
    .description("list, add or remove domains that no list blocks")
    .action(async (act: string, domain?: string) => {
      const known = (["list", "add", "remove"] as const).find((word) => word === act);
      if (!known)
        throw new Error('Use "exceptions list", "exceptions add" or "exceptions remove".');
      await (await import("../domain-lists.ts")).exceptions(known, domain);
    });
};

const emailCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const emails = groupOf(root, "email-domain-blocks");
  emails
    .command("list")
    .description("list all blocked providers")
    .option(...JSON_OPTION)
    .action(administer("blocklists", "listEmailDomainBlocks"));
  emails
    .command("add <domains...>")
    .description("block providers, by their domains or those of their mail servers")
    .option("--allow-with-approval", "let a moderator decide instead")
    .action(administer("blocklists", "addEmailDomainBlocks"));
  emails
    .command("remove <domains...>")
    .description("lift blocks")
    .action(administer("blocklists", "removeEmailDomainBlocks"));
};

const canonicalCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const blocks = groupOf(root, "canonical-email-blocks");
  blocks
    .command("find <address>")
    .description("say whether an address is blocked; exit code 1: it is not")
    .option(...JSON_OPTION)
    .action(administer("blocklists", "findCanonicalBlock"));
  for (const act of ["add", "remove"] as const) {
    blocks
      .command(`${act} <address>`)
      .description(act === "add" ? "block an address" : "lift the block of an address")
      .action(administer("blocklists", "changeCanonicalBlock", act));
  }
};

const ipCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const ips = groupOf(root, "ip-blocks");
  ips
    .command("list")
    .description("list all blocked networks")
    .option(...JSON_OPTION)
    .action(administer("blocklists", "listIpBlocks"));
  ips
    .command("add <networks...>")
    .description("block addresses or networks (192.0.2.0/24)")
    .addOption(
      new Option("--severity <severity>", "what is refused")
        .choices(["sign_up_requires_approval", "sign_up_block", "no_access"])
        .makeOptionMandatory(),
    )
    .option("--comment <text>", "the reason, for the staff")
    .option("--duration <seconds>", "how long; without it for good")
    .action(administer("blocklists", "addIpBlocks"));
  ips
    .command("export [file]")
    .description(
      "write the networks without any access, a line each; without a file to standard output",
    )
    .addOption(
      new Option("--format <format>", "lines for people, or for nginx")
        .choices(["plain", "nginx"])
        .default("plain"),
    )
    .action(administer("blocklists", "exportIpBlocks"));
  ips
    .command("remove <networks...>")
    .description("lift blocks")
    .action(administer("blocklists", "removeIpBlocks"));
};

export const moderationCommands = (root: Command, conventions: Conventions): void => {
  reportCommands(root, conventions);
  groupCommands(root, conventions);
  roleCommands(root, conventions);
  domainCommands(root, conventions);
  domainListCommands(root, conventions);
  spamCommands(root, conventions);
  emailCommands(root, conventions);
  canonicalCommands(root, conventions);
  ipCommands(root, conventions);
};
