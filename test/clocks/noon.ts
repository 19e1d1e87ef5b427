// A round time for a clock that stands still.

const DAY_MS = 86_400_000;

/**
 * Returns noon of tomorrow, UTC. It is never past: the database's own clock decides which jobs are due, so a job
 * planned for later would otherwise be due at once.
 */
export const nextNoon = (): Date =>
  new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS + DAY_MS / 2);
