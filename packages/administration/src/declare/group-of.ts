// Finds the groups that the program names (src/cli/groups.ts), to put their commands into them.

import type { Command } from "commander";

export const groupOf = (root: Command, name: string): Command =>
  root.commands.find((command) => command.name() === name)!;
