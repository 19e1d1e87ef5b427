// The replies of a thread as a tree of branches that is walked part by part: threads have thousands of posts, and
// replies thousands of levels deep.

/** Position of a post in the thread. */
export type Place = { parentId: string | null; authorId: string };

/** Posts that are read one after the other, and the replies that branch off. */
export type Branch = {
  chain: string[];
  replies: string[];
  /** Posts below the chain. */
  size: number;
};

export type Tree = {
  root: string;
  /** Replies by what they reply to. */
  children: ReadonlyMap<string, readonly string[]>;
  authors: ReadonlyMap<string, string | undefined>;
  /** Number of posts in each post's subtree, with the post itself. */
  sizes: ReadonlyMap<string, number>;
  branches: Map<string, Branch>;
};

/** Level from which branches are folded: those of replies to the page's post are indented, once. */
const OPEN_DEPTH = 2;
/** Branches of a reply that are not folded. */
const OPEN_REPLIES = 3;

/**
 * `below` has parents before their replies. Replies to missing posts (deleted, hidden) count as replies to the root.
 */
export const treeOf = (
  root: string,
  below: readonly string[],
  placeOf: (id: string) => Place | undefined,
): Tree => {
  const known = new Set([root, ...below]);
  const children = new Map<string, string[]>();
  const parents = new Map<string, string>();
  const authors = new Map([root, ...below].map((id) => [id, placeOf(id)?.authorId]));
  for (const id of below) {
    const parent = placeOf(id)?.parentId ?? root;
    const key = known.has(parent) ? parent : root;
    parents.set(id, key);
    const answers = children.get(key);
    if (answers) answers.push(id);
    else children.set(key, [id]);
  }
  const sizes = new Map<string, number>();
  for (const id of below.toReversed()) {
    const size = (sizes.get(id) ?? 0) + 1;
    sizes.set(id, size);
    const parent = parents.get(id)!;
    sizes.set(parent, (sizes.get(parent) ?? 0) + size);
  }
  return { root, children, authors, sizes, branches: new Map() };
};

/** Follows a branch from a post: to where its author continues, or to the only reply. */
const walkBranch = (
  { children, authors, sizes }: Tree,
  first: string,
  isOnlyByAuthor: boolean,
): Branch => {
  const chain: string[] = [];
  const replies: string[] = [];
  for (let id: string | undefined = first; id !== undefined;) {
    chain.push(id);
    const answers: readonly string[] = children.get(id) ?? [];
    const author = authors.get(id);
    const byAuthor = answers.find((answer) => authors.get(answer) === author);
    const next: string | undefined =
      byAuthor ?? (!isOnlyByAuthor && answers.length === 1 ? answers[0] : undefined);
    for (const answer of answers) if (answer !== next) replies.push(answer);
    id = next;
  }
  return { chain, replies, size: replies.reduce((sum, id) => sum + sizes.get(id)!, 0) };
};

/** Returns the branch that begins with a post; the root's branch is its author's own thread. */
export const branchFrom = (tree: Tree, first: string): Branch => {
  const known = tree.branches.get(first);
  if (known) return known;
  const branch = walkBranch(tree, first, first === tree.root);
  tree.branches.set(first, branch);
  return branch;
};

/** Depth of a branch: 1 where it leaves the root's. */
type Depth = number;

/** Returns the branches of a post that are drawn at once. */
export const openReplies = ({ replies }: Branch, depth: Depth): string[] =>
  depth < OPEN_DEPTH ? replies.slice(0, OPEN_REPLIES) : [];

/** Returns the branches of a post that are folded, and how many posts they have. */
export const foldedReplies = (
  { sizes }: Tree,
  branch: Branch,
  depth: Depth,
): { replies: string[]; size: number } => {
  const replies = branch.replies.slice(openReplies(branch, depth).length);
  return { replies, size: replies.reduce((sum, id) => sum + sizes.get(id)!, 0) };
};

const walk = (tree: Tree, firsts: readonly string[], depth: Depth, ids: string[]): string[] => {
  for (const first of firsts) {
    const branch = branchFrom(tree, first);
    for (const id of branch.chain) ids.push(id);
    walk(tree, openReplies(branch, depth), depth + 1, ids);
  }
  return ids;
};

/** Returns the replies in the order of drawing, without those in folded branches. */
export const sequenceOf = (tree: Tree): string[] => {
  const { chain, replies } = branchFrom(tree, tree.root);
  return walk(tree, replies, 1, chain.slice(1));
};

/** Does the same for what was folded of a branch; branches of that are folded again. */
export const repliesOf = (tree: Tree, first: string): string[] =>
  walk(tree, branchFrom(tree, first).replies, OPEN_DEPTH, []);

/** Whether a branch contains a post that is drawn. */
export const hasShown = (
  tree: Tree,
  shown: ReadonlySet<string>,
  first: string,
  depth: Depth,
): boolean => {
  const branch = branchFrom(tree, first);
  if (branch.chain.some((id) => shown.has(id))) return true;
  return openReplies(branch, depth).some((each) => hasShown(tree, shown, each, depth + 1));
};
