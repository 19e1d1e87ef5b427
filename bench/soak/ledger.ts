// Records what was acknowledged: everybody who acts writes down the responses, which have to hold at the end. Only one
// person at a time acts on each thing, so that its last response is what holds.

/** A post of a local person; `text` is null once it was deleted. */
export type Post = { id: string; uri: string; author: string; text: string | null };

export type Ledger = {
  posts: Map<string, Post>;
  /** Whether the person favourites the post now, by `person post`. */
  favourites: Map<string, boolean>;
  bookmarks: Map<string, boolean>;
  boosts: Map<string, boolean>;
  /** Whether the first person follows the second one now, by `person person`. */
  follows: Map<string, boolean>;
  /** Remote notes: text by address, null once deleted. */
  notes: Map<string, string | null>;
  /** Accepted favourites from other servers, each as `actor post`. */
  likes: Set<string>;
  /** Number of acknowledged acts, and of answers that made people try again, by status. */
  acts: number;
  repeated: Map<number, number>;
  /** Answers that must never be given. */
  faults: string[];
};

export const makeLedger = (): Ledger => ({
  posts: new Map(),
  favourites: new Map(),
  bookmarks: new Map(),
  boosts: new Map(),
  follows: new Map(),
  notes: new Map(),
  likes: new Set(),
  acts: 0,
  repeated: new Map(),
  faults: [],
});

/** Returns the posts that exist, the newest last. */
export const postsThere = ({ posts }: Ledger): Post[] =>
  [...posts.values()].filter(({ text }) => text !== null);
