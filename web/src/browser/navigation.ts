// Goes from page to page without loading a new document, and keeps addresses, pages and scroll positions.

import { effect } from "@preact/signals";
import type { Get } from "../api/get.ts";
import { ApiError } from "../api/get.ts";
import { newId } from "../api/new-id.ts";
import { SLOW_MS, inTime } from "../api/request.ts";
import type { App, Place } from "../app.ts";
import { Redirect } from "../pages/page.ts";
import type { AnyPage } from "../pages/page.ts";
import { findPage } from "../pages/pages.ts";
import { faultTitle } from "../text/fault.ts";
import type { Fault } from "../text/fault.ts";
import { restorePage, savePages } from "./kept-page.ts";
import type { Kept } from "./kept-page.ts";
import { keepFocus } from "../window/keep-focus.ts";
import { isPlainClick } from "../window/plain-click.ts";
import { entryOf, goToSpot, spotNow } from "../window/spot.ts";
import type { Spot } from "../window/spot.ts";
import { closeComposer, opened } from "../compose/open.ts";
import { say, whileSlow } from "../window/messages.ts";
import { openBy } from "../window/opening.ts";
import { isLoading, shown } from "./shown.ts";
import { hasChanges, mayLeave, watchChanges } from "./unsaved.ts";
import type { Shown } from "./shown.ts";
import { titleOf as inTitle } from "../text/title.ts";

/** Pages that one can go back to without a request, the newest last. */
const kept = new Map<string, Kept>();
const MAX_KEPT = 30;

/** Returns how many pages of this window one can go back to. */
const depthOf = (state: unknown): number =>
  Number((state as { depth?: unknown } | null)?.depth ?? 0);

const keyOf = (state: unknown): string => String((state as { key?: unknown } | null)?.key ?? "");

/** Whether the present entry is that of a composer above its page, which the browser's back button closes. */
const isAbove = (): boolean => (history.state as { isAbove?: boolean } | null)?.isAbove === true;

/** Key and depth of the page that is shown. */
let key = "";
let depth = 0;

const keep = (): void => {
  kept.delete(key);
  if (!shown.value || shown.value.isPartial || shown.value.isOld) return;
  kept.set(key, { key, shown: shown.value, spot: spotNow() });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
};

/** Returns the data of the page that is shown, and of those that one can go back to. */
export const keptPages = (): unknown[] => [
  shown.peek()?.data,
  ...[...kept.values()].map((each) => each.shown.data),
];

const placeOf = (url: URL, params: Record<string, string>): Place => ({
  path: url.pathname,
  params,
  query: Object.fromEntries(url.searchParams),
});

const faultOf = (error: unknown): Fault => ({
  status: error instanceof ApiError ? error.status : 0,
  message: error instanceof ApiError ? error.message : "",
});

type Base = Omit<App, "place"> & { get: Get };

/** Returns what was kept of the page, for use without a connection. */
const keptPage = async (base: Base, url: URL, page: AnyPage): Promise<Shown | null> => {
  try {
    await page.ready?.();
    const kept = await (await import("./offline.ts")).keptPage(base, url);
    return kept && { ...kept, page };
  } catch {
    return null;
  }
};

const loadPage = async (base: Base, url: URL): Promise<Shown | Redirect> => {
  const match = findPage(url.pathname, base.me !== null)!;
  const place = placeOf(url, match.params);
  try {
    const { get, locale, store, me, site } = base;
    const data = await inTime(match.page.load({ get, store, place, locale, me, site }));
    return { place, page: match.page, data, fault: null };
  } catch (error) {
    if (error instanceof Redirect) return error;
    const kept = error instanceof ApiError ? null : await keptPage(base, url, match.page);
    if (kept) return kept;
    return { place, page: match.page, data: null, fault: faultOf(error) };
  }
};

/** The page of the link that the mouse is held down on, or that is about to be opened; it is loaded ahead of that. */
let ahead: { href: string; loading: ReturnType<typeof loadPage> } | null = null;

const linkOf = (event: MouseEvent): HTMLAnchorElement | null => {
  const link = (event.target as globalThis.Element | null)?.closest<HTMLAnchorElement>("a[href]");
  if (!link || event.defaultPrevented || !isPlainClick(event)) return null;
  return link.target || link.hasAttribute("download") ? null : link;
};

