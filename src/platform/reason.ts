// Says why something failed in words that people understand: errors of files and connections come with codes such as
// ENOENT, which become sentences here for every page, mail and command (texts/en/reasons.json).

import { englishOf, isKey, says } from "./text/texts.ts";

/** Says in English what a code of the system means, some by system call: https://nodejs.org/api/errors.html */
const meaningOf = (code: string, call?: string): string | undefined => {
  const key = [`reason.${code}_${call}`, `reason.${code}`].find(isKey);
  return key && englishOf(says(key));
};

/** Matches `ENOENT: no such file or directory, open '/x'` and `connect ECONNREFUSED 127.0.0.1:25`. */
const CODED = /\b(E[A-Z_]{2,})\b(?:: [^,]*, (\w+))?(?: '([^']*)'| (\S+))?/;
const TLS = /:SSL routines:/;

type SystemError = { message?: string; code?: string; cause?: unknown; errors?: unknown[] };

/**
 * Returns why something failed, also of several errors at once; codes of the system become words. `named` is the file
 * that the sentence around it names already.
 */
export const reasonOf = (error: unknown, named?: string): string => {
  const { message, code: given = "", cause, errors } = error as SystemError;
  const below = errors?.[0] ?? cause;
  const text = message || (below ? reasonOf(below) : given || String(error));
  const [, written = "", call, path, host] = CODED.exec(text) ?? [];
  const code = TLS.test(text) ? "EPROTO" : meaningOf(given) ? given : written;
  const meaning = meaningOf(code, call);
  if (meaning === undefined || text.startsWith(meaning)) return text;
  const place = written === code ? (path ?? host) : undefined;
  return place === undefined || place === named ? meaning : `${meaning} (${place})`;
};

/** Whether the system refused a file or a connection, which is no error of the program. */
export const isOfSystem = (error: unknown): boolean => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== undefined && meaningOf(code) !== undefined;
};
