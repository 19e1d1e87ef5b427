// Makes the address of a local person as other servers know it, because the old database does not store it.

const NUMBERED = 1;

/** Returns the address: by the name, or by the number for accounts that 4.5 and newer made. */
export const actorUri = (
  origin: string,
  { id, username, scheme }: { id: string; username: string; scheme: unknown },
): string =>
  Number(scheme) === NUMBERED ? `${origin}/ap/users/${id}` : `${origin}/users/${username}`;
