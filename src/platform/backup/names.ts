// The names of the backups in a folder: by the time at which they were made, so that their order is that of time.

import type { Files } from "../storage/index.ts";

const NAME = /^(rookery-\d{8}T\d{6}Z)\.(backup|media)$/;

/** `rookery-20270131T180000Z` */
export const nameFor = (time: Date): string =>
  `rookery-${time.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;

export const fileOf = (name: string): string => `${name}.backup`;
export const listOf = (name: string): string => `${name}.media`;

/** Oldest first. Without a list, which is written last, a backup is not whole. */
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

/** The name of a list for the file of a backup, if it is in a folder of them. */
export const listBeside = (file: string): string | null => {
  const [, name, kind] = NAME.exec(file) ?? [];
  return name && kind === "backup" ? listOf(name) : null;
};
