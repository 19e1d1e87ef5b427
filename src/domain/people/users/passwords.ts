// Recognises passwords that are guessed first, and hashes others with argon2id and the library's defaults (19 MiB, 2
// passes: OWASP's first choice). The library takes 2 MB and is imported with the first password.

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

const argon2 = () => import("@node-rs/argon2");

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(password);

/** Recognises bcrypt, which accounts from a Mastodon have until the person signs in (docs/design/moving.md). */
export const isFromElsewhere = (hashed: string): boolean => /^\$2[abxy]\$/.test(hashed);

export const verifyPassword = async (hashed: string, password: string): Promise<boolean> =>
  isFromElsewhere(hashed)
    ? (await import("@node-rs/bcrypt")).verify(password, hashed)
    : (await argon2()).verify(hashed, password);
