// How the memory for caches (CACHE_MB) is shared out: hundredths by name, 100 in all. A cache that is not
// named here cannot be made. Some may have more, as long as others leave it (docs/design/caches.md).

export const CACHE_SHARES: Readonly<Record<string, number>> = {
  // What pages are made of: rows with the JSON made of them.
  statuses: 16,
  accounts: 17,
  // What viewers did with statuses and how they stand to accounts, and what they do not want to see.
  "viewer marks": 6,
  relations: 1.5,
  people: 1,
  "numbers of statuses": 1.5,
  "numbers of accounts": 1,
  unwanted: 3.5,
  // Lists of ids, and the rows of the newest notifications.
  feeds: 10,
  notifications: 6,
  "notification groups": 6,
  "account pages": 2.5,
  "public pages": 0.5,
  "tag pages": 0.5,
  threads: 2,
  // Pages of the web client as visitors get them.
  "drawn pages": 2,
  // Who reads an author or a tag.
  audiences: 4,
  "tag audiences": 0.5,
  readers: 4.5,
  // Requests: who they are from, how many there were. Counters of people are as many as there are people.
  credentials: 2,
  "key-value": 1,
  "request rates": 0.5,
  "counters of requests": 0.5,
  "counters of addresses": 0.5,
  "counters of logins": 0.5,
  // Federation.
  "stored keys": 1,
  "public keys": 1,
  "private keys": 0.5,
  "assertion keys": 0.5,
  "inbox bodies": 2,
  "outgoing activities": 2,
  "signature forms": 0.5,
  "readers of proofs": 0.5,
  "fetch budgets": 0.5,
  "host names": 0.5,
};

/**
 * What pages are made of: each of these may have what the others of them leave of their shares, and gives it back when
 * they need it. Those that strangers fill have their share alone.
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
  "account pages",
  "public pages",
  "tag pages",
  "threads",
  "drawn pages",
]);
