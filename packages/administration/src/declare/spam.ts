// Declares the commands for rules against spam, and for posts that wait for a decision.

import type { Command } from "commander";
import type { Conventions } from "../uses.ts";
import { administer } from "./administer.ts";
import { groupOf } from "./group-of.ts";

export const spamCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const rules = groupOf(root, "spam-rules");
  rules
    .command("list")
    .description("show the rules")
    .option(...JSON_OPTION)
    .action(administer("spam", "showRules"));
  rules
    .command("add <name>")
    .description("add a rule, which is off until a dry run was made and it is enabled")
    .requiredOption(
      "--conditions <json>",
      'all of which have to hold, or @FILE: {"origin": "remote", "account_age_below": 24, "strangers": 3, "links": 1, "words": […], "pattern": "RE2", "same_text": 5, …}',
    )
    .requiredOption("--actions <actions>", "of reject, hold, report and limit, separated by commas")
    .action(administer("spam", "addRule"));
  rules
    .command("dry-run <id>")
    .description("show what the rule would have matched in the last day")
    .option(...JSON_OPTION)
    .action(administer("spam", "tryRule"));
  for (const [act, description] of [
    ["enable", "switch the rule on"],
    ["disable", "switch the rule off"],
    ["undo", "switch the rule off, publish what it stopped, lift its limits, resolve its reports"],
    ["remove", "remove the rule, and discard what it held"],
  ] as const) {
    rules
      .command(`${act} <id>`)
      .description(description)
      .action(administer("spam", "actOnRule", act));
  }
  const posts = groupOf(root, "held-posts");
  posts
    .command("list")
    .description("show them")
    .option(...JSON_OPTION)
    .action(administer("spam", "showHeld"));
  for (const act of ["approve", "discard"] as const) {
    posts
      .command(`${act} <ids...>`)
      .description(act === "approve" ? "publish them" : "publish them never")
      .action(administer("spam", "decideHeld", act));
  }
};
