// Passwords: argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice). The library
// is imported with the first password, as it takes 2 MB.

const argon2 = () => import("@node-rs/argon2");

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(password);

/** bcrypt, of an account that came from a Mastodon, until the person signs in (docs/design/moving.md). */
export const isFromElsewhere = (hashed: string): boolean => /^\$2[abxy]\$/.test(hashed);

export const verifyPassword = async (hashed: string, password: string): Promise<boolean> =>
  isFromElsewhere(hashed)
    ? (await import("@node-rs/bcrypt")).verify(password, hashed)
    : (await argon2()).verify(hashed, password);
