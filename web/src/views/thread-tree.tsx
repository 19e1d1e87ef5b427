// The answers to a post as a tree: branches can be folded (by the browser itself), deep ones are folded at first.

import { useApp } from "../app.ts";
import { sizeOf } from "../store/thread.ts";
import type { Branch } from "../store/thread.ts";
import { isHidden } from "./filters.ts";
import { PostOf } from "./post.tsx";

/** Folded from this level on. */
const OPEN_DEPTH = 3;

/** Posts one below the other, each an answer to the one before, but the first where it answers another. */
export const Chain = ({ ids, after }: { ids: readonly string[]; after: string | null }) => {
  const { store, me } = useApp();
  return (
    <>
      {ids.map((id, index) => {
        const status = store.statuses.get(id)?.peek();
        if (!status || (status.account.id !== me?.id && isHidden(status, "thread"))) return null;
        const above = index === 0 ? after : ids[index - 1];
        return <PostOf key={id} id={id} isBelowParent={status.in_reply_to_id === above} />;
      })}
    </>
  );
};

const BranchView = ({
  branch,
  parent,
  depth,
}: {
  branch: Branch;
  parent: string;
  depth: number;
}) => {
  const { t } = useApp();
  const count = sizeOf(branch);
  return (
    <div class="branch">
      <Chain ids={branch.chain} after={parent} />
      {count > 0 && (
        <details class="branch-replies" open={depth < OPEN_DEPTH}>
          <summary>{t("thread.branch", { count })}</summary>
          {branch.replies.map((reply) => (
            <BranchView
              key={reply.chain[0]}
              branch={reply}
              parent={branch.chain.at(-1)!}
              depth={depth + 1}
            />
          ))}
        </details>
      )}
    </div>
  );
};

export const Branches = ({ branches, root }: { branches: readonly Branch[]; root: string }) => (
  <div class="branches">
    {branches.map((branch) => (
      // What answers the post of the page need not say so.
      <BranchView key={branch.chain[0]} branch={branch} parent={root} depth={1} />
    ))}
  </div>
);
