// What was acknowledged: whoever acts writes down what they were answered, and at the end it has to be so. Each thing
// has one who acts on it at a time, so that its last answer is what holds.

/** A post of somebody here. `null`: it was deleted. */
export type Post = { id: string; uri: string; author: string; text: string | null };

export type Ledger = {
  posts: Map<string, Post>;
  /** `person post`: whether it is so now. */
  favourites: Map<string, boolean>;
  bookmarks: Map<string, boolean>;
  boosts: Map<string, boolean>;
  /** `person person`. */
  follows: Map<string, boolean>;
  /** Notes of others: address → text, null once deleted. */
  notes: Map<string, string | null>;
  /** `actor post`: favourites from elsewhere that were accepted. */
  likes: Set<string>;
  /** Acts that were acknowledged, and answers that made them try again, by status. */
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

/** Posts that are there, the newest last. */
export const postsThere = ({ posts }: Ledger): Post[] =>
  [...posts.values()].filter(({ text }) => text !== null);