const loadAhead = (base: Base, link: HTMLAnchorElement): void => {
  const url = new URL(link.href);
  if (!isOurs(base, url) || (url.pathname === location.pathname && url.hash)) return;
  ahead = { href: url.href, loading: loadPage(base, url) };
};

/** Begins to load what a mouse presses: it is released a tenth of a second later. A finger may only want to scroll. */
const loadPressed = (base: Base, event: PointerEvent): void => {
  ahead = null;
  const link = event.pointerType === "mouse" ? linkOf(event) : null;
  // What has data of its own opens something else, or goes back.
  if (link && Object.keys(link.dataset).length === 0) loadAhead(base, link);
};

const takeAhead = ({ href }: URL): ReturnType<typeof loadPage> | null => {
  const taken = ahead;
  ahead = null;
  return taken?.href === href ? taken.loading : null;
};

/** Returns what the store knows of the page. */
const knownPage = (base: Base, url: URL): Shown | null => {
  const { page, params } = findPage(url.pathname, base.me !== null)!;
  const place = placeOf(url, params);
  const data = page.loadKnown?.({ store: base.store, place, me: base.me }) ?? null;
  return data === null ? null : { place, page, data, fault: null, isPartial: true };
};

const focusOn = (entry: string | undefined): void => {
  const target = entryOf(entry) ?? document.querySelector<HTMLElement>("#main");
  target?.focus({ preventScroll: true });
};

const titleOf = (base: Base, { page, data, place, fault }: Shown): string => {
  const { t, store, site } = base;
  const title =
    page && !fault
      ? page.head(data, { t, store, site, place }).title
      : faultTitle(t, fault ?? { status: 404, message: "" });
  return inTitle(title, site.title, store.unread.value);
};

const TOP: Spot = { scroll: 0, entry: null, top: 0 };

/** Updates the window's title when the page or the number of unread notifications changes. */
const followTitle = (base: Base): void =>
  void effect(() => {
    if (shown.value) document.title = titleOf(base, shown.value);
  });

const show = (next: Shown, spot: Spot, movesFocus = true): void => {
  shown.value = next;
  requestAnimationFrame(() => {
    goToSpot(spot);
    if (movesFocus) focusOn(spot.focus);
  });
};

/** Shows the whole page in place of a part of it: what is being read stays where it is, and has the focus. */
const complete = (next: Shown): void => {
  const spot = spotNow(true);
  shown.value = next;
  requestAnimationFrame(() => goToSpot(spot));
};

/**
 * Whether the client has a page for an address; others are documents of the server. What was kept of a member has no
 * form token, so each of its links is a document, which comes from the server as soon as that can be reached.
 */
export const isOurs = (base: Base, url: URL): boolean => {
  if (base.me && base.formToken === "") return false;
  const match = url.origin === location.origin ? findPage(url.pathname, base.me !== null) : null;
  return match !== null && !(match.page.isForMembers && !base.me);
};

let latest = 0;

/**
 * Shows an address, and follows redirects; asks before changes of the present page are lost. The present page is loaded
 * again by `stay`, where the reader and the focus stay in place.
 */
export const goTo = async (
  base: Base,
  url: URL,
  how: "push" | "replace" | "stay" = "push",
): Promise<void> => {
  if (how === "push" && !(await mayLeave(base.t))) return;
  const turn = (latest += 1);
  isLoading.value = true;
  const enter = (next: Shown): void => {
    if (how === "push") {
      keep();
      key = newId();
    }
    // The page takes the place of a composer above the present one, as one does not go back to that.
    const isNext = how === "push" && !isAbove();
    const state = how === "push" ? {} : history.state;
    depth = depthOf(history.state) + (isNext ? 1 : 0);
    history[isNext ? "pushState" : "replaceState"]({ ...state, key, depth }, "", url);
    if (how === "stay") return show(next, spotNow(), false);
    const before = how === "replace" ? restorePage(base, key, next) : null;
    show(before?.shown ?? next, before?.spot ?? TOP);
  };
  const known = how === "push" ? knownPage(base, url) : null;
  if (known) enter(known);
  const next = await whileSlow(takeAhead(url) ?? loadPage(base, url), base.t("wait.loading"));
  // Something else was requested meanwhile.
  if (turn !== latest) return;
  isLoading.value = false;
  if (next instanceof Redirect) {
    const to = new URL(next.to, location.href);
    return isOurs(base, to)
      ? goTo(base, to, known || how === "stay" ? "replace" : how)
      : location.assign(to);
  }
  if (known) complete(next);
  else enter(next);
};

