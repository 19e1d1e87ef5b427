// Declares all commands of administration. What they do is loaded when one of them is called.

import type { Command } from "commander";
import type { Conventions, Examples } from "../uses.ts";
import { accountCommands } from "./accounts.ts";
import { EXAMPLES } from "./examples.ts";
import { moderationCommands } from "./moderation.ts";
import { siteCommands } from "./site.ts";
import { upkeepCommands } from "./upkeep.ts";

/** Puts the commands into their groups, which the program has already, and returns the examples of their help. */
export const declareCommands = (root: Command, conventions: Conventions): Examples => {
  accountCommands(root, conventions);
  siteCommands(root, conventions);
  moderationCommands(root, conventions);
  upkeepCommands(root, conventions);
  return EXAMPLES;
};
