// Hashes passwords with argon2id and the library's defaults (19 MiB, 2 passes: OWASP's first choice). The library takes
// 2 MB and is imported with the first password.

const argon2 = () => import("@node-rs/argon2");

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(password);

/** Recognises bcrypt, which accounts from a Mastodon have until the person signs in (docs/design/moving.md). */
export const isFromElsewhere = (hashed: string): boolean => /^\$2[abxy]\$/.test(hashed);

export const verifyPassword = async (hashed: string, password: string): Promise<boolean> =>
  isFromElsewhere(hashed)
    ? (await import("@node-rs/bcrypt")).verify(password, hashed)
    : (await argon2()).verify(hashed, password);
