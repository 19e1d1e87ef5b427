// Draws a thread: the posts above the page's post, and the replies as a tree, of which the first branches are indented
// once. Others are folded, and empty until they are opened.

import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { entryOf, goToSpot, spotNow } from "../window/spot.ts";
import { aboveOf, leftOf, openBranch, showAbove, showMore } from "../store/thread.ts";
import type { ThreadState } from "../store/thread.ts";
import { branchFrom, foldedReplies, hasShown, openReplies } from "../store/thread-tree.ts";
import { isHidden } from "./filters.ts";
import { Pager } from "../elements/pager.tsx";
import { Parts } from "../elements/parts.tsx";
import { PostOf } from "./post.tsx";
import { postPath } from "./shown-status.ts";

type ChainProps = {
  state: ThreadState;
  ids: readonly string[];
  /** The post right above the first. */
  after: string | null;
  /** Whether a line leads from that post to the first. */
  isLinked?: boolean;
  /** Whether replies to the last follow, to which a line leads. */
  isFollowed?: boolean;
  children?: ComponentChildren;
};

/** Draws the replies here to a post above, apart from the branch that leads to the page's post. */
const Aside = ({ state, above }: { state: ThreadState; above: string }) => {
  const ids = state.aside.value.get(above) ?? [];
  if (ids.length === 0) return null;
  return (
    <div class="replies through">
      <div class="branch">
        <Chain state={state} ids={ids} after={above} />
      </div>
    </div>
  );
};

/**
 * Draws posts below each other, each a reply to the one before; the first may reply to another. A line leads from face
 * to face of who replies to whom.
 */
const Chain = ({ state, ids, after, isLinked, isFollowed, children }: ChainProps) => {
  const { store, me } = useApp();
  const statuses = ids.flatMap((id) => {
    const status = store.statuses.get(id)?.peek();
    const isSeen = status && (status.account.id === me?.id || !isHidden(status, "thread"));
    return isSeen ? [status] : [];
  });
  const answers = (index: number): boolean =>
    statuses[index]?.in_reply_to_id === (statuses[index - 1]?.id ?? after);
  const entries = statuses.map(({ id }, index) => (
    <Fragment key={id}>
      <PostOf
        id={id}
        isBelowParent={answers(index)}
        hasLineAbove={answers(index) && (index > 0 || isLinked)}
        hasLineBelow={index === statuses.length - 1 ? isFollowed : answers(index + 1)}
      />
      <Aside state={state} above={id} />
    </Fragment>
  ));
  return (
    <>
      <Parts of={state} entries={entries} />
      {statuses.length > 0 && children}
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

/** Draws what the page's post replies to: the first post of the thread, and those that are near. */
export const Above = ({ state }: { state: ThreadState }) => {
  const { store } = useApp();
  const { first, left, near } = aboveOf(state);
  const parent = store.statuses.get(state.data.id)?.peek()?.in_reply_to_id;
  return (
    <>
      {first !== null && <Chain state={state} ids={[first]} after={null} isFollowed={left === 0} />}
      {left > 0 && <Earlier state={state} count={left} from={near[0]!} />}
      <Chain
        state={state}
        ids={near}
        after={left === 0 ? first : null}
        isLinked={first !== null}
        isFollowed={parent === near.at(-1)}
      />
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

type FoldProps = { state: ThreadState; first: string; last: string; size: number };

/** Puts the focus where the link was that has opened a branch. */
const focusOn = (id: string | undefined): void =>
  void requestAnimationFrame(() => entryOf(id)?.focus({ preventScroll: true }));

/** Stands for a folded branch. Without scripts it leads to the page of the post that has its replies. */
const Fold = ({ state, first, last, size }: FoldProps) => {
  const app = useApp();
  const show = async (): Promise<void> => {
    const next = leftOf(state, first)?.ids[0];
    openBranch(state, first);
    await showMore(app, state, first);
    focusOn(next);
  };
  const open = (event: Event): void => {
    event.preventDefault();
    void show().catch(() => {});
  };
  return (
    <p class="show-replies">
      <a
        href={`${postPath(app.store.statuses.get(last)!.peek())}#replies`}
        data-fold=""
        onClick={open}
      >
        {app.t("thread.branch", { count: size })}
      </a>
    </p>
  );
};

/** Draws branches below each other: deeper ones are not indented further, but say what they reply to. */
const Branches = ({
  state,
  firsts,
  parent,
  depth,
}: Omit<BranchProps, "first"> & { firsts: string[] }) => {
  const branches = firsts
    .filter((first) => hasShown(state.tree.value, state.shown.value, first, depth))
    .map((first) => (
      <BranchView key={first} state={state} first={first} parent={parent} depth={depth} />
    ));
  // Deeper ones are in the part of theirs, and lines lead from one to the next.
  return depth > 1 ? <>{branches}</> : <Parts of={state} entries={branches} />;
};

/** Draws a branch, its open branches, and those that were folded. */
const BranchView = ({ state, first, parent, depth }: BranchProps) => {
  const tree = state.tree.value;
  const shown = state.shown.value;
  const branch = branchFrom(tree, first);
  const last = branch.chain.at(-1)!;
  const open = openReplies(branch, depth);
  const folded = foldedReplies(tree, branch, depth);
  // An own reply opens its branch, which may have nothing else.
  const isOpened = folded.size > 0 && state.opened.value.has(first);
  const hasFold = folded.size > 0 && !isOpened && shown.has(last);
  const fold = hasFold && <Fold state={state} first={first} last={last} size={folded.size} />;
  const hasOpen = open.some((each) => hasShown(tree, shown, each, depth + 1));
  const below = { state, parent: last, depth: depth + 1 };
  const opened = isOpened && (
    <>
      <Branches {...below} firsts={folded.replies} />
      <More state={state} branch={first} />
    </>
  );
  const isTop = depth === 1;
  return (
    <>
      <div class="branch">
        <Chain
          state={state}
          ids={branch.chain.filter((id) => shown.has(id))}
          after={depth > 2 ? null : parent}
          isFollowed={hasFold || (isTop && (hasOpen || isOpened))}
        >
          {!isTop && fold}
        </Chain>
        {isTop && (hasOpen || fold || isOpened) && (
          <div class="replies">
            <Branches {...below} firsts={open} />
            {fold}
            {opened}
          </div>
        )}
      </div>
      {!isTop && opened}
    </>
  );
};

/** Draws the replies to the page's post, beginning with its author's own thread. */
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
        {/* Answers to the page's post need not say so. */}
        <Branches state={state} firsts={replies} parent={id} depth={1} />
      </div>
      <More state={state} branch={null} />
    </>
  );
};
