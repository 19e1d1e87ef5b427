// Declares all commands of administration. What they do is loaded when one of them is called.

import type { Command } from "commander";
import type { Conventions } from "../../../../src/for-packages/administration.ts";
import { accountCommands } from "./accounts.ts";
import { moderationCommands } from "./moderation.ts";
import { siteCommands } from "./site.ts";
import { upkeepCommands } from "./upkeep.ts";

/** Puts the commands into their groups, which the program has already. */
export const declareCommands = (root: Command, conventions: Conventions): void => {
  accountCommands(root, conventions);
  siteCommands(root, conventions);
  moderationCommands(root, conventions);
  upkeepCommands(root, conventions);
};
