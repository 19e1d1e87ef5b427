// A restore leaves marks in the data folder and in the database while it works, so that no server starts with half of a
// backup.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";

const FILE = "restore-unfinished";

export const markFolder = (dataDir: string): void =>
  writeFileSync(join(dataDir, FILE), "", { flush: true });

export const unmarkFolder = (dataDir: string): void => rmSync(join(dataDir, FILE));

const unfinished = (where: string): ConfigError =>
  new ConfigError(
    `A backup was not restored completely into ${where}: empty it, and run rookery restore again.`,
  );

export const refuseUnfinishedFolder = (dataDir: string): void => {
  if (existsSync(join(dataDir, FILE))) throw unfinished(dataDir);
};

export const refuseUnfinishedDatabase = (isUnfinished: boolean, shown: string): void => {
  if (isUnfinished) throw unfinished(`the database ${shown}`);
};
