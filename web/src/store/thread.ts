// The thread of a post: what it answers, and its answers as a tree that grows while it is shown.

import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Context, Status } from "../api/entities.ts";
import type { Asking } from "./feed.ts";
import { keepStatus, keepStatuses } from "./store.ts";
import type { Store } from "./store.ts";

export type ThreadData = { id: string; above: string[]; below: string[] };

/** Posts that are read one after the other, and the branches that leave them. */
export type Branch = { chain: string[]; replies: Branch[] };

const states = new WeakMap<ThreadData, Signal<string[]>>();

/** The ids of the answers, parents before their answers. */
export const answersOf = (data: ThreadData): Signal<string[]> => {
  const known = states.get(data) ?? signal(data.below);
  states.set(data, known);
  return known;
};

export const loadThread = async ({ get, store }: Asking, id: string): Promise<ThreadData> => {
  const { body } = await get<Context>(`/api/v1/statuses/${id}/context`);
  const above = keepStatuses(store, body.ancestors);
  return { id, above, below: keepStatuses(store, body.descendants) };
};

/** Puts an answer to something in the thread into it; others are left. */
export const addAnswer = (store: Store, data: ThreadData, status: Status): void => {
  const parent = status.in_reply_to_id;
  const answers = answersOf(data);
  const ids = answers.peek();
  if (parent === null || ids.includes(status.id)) return;
  if (parent !== data.id && !ids.includes(parent)) return;
  answers.value = [...ids, keepStatus(store, status)];
};

/** What was answered, changed and counted since. */
export const refreshThread = async (asking: Asking, data: ThreadData): Promise<void> => {
  const { below } = await loadThread(asking, data.id);
  const answers = answersOf(data);
  const known = new Set(answers.peek());
  const fresh = below.filter((id) => !known.has(id));
  if (fresh.length > 0) answers.value = [...answers.peek(), ...fresh];
};

/** The answers by what they answer; to what is not there (deleted, hidden), as answers to the root. */
const byParent = (store: Store, { id: root }: ThreadData, ids: readonly string[]) => {
  const known = new Set([root, ...ids]);
  const children = new Map<string, string[]>();
  for (const id of ids) {
    const parent = store.statuses.get(id)?.peek().in_reply_to_id ?? root;
    const key = known.has(parent) ? parent : root;
    children.set(key, [...(children.get(key) ?? []), id]);
  }
  return children;
};

const authorOf = (store: Store, id: string): string | undefined =>
  store.statuses.get(id)?.peek().account.id;

/** The branches below the post of the page: what its author went on with first. */
export const branchesOf = (
  store: Store,
  data: ThreadData,
): { own: string[]; branches: Branch[] } => {
  const children = byParent(store, data, answersOf(data).value);

  /** From a post on: where its author goes on, or the only answer. */
  const branchFrom = (first: string, isOnlyByAuthor: boolean): Branch => {
    const chain: string[] = [];
    const others: string[] = [];
    for (let id: string | undefined = first; id !== undefined;) {
      chain.push(id);
      const answers: string[] = children.get(id) ?? [];
      const author = authorOf(store, id);
      const byAuthor = answers.find((answer) => authorOf(store, answer) === author);
      const next: string | undefined =
        byAuthor ?? (!isOnlyByAuthor && answers.length === 1 ? answers[0] : undefined);
      others.push(...answers.filter((answer) => answer !== next));
      id = next;
    }
    return { chain, replies: others.map((id) => branchFrom(id, false)) };
  };

  const { chain, replies } = branchFrom(data.id, true);
  return { own: chain.slice(1), branches: replies };
};

/** How many posts a branch has below its chain. */
export const sizeOf = ({ replies }: Branch): number =>
  replies.reduce((sum, branch) => sum + branch.chain.length + sizeOf(branch), 0);
