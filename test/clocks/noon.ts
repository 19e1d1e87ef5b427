// A round time for a clock that stands still.

const DAY_MS = 86_400_000;

/**
 * Noon of tomorrow, UTC. Never the past: by the database's own clock a job that is planned for the
 * past is due at once, and one that plans itself again would never end.
 */
export const nextNoon = (): Date =>
  new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS + DAY_MS / 2);
