// How the memory for caches (CACHE_MB) is shared out: hundredths by name, 100 in all. A cache that is not
// named here cannot be made.

export const CACHE_SHARES: Readonly<Record<string, number>> = {
  // What pages are made of: rows with the JSON made of them.
  statuses: 24,
  accounts: 9,
  // What viewers did with statuses and how they stand to accounts, and what they do not want to see.
  "viewer marks": 6,
  filters: 3,
  "blocked domains": 0.5,
  "muted conversations": 0.5,
  // Lists of ids.
  feeds: 18,
  "account pages": 2.5,
  "public pages": 0.5,
  "tag pages": 0.5,
  threads: 2,
  // Who reads an author or a tag.
  audiences: 4,
  "tag audiences": 0.5,
  readers: 10,
  // Requests: who they are from, how many there were (the kv port, which holds short-lived values, too).
  credentials: 3,
  "key-value": 5,
  // Federation.
  "stored keys": 2,
  "public keys": 1.5,
  "private keys": 1,
  "inbox bodies": 3,
  "outgoing activities": 1.5,
  hosts: 2,
};
