// Refuses passwords that are guessed first: the 10,000 commonest, and those that contain the name of the account.

import { readFile } from "node:fs/promises";

const FILE = new URL("../../../../assets/common-passwords.txt", import.meta.url);

/** Keeps one text of 95 KB, read with the first new password: as a set it would take ten times as much. */
let list: Promise<string> | null = null;

export const isCommon = async (password: string): Promise<boolean> => {
  list ??= readFile(FILE, "latin1");
  // Lines of its licence begin with #.
  const line = password.toLowerCase();
  return !/[#\n]/.test(line) && (await list).includes(`\n${line}\n`);
};

/** Letters of the shortest name that is looked for; shorter ones are in many good passwords by chance. */
const SHORTEST_NAME = 3;

export const hasName = (password: string, username: string): boolean =>
  username.length >= SHORTEST_NAME && password.toLowerCase().includes(username.toLowerCase());
