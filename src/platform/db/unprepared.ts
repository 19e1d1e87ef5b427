// Runs statements that are planned each time. The others keep their first plan, which for a table that was empty then
// is to scan the whole table, until somebody analyzes it.

/**
 * For tables that are empty now and large a moment later, such as queues. Planning again takes some tenths of a
 * millisecond.
 */
export const unprepared = <Q extends object>(query: Q): Q => {
  // `.simple()` of postgres.js does the same, but without parameters.
  (query as { options?: { prepare?: boolean } }).options!.prepare = false;
  return query;
};
