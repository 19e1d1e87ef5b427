// Updates a thread while it is shown: streams bring replies; what streams do not report (replies by people whom the
// reader does not follow, counts) is requested regularly.

import { effect } from "@preact/signals";
import { posted } from "../acts/posted.ts";
import type { App } from "../app.ts";
import { addAnswer, openLoaded, refreshThread } from "../store/thread.ts";
import type { ThreadState } from "../store/thread.ts";
import type { Status } from "../api/entities.ts";
import { on } from "./live.ts";

const EVERY_MS = 30_000;

/** Returns the function that ends it. */
export const followThread = (app: App, state: ThreadState): (() => void) => {
  const { store } = app;
  if (!app.me) return () => {};
  const refresh = (): void => {
    if (!document.hidden) void refreshThread(app, state).catch(() => {});
  };
  const timer = setInterval(refresh, EVERY_MS);
  const stops = [
    on("update", (status) => addAnswer(store, state, status)),
    on("notification", ({ status }) => {
      if (status) addAnswer(store, state, status);
    }),
    on("open", refresh),
    effect(() => {
      const own = posted.value && store.statuses.get(posted.value.id)?.peek();
      if (own) addAnswer(store, state, { ...own, reblog: null } as Status, true);
    }),
  ];
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
  };
};

/** Scrolls to the post that the page is about when the page is opened, however much is above it. */
export const goToSubject = (state: ThreadState): void => {
  if (state.isPlaced) return;
  state.isPlaced = true;
  const subject = document.querySelector(".post-main");
  if (subject && subject.getBoundingClientRect().top > innerHeight / 2)
    subject.scrollIntoView({ behavior: "instant" });
};

/** Draws folded branches while the page is printed. Returns the function that ends it. */
export const unfoldForPrint = ({ store }: App, state: ThreadState): (() => void) => {
  let fold = (): void => {};
  const unfold = (): void => void (fold = openLoaded(store, state));
  const end = (): void => fold();
  addEventListener("beforeprint", unfold);
  addEventListener("afterprint", end);
  return () => {
    removeEventListener("beforeprint", unfold);
    removeEventListener("afterprint", end);
  };
};
