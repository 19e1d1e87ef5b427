// Draws a thread: the posts above the page's post, and the answers as a tree. Branches can be folded (by the browser
// itself); deep ones are folded at first, and empty until they are opened.

import { Fragment } from "preact";
import { useApp } from "../app.ts";
import { goToSpot, spotNow } from "../window/spot.ts";
import { aboveOf, leftOf, openBranch, showAbove, showMore } from "../store/thread.ts";
import type { ThreadState } from "../store/thread.ts";
import { OPEN_DEPTH, branchFrom, hasShown } from "../store/thread-tree.ts";
import { isHidden } from "./filters.ts";
import { Pager } from "../elements/pager.tsx";
import { PostOf } from "./post.tsx";
import { postPath } from "./shown-status.ts";

type ChainProps = { state: ThreadState; ids: readonly string[]; after: string | null };

/** Draws what was answered here to a post above, apart from the branch that leads to the page's post. */
const Aside = ({ state, above }: { state: ThreadState; above: string }) => {
  const ids = state.aside.value.get(above) ?? [];
  if (ids.length === 0) return null;
  return (
    <div class="branches">
      <div class="branch">
        <Chain state={state} ids={ids} after={above} />
      </div>
    </div>
  );
};

/** Draws posts below each other, each an answer to the one before; the first may answer another. */
const Chain = ({ state, ids, after }: ChainProps) => {
  const { store, me } = useApp();
  return (
    <>
      {ids.map((id, index) => {
        const status = store.statuses.get(id)?.peek();
        if (!status || (status.account.id !== me?.id && isHidden(status, "thread"))) return null;
        const above = index === 0 ? after : ids[index - 1];
        return (
          <Fragment key={id}>
            <PostOf
              id={id}
              isBelowParent={status.in_reply_to_id === above}
              heights={state.heights}
            />
            <Aside state={state} above={id} />
          </Fragment>
        );
      })}
    </>
  );
};

/** Draws a link to the page of the earliest drawn post, which shows what is above that. */
const Earlier = ({ state, count, from }: { state: ThreadState; count: number; from: string }) => {
  const app = useApp();
  const earliest = app.store.statuses.get(from)?.peek();
  const show = (event: Event): void => {
    event.preventDefault();
    // What is being read stays in place.
    const spot = spotNow();
    void showAbove(app, state)
      .then(() => requestAnimationFrame(() => goToSpot(spot)))
      .catch(() => {});
  };
  return (
    <p class="pager">
      <a class="button plain earlier" href={earliest && postPath(earliest)} onClick={show}>
        {app.t("thread.earlier", { count })}
      </a>
    </p>
  );
};

/** Draws what the page's post answers: the first post of the thread, and those that are near. */
export const Above = ({ state }: { state: ThreadState }) => {
  const { first, left, near } = aboveOf(state);
  return (
    <>
      {first !== null && <Chain state={state} ids={[first]} after={null} />}
      {left > 0 && <Earlier state={state} count={left} from={near[0]!} />}
      <Chain state={state} ids={near} after={left === 0 ? first : null} />
    </>
  );
};

/** `branch` is the post that a formerly folded branch begins with; null for the whole page. */
const More = ({ state, branch }: { state: ThreadState; branch: string | null }) => {
  const app = useApp();
  const left = leftOf(state, branch);
  if (!left) return null;
  return (
    <Pager
      next={{ after: left.after }}
      label={app.t("thread.more")}
      load={() => showMore(app, state, branch)}
    />
  );
};

type BranchProps = { state: ThreadState; first: string; parent: string; depth: number };

/** Draws a branch that is empty until it is opened: without scripts a link leads to the page that has its posts. */
const FoldedReplies = ({ state, first, parent, depth }: BranchProps) => {
  const { store, t } = useApp();
  const last = store.statuses.get(parent)!.peek();
  if (!state.opened.value.has(first))
    return (
      <p class="pager">
        <a class="button plain" href={`${postPath(last)}#replies`}>
          {t("thread.more")}
        </a>
      </p>
    );
  return (
    <>
      <Replies state={state} first={first} parent={parent} depth={depth} />
      <More state={state} branch={first} />
    </>
  );
};

const Replies = ({ state, first, parent, depth }: BranchProps) => (
  <>
    {branchFrom(state.tree.value, first)
      .replies.filter((reply) => hasShown(state.tree.value, state.shown.value, reply, depth + 1))
      .map((reply) => (
        <BranchView key={reply} state={state} first={reply} parent={parent} depth={depth + 1} />
      ))}
  </>
);

const BranchView = ({ state, first, parent, depth }: BranchProps) => {
  const { t } = useApp();
  const shown = state.shown.value;
  const { chain, replies, size } = branchFrom(state.tree.value, first);
  const last = chain.at(-1)!;
  const isOpen = depth < OPEN_DEPTH;
  const hasReplies =
    size > 0 &&
    (shown.has(last) ||
      (isOpen && replies.some((each) => hasShown(state.tree.value, shown, each, depth + 1))));
  const below = { state, first, parent: last, depth };
  const open = (event: Event): void => {
    if (!isOpen && (event.currentTarget as HTMLDetailsElement).open) openBranch(state, first);
  };
  return (
    <div class="branch">
      <Chain state={state} ids={chain.filter((id) => shown.has(id))} after={parent} />
      {hasReplies && (
        <details
          class="branch-replies"
          open={isOpen || state.opened.value.has(first)}
          onToggle={open}
        >
          <summary>{t("thread.branch", { count: size })}</summary>
          {isOpen ? <Replies {...below} /> : <FoldedReplies {...below} />}
        </details>
      )}
    </div>
  );
};

/** Draws the answers to the page's post, beginning with its author's own thread. */
export const Answers = ({ state }: { state: ThreadState }) => {
  const { t } = useApp();
  const { id, after } = state.data;
  const { chain, replies, size } = branchFrom(state.tree.value, id);
  const shown = state.shown.value;
  const own = chain.slice(1).filter((each) => shown.has(each));
  if (own.length + size === 0) return null;
  return (
    <>
      <h2 class="invisible" id="replies">
        {t("thread.replies")}
      </h2>
      {after !== null && (
        <p class="pager">
          <a class="button plain" href="?">
            {t("thread.from_first")}
          </a>
        </p>
      )}
      {own.length > 0 && (
        <div class="own-chain">
          <Chain state={state} ids={own} after={id} />
        </div>
      )}
      <div class="branches">
        {replies
          .filter((reply) => hasShown(state.tree.value, shown, reply, 1))
          .map((reply) => (
            // Answers to the page's post need not say so.
            <BranchView key={reply} state={state} first={reply} parent={id} depth={1} />
          ))}
      </div>
      <More state={state} branch={null} />
    </>
  );
};
