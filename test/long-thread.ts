// Makes threads with many answers, for tests of what must not grow with them.

import type { Person, TestApp } from "./harness.ts";

type Answer = { parent: number; author: 0 | 1 };

/**
 * The parent and author of answer `number` (from 1 on; 0 is the root). `wide`: all answer the root. `deep`: each
 * answers the one before. `comb`: of two answers to a post one has two answers again, and so on, so that each level has
 * a branch.
 */
const SHAPES: Record<string, (number: number) => Answer> = {
  wide: (number) => ({ parent: 0, author: number % 2 === 0 ? 0 : 1 }),
  deep: (number) => ({ parent: number - 1, author: number % 2 === 0 ? 0 : 1 }),
  comb: (number) => ({
    parent: Math.max(0, number - (number % 2 === 0 ? 3 : 2)),
    author: Math.ceil(number / 2) % 2 === 0 ? 0 : 1,
  }),
};

export type Shape = "wide" | "deep" | "comb";

export type LongThread = {
  /** Id of the post that begins it. */
  root: string;
  /** Ids of the answers, oldest first. */
  answers: string[];
  /** Returns the page of a post of it. */
  pathOf(id: string): string;
};

const NAMES = ["alice", "bob"];

/** Makes a thread that alice begins, by her and bob. */
export const startLongThread = async (
  server: TestApp,
  people: readonly [alice: Person, bob: Person],
  shape: Shape,
  count: number,
): Promise<LongThread> => {
  const json = { status: `A question that many answer: ${shape}` };
  const { id: root } = await people[0].post("/api/v1/statuses", json).ok();
  const shaped = Array.from({ length: count }, (_, index) => SHAPES[shape]!(index + 1));
  const parents = shaped.map(({ parent }) => parent);
  const authors = shaped.map(({ author }) => people[author].accountId);
  const parentAuthors = parents.map(
    (parent) => people[parent === 0 ? 0 : shaped[parent - 1]!.author].accountId,
  );
  await server.write`
    INSERT INTO statuses (id, account_id, uri, local, text, content, visibility, awaits_approval, in_reply_to_id,
      in_reply_to_account_id, created_at)
    SELECT ${root}::bigint + n, author, ${root} || '/' || n, true, 'Answer ' || n,
      '<p>Answer ' || n || ' has a line.</p><p>And another one.</p>', 'public', false, ${root}::bigint + parent,
      parent_author, now()
    FROM unnest(${parents}::int[], ${authors}::bigint[], ${parentAuthors}::bigint[])
      WITH ORDINALITY AS answer (parent, author, parent_author, n)`;
  await server.write`
    INSERT INTO status_stats (status_id, replies_count)
    SELECT in_reply_to_id, count(*) FROM statuses
    WHERE in_reply_to_id BETWEEN ${root}::bigint AND ${root}::bigint + ${count} GROUP BY in_reply_to_id
    ON CONFLICT (status_id) DO UPDATE SET replies_count = excluded.replies_count`;
  // A running database does this by itself; without it, each step of a recursion reads all rows.
  await server.write`ANALYZE statuses`;
  const answers = shaped.map((_, index) => String(BigInt(root) + BigInt(index + 1)));
  const names = new Map(answers.map((id, index) => [id, NAMES[shaped[index]!.author]!]));
  return { root, answers, pathOf: (id) => `/@${names.get(id) ?? NAMES[0]}/${id}` };
};