let isReturning = false;

/** Goes where the browser had gone, if the reader does not mind what is lost by that. */
const leaveBy = async (t: Base["t"], steps: number): Promise<void> => {
  if (await mayLeave(t)) history.go(steps);
};

/**
 * Whether the page may be left for the one that the browser has gone to; otherwise it goes back to the shown one, where
 * the reader is asked.
 */
const mayGoBack = ({ t }: Base, state: unknown): boolean => {
  const isOther = location.pathname !== shown.peek()?.place.path;
  const steps = depth - depthOf(state);
  if (!isOther || steps === 0 || !hasChanges()) return true;
  isReturning = true;
  history.go(steps);
  void leaveBy(t, -steps);
  return false;
};

/** Gives the composer above the page an entry of its own, which goes with it. */
const followComposer = (): void =>
  void effect(() => {
    const isOpen = opened.value !== null;
    if (isOpen === isAbove()) return;
    if (isOpen) history.pushState({ key, depth: depth + 1, isAbove: true }, "");
    else history.back();
  });

const goBack = async (base: Base, state: unknown): Promise<void> => {
  if (isReturning) return void (isReturning = false);
  // The draft is kept.
  closeComposer();
  if (keyOf(state) === key) return;
  if (!mayGoBack(base, state)) return;
  keep();
  key = keyOf(state);
  depth = depthOf(state);
  const known = kept.get(key);
  if (known) {
    // What was still being loaded is not wanted any more.
    latest += 1;
    isLoading.value = false;
    return show(known.shown, known.spot);
  }
  await goTo(base, new URL(location.href), "replace");
};

let loadOurs = (_link: HTMLAnchorElement): void => {};

/** Begins to load what a link leads to, which is opened next. */
export const loadLinked = (link: HTMLAnchorElement): void => loadOurs(link);

let refreshOurs = async (_changed: Partial<Base>): Promise<void> => {};

/** Loads the page again after data that all pages use has changed. */
export const refresh = (changed: Partial<Base> = {}): Promise<void> => refreshOurs(changed);

let takeOver = (_changed: Partial<Base>): void => {};

/**
 * Takes over what the page has changed itself without drawing it again, which would take back what is chosen meanwhile;
 * its data is loaded when it is opened again.
 */
export const adopt = (changed: Partial<Base>): void => takeOver(changed);

/** Says that a document is loading if it takes long; it loads unless this one is left. */
const tellWhereSlow = ({ t }: Base, { origin }: URL): void => {
  if (origin !== location.origin) return;
  const timer = setTimeout(() => say(t("wait.loading")), SLOW_MS);
  window.addEventListener("pagehide", () => clearTimeout(timer), { once: true });
};

/** Makes links open pages of the client in place, and the browser's buttons go back. */
export const followLinks = (base: Base): void => {
  followTitle(base);
  history.scrollRestoration = "manual";
  key = keyOf(history.state) || newId();
  depth = depthOf(history.state);
  history.replaceState({ key, depth }, "");
  followComposer();
  const before = restorePage(base, key, shown.value!);
  // Somebody may have put the focus somewhere by now.
  const isUnused = document.activeElement === document.body;
  if (before) show(before.shown, before.spot, isUnused);
  window.addEventListener("pagehide", () => {
    keep();
    savePages(base, [...kept.values()].reverse());
  });
  loadOurs = (link) => loadAhead(base, link);
  openBy(async (url) => (isOurs(base, url) ? goTo(base, url) : location.assign(url)));
  refreshOurs = async (changed) => {
    Object.assign(base, changed);
    const keep = keepFocus();
    await goTo(base, new URL(location.href), "stay");
    requestAnimationFrame(keep);
  };
  takeOver = (changed) => {
    Object.assign(base, changed);
    shown.peek()!.isOld = true;
  };
  effect(() => {
    document.querySelector("#main")?.setAttribute("aria-busy", String(isLoading.value));
  });
  window.addEventListener("popstate", (event) => void goBack(base, event.state));
  watchChanges();
  document.addEventListener("pointerdown", (event) => loadPressed(base, event));
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link) return;
    const url = new URL(link.href);
    if (!isOurs(base, url)) return tellWhereSlow(base, url);
    if (url.pathname === location.pathname && url.hash) return;
    event.preventDefault();
    if (link.dataset["act"] === "back" && depthOf(history.state) > 0) history.back();
    else void goTo(base, url);
  });
};
