// Scripts in a cluster that build the names in their slot by themselves. While the slot moves to another node some of
// its keys are at one node and some at the other, and a script would consider keys at the other node missing. A cluster
// refuses a command that names two keys of which neither node has both (TRYAGAIN), so these scripts name two keys that
// never exist: they run at a node that has the whole slot, or not at all.

/** Returns KEYS for a script whose names all begin with `prefix`; no feed or channel has either name. */
export const wholeSlot = (prefix: string): [string, string] => [prefix, `${prefix}-`];

/** Whether an error means that the slot is moving, or that the client was redirected between its nodes too often. */
export const isMoving = (error: unknown): boolean =>
  error instanceof Error && /TRYAGAIN|Too many Cluster redirections/.test(error.message);

/** Returns a number that is the same in all processes, and evenly distributed. */
export const spread = (key: string): number => {
  let number = 0;
  for (let at = 0; at < key.length; at++) number = (number * 31 + key.charCodeAt(at)) % 65_521;
  return number;
};
