// Passwords: argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice). The library
// is imported with the first password, as it takes 2 MB.

const argon2 = () => import("@node-rs/argon2");

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(password);

export const verifyPassword = async (hashed: string, password: string): Promise<boolean> =>
  (await argon2()).verify(hashed, password);
