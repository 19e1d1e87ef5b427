// A round time for a clock that stands still.

const DAY_MS = 86_400_000;

/**
 * Noon of tomorrow, UTC. Never the past: the database's own clock says which jobs are due, so one that
 * is planned for later would be due at once.
 */
export const nextNoon = (): Date =>
  new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS + DAY_MS / 2);
