// Statements that are planned each time they run. The others keep their first plan, which a table that is
// empty then misleads for as long as nothing analyzes it: it is read from one end to the other.

/**
 * For tables that are empty now and long a moment later, as queues are. Planning again takes some tenths of
 * a millisecond.
 */
export const unprepared = <Q extends object>(query: Q): Q => {
  // What `.simple()` of postgres.js does, with parameters.
  (query as { options?: { prepare?: boolean } }).options!.prepare = false;
  return query;
};
