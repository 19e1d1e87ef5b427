// Updates a list of posts while it is shown: its stream brings new ones, missed ones are requested, one's own appear at
// once.

import { effect } from "@preact/signals";
import { posted } from "../acts/posted.ts";
import type { App } from "../app.ts";
import { arriveOne, catchUp, putOnTop, showWaiting } from "../store/feed.ts";
import type { FeedState } from "../store/feed.ts";
import { isOpen, labelOf, on, watch } from "./live.ts";
import { isAtRest } from "./reader.ts";

/** Whether a new post of one's own belongs in the list: it stands alone, or continues one's own thread. */
const isForHome = ({ store, me }: App, parentId: string | null): boolean =>
  parentId === null || store.statuses.get(parentId)?.peek().account.id === me?.id;

/** Milliseconds after which posts that could not be asked for are asked for again. */
const AGAIN_MS = 5000;

/** Returns the function that ends it. */
export const followFeed = (app: App, state: FeedState): (() => void) => {
  const { stream } = state.data;
  if (!stream || !app.me) return () => {};
  const label = labelOf(stream);
  const settle = (): void => {
    if (!state.isStale && state.waiting.peek().length > 0 && isAtRest()) showWaiting(state);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  const ask = (): void => {
    clearTimeout(timer);
    catchUp(app, state)
      .then(settle)
      .catch(() => {
        // Without a socket they are asked for as soon as one opens.
        if (!isEnded && isOpen()) timer = setTimeout(ask, AGAIN_MS);
      });
  };
  const stops = [
    watch(stream),
    on("update", (status, from) => {
      if (from.join(" ") !== label) return;
      arriveOne(app.store, state, status);
      settle();
    }),
    on("open", ask),
    effect(() => {
      const own = posted.value;
      if (own && stream.stream === "user" && isForHome(app, own.parentId)) putOnTop(state, own.id);
    }),
  ];
  // This asks for posts between loading the list and watching its stream. On a new socket `open` asks.
  if (state.isStale || isOpen()) ask();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    state.isStale = true;
    for (const stop of stops) stop();
  };
};
