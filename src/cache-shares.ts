// Divides the memory for caches (CACHE_MB): percentages by name, 100 in all. A cache that is not named here cannot be
// created. Pooled caches may use more, as long as others leave it (docs/design/caches.md).

export const CACHE_SHARES: Readonly<Record<string, number>> = {
  // These are what pages consist of: rows with the JSON made from them.
  statuses: 15,
  accounts: 15,
  // These are viewers' marks on statuses, their relations to accounts, and what they do not want to see.
  "viewer marks": 6,
  relations: 1.5,
  people: 1,
  "numbers of statuses": 1.5,
  "numbers of accounts": 1,
  handles: 0.5,
  unwanted: 3.5,
  // These are lists of ids, and the rows of the newest notifications.
  feeds: 9.5,
  notifications: 6,
  "notification groups": 6,
  "unread notifications": 0.5,
  "account pages": 2.5,
  "public pages": 0.5,
  "tag pages": 0.5,
  threads: 1.5,
  rankings: 0.5,
  // These are pages of the web client as visitors get them, and posts as anybody's pages have them.
  "drawn pages": 2,
  "drawn posts": 2.5,
  // These are the followers of an author or a tag.
  audiences: 3.5,
  "follower inboxes": 1.5,
  "tag audiences": 0.5,
  readers: 3.5,
  // These are who requests come from, and how many there were. Counters of people are not bounded, since there are only
  // as many as people.
  credentials: 2,
  "key-value": 1,
  "request rates": 0.5,
  "counters of requests": 0.5,
  "counters of addresses": 0.5,
  "counters of logins": 0.5,
  // These belong to federation.
  "stored keys": 1,
  "public keys": 1,
  "private keys": 0.5,
  "assertion keys": 0.5,
  "inbox bodies": 2,
  "outgoing activities": 1.5,
  signers: 0.5,
  "signature forms": 0.5,
  "readers of proofs": 0.5,
  "fetch budgets": 0.5,
  "host names": 0.5,
};

/**
 * Caches of what pages consist of. Each may use what the others leave of their shares, and returns it when they need
 * it. Caches that strangers can fill have only their own share.
 */
export const POOLED_CACHES: ReadonlySet<string> = new Set([
  "statuses",
  "accounts",
  "viewer marks",
  "relations",
  "people",
  "numbers of statuses",
  "numbers of accounts",
  "unwanted",
  "notifications",
  "notification groups",
  "unread notifications",
  "account pages",
  "public pages",
  "tag pages",
  "threads",
  "drawn pages",
  "drawn posts",
]);
