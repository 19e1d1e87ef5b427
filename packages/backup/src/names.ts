// Backups in a folder are named by the time they were made, so that they sort by time.

import type { Files } from "./uses.ts";

const NAME = /^(rookery-\d{8}T\d{6}Z)\.(backup|media)$/;

/** Returns a name such as `rookery-20270131T180000Z`. */
export const nameFor = (time: Date): string =>
  `rookery-${time.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;

export const fileOf = (name: string): string => `${name}.backup`;
export const listOf = (name: string): string => `${name}.media`;

/** Lists backups, oldest first. A backup without a list is broken, since the list is written last. */
export const backupsIn = async (files: Files): Promise<{ whole: string[]; broken: string[] }> => {
  const writers = new Map<string, Set<string>>();
  for await (const { key } of files.list("rookery-")) {
    const [, name, kind] = NAME.exec(key) ?? [];
    if (name) writers.set(name, (writers.get(name) ?? new Set()).add(kind!));
  }
  const names = [...writers.keys()].sort();
  const isWhole = (name: string) => writers.get(name)!.size === 2;
  return { whole: names.filter(isWhole), broken: names.filter((name) => !isWhole(name)) };
};

/** Returns the name of the list that belongs to a backup's file, or null if the file is in no folder of backups. */
export const listBeside = (file: string): string | null => {
  const [, name, kind] = NAME.exec(file) ?? [];
  return name && kind === "backup" ? listOf(name) : null;
};
