// Says why something failed in words that people understand: errors of files and connections come with codes such as
// ENOENT, which are translated here for every page, mail and command.

/** Meanings of the system's codes, some by system call: https://nodejs.org/api/errors.html#common-system-errors */
const MEANINGS: Readonly<Record<string, string>> = {
  "ENOENT mkdir": "the folder cannot be created",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  ENOTEMPTY: "the folder is not empty",
  ENAMETOOLONG: "the name is too long",
  EACCES: "this user is not allowed to use it",
  EPERM: "this user is not allowed to do that",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk failed",
  EMFILE: "too many files are open",
  ENOTFOUND: "the host was not found",
  ENODATA: "the host has no address",
  EAI_AGAIN: "the name server does not answer",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "there was no answer in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  EADDRINUSE: "the port is in use by another program",
  EADDRNOTAVAIL: "this machine does not have the address",
  EPROTO: "the encrypted connection failed",
};

/** Matches `ENOENT: no such file or directory, open '/x'` and `connect ECONNREFUSED 127.0.0.1:25`. */
const CODED = /\b(E[A-Z_]{2,})\b(?:: [^,]*, (\w+))?(?: '([^']*)'| (\S+))?/;
const TLS = /:SSL routines:/;

type SystemError = { message?: string; code?: string; cause?: unknown; errors?: unknown[] };

/** Returns why something failed, also of several errors at once; codes of the system become words. */
export const reasonOf = (error: unknown): string => {
  const { message, code: given = "", cause, errors } = error as SystemError;
  const below = errors?.[0] ?? cause;
  const text = message || (below ? reasonOf(below) : given || String(error));
  const [, written = "", call, path, host] = CODED.exec(text) ?? [];
  const code = TLS.test(text) ? "EPROTO" : given in MEANINGS ? given : written;
  const meaning = MEANINGS[`${code} ${call}`] ?? MEANINGS[code];
  if (meaning === undefined || text.startsWith(meaning)) return text;
  const place = written === code ? (path ?? host) : undefined;
  return place === undefined ? meaning : `${meaning} (${place})`;
};

/** Whether the system refused a file or a connection, which is no error of the program. */
export const isOfSystem = (error: unknown): boolean => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== undefined && code in MEANINGS;
};
