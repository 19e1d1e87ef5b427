// Draws a list of posts: older ones are added as its end comes near (without scripts by a link), new ones wait above;
// and says what to do where it is empty.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { choiceOf } from "../window/choices.ts";
import { followFeed } from "../window/live-feed.ts";
import { Heights } from "../window/near.ts";
import { beginAnew, feedState, loadMissing, loadOlder, showWaiting } from "../store/feed.ts";
import type { FeedData, FeedState } from "../store/feed.ts";
import { entriesOf } from "./feed-entries.ts";
import type { Entry } from "./feed-entries.ts";
import { FilterPlace } from "./filters.ts";
import { Icon } from "../elements/icons.tsx";
import { Name } from "../elements/names.tsx";
import { Pager } from "../elements/pager.tsx";
import { Parts } from "../elements/parts.tsx";
import { PostOf } from "./post.tsx";
import { Sentence } from "../elements/sentence.tsx";

export { loadFeed } from "../store/feed.ts";
export type { FeedData } from "../store/feed.ts";

export const Older = ({ state }: { state: FeedState }) => {
  const app = useApp();
  const next = state.next.value;
  return (
    next && <Pager next={next} label={app.t("feed.older")} load={() => loadOlder(app, state)} />
  );
};

/** Shows waiting posts, from the top of the list. */
const showNew = async (app: App, state: FeedState): Promise<void> => {
  if (state.isBehind.peek()) await beginAnew(app, state);
  else showWaiting(state);
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>(".feed .post")?.focus({ preventScroll: true });
};

const SPOKEN_EVERY_MS = 30_000;
let spokenAt = -SPOKEN_EVERY_MS;

/** Returns what screen readers announce of a text that changes often: the newest, after a while. */
const useSpoken = (text: string): string => {
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const say = (): void => {
      if (text) spokenAt = performance.now();
      setSpoken(text);
    };
    const wait = text ? spokenAt + SPOKEN_EVERY_MS - performance.now() : 0;
    if (wait <= 0) return say();
    const timer = setTimeout(say, wait);
    return () => clearTimeout(timer);
  }, [text]);
  return spoken;
};

const NewPosts = ({ state }: { state: FeedState }) => {
  const app = useApp();
  const count = state.waiting.value.length;
  const isBehind = state.isBehind.value;
  const text = isBehind ? app.t("feed.many_new") : app.t("feed.new", { count });
  const hasNew = count > 0 || isBehind;
  const spoken = useSpoken(hasNew ? text : "");
  if (!hasNew && !(state.data.stream && app.me)) return null;
  return (
    <div class="new-posts">
      <span class="invisible" role="status">
        {spoken}
      </span>
      {hasNew && (
        <button
          class="button"
          type="button"
          data-key="newest"
          onClick={() => void showNew(app, state)}
        >
          {text}
        </button>
      )}
    </div>
  );
};

const Boosts = ({ ids, from }: { ids: string[]; from: number }) => {
  const { store, t } = useApp();
  const accounts = new Map(
    ids.map((id) => store.statuses.get(id)!.peek().account).map((account) => [account.id, account]),
  );
  const [first, ...others] = [...accounts.values()];
  return (
    <section class="boosts" aria-label={t("feed.boosts", { count: ids.length })}>
      <p class="post-above">
        <Icon name="boost" />
        <span>
          {t("feed.boosts", { count: ids.length })}
          {" · "}
          {others.length === 0 ? (
            <Name account={first!} />
          ) : (
            <Sentence
              text="feed.and_others"
              values={{ count: others.length }}
              elements={{ name: <Name account={first!} /> }}
            />
          )}
        </span>
      </p>
      <div class="boosts-row">
        <Heights.Provider value={null}>
          {ids.map((id, index) => (
            <PostOf key={id} id={id} position={from + index} />
          ))}
        </Heights.Provider>
      </div>
    </section>
  );
};

type Drawn = { position: number; element: VNode };
/** Elements of posts that are kept after they left the list. */
const MAX_DRAWN = 1000;

/** Draws posts of a list. An unchanged post keeps its element, which is not drawn again. */
const usePosts = (state: FeedState) => {
  const known = useMemo(() => new Map<string, Drawn>(), [state]);
  return (id: string, position: number): VNode => {
    if (known.size > MAX_DRAWN) known.clear();
    const before = known.get(id);
    if (before?.position === position) return before.element;
    const element = <PostOf key={id} id={id} position={position} />;
    known.set(id, { position, element });
    return element;
  };
};

const Entries = ({ entries, state }: { entries: Entry[]; state: FeedState }) => {
  const app = useApp();
  const postOf = usePosts(state);
  let position = 1;
  const drawn = entries.map(({ key, ids, isGroup }) => {
    const from = position;
    position += ids.length;
    return isGroup ? <Boosts key={key} ids={ids} from={from} /> : postOf(key, from);
  });
  const missing = {
    has: (id: string) => !app.store.statuses.has(id),
    load: (ids: string[]) => loadMissing(app, state, ids),
  };
  return <Parts of={state} entries={drawn} missing={missing} />;
};

type Props = {
  data: FeedData;
  /** Posts that the page shows above the list, in which they are left out. */
  above?: readonly string[];
  empty: ComponentChildren;
  /** What follows after the last post. */
  end?: ComponentChildren;
  label: string;
};

export const Feed = ({ data, above = [], empty, end, label }: Props) => {
  const app = useApp();
  const { store, me } = app;
  const state = feedState(data);
  useEffect(() => followFeed(app, state), [state]);
  // Reading this draws the list again without posts that are deleted or unwanted.
  void store.removals.value;
  const context = data.context ?? null;
  const rules = { context, choice: choiceOf(data.path), ownId: me?.id };
  const ids = state.ids.value.filter((id) => !above.includes(id));
  const entries = entriesOf(store, ids, rules, data.stream?.stream === "user");
  const isEnd = state.next.value === null;
  return (
    <FilterPlace value={context}>
      <NewPosts state={state} />
      {entries.length === 0 && isEnd ? (
        above.length === 0 && <div class="empty">{empty}</div>
      ) : (
        <div class="feed" role="feed" aria-label={label}>
          <Entries entries={entries} state={state} />
        </div>
      )}
      <Older state={state} />
      {end && entries.length > 0 && isEnd && <div class="pager">{end}</div>}
    </FilterPlace>
  );
};
