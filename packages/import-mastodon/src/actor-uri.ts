// The address of a person here, as other servers know it: the old database does not store it.

const NUMBERED = 1;

/** What other servers know people here by: the name, or the number of those that 4.5 and newer made. */
export const actorUri = (
  origin: string,
  { id, username, scheme }: { id: string; username: string; scheme: unknown },
): string =>
  Number(scheme) === NUMBERED ? `${origin}/ap/users/${id}` : `${origin}/users/${username}`;
