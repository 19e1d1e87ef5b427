// The service worker: it serves the client's files and an offline page, and shows push messages while no window is
// open. It keeps nothing of a person: the page keeps what was read, in a cache of the account
// (browser/offline-cache.ts).

import { ACCOUNT_CACHE, FILES_CACHE, OFFLINE_PATH } from "./names.ts";

/** Types of the worker's surroundings that are used here. */
type Extendable = Event & { waitUntil(done: Promise<unknown>): void };
type Fetching = Extendable & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
type Pushed = Extendable & { data: { json(): unknown } | null };
type Clicked = Extendable & { notification: Notification };
type WindowOfOurs = {
  url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
};
type Worker = {
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<WindowOfOurs[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Clicked) => void): void;
};

declare const self: Worker;
/** All files of the client but the texts of its languages, and a name for this set. */
declare const __CLIENT_FILES__: string[];
declare const __VERSION__: string;

const CURRENT = FILES_CACHE + __VERSION__;

const install = async (): Promise<void> => {
  const files = await caches.open(CURRENT);
  // The page is requested as a visitor sees it.
  const shell = new Request(OFFLINE_PATH, { credentials: "omit", cache: "reload" });
  await Promise.all([files.addAll(__CLIENT_FILES__), files.add(shell)]);
  const page = await (await files.match(OFFLINE_PATH))!.text();
  const [, texts = ""] = /\sdata-words="([^"]*)"/.exec(page) ?? [];
  await files.addAll(texts.split(" ").filter(Boolean));
  await self.skipWaiting();
};

/** Older versions whose caches are kept, since windows opened before an update still load files of theirs. */
const OLDER_VERSIONS = 1;

const activate = async (): Promise<void> => {
  const older = (await caches.keys()).filter(
    (name) => name.startsWith(FILES_CACHE) && name !== CURRENT,
  );
  const surplus = older.slice(0, -OLDER_VERSIONS);
  await Promise.all(surplus.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
};

const TEXTS = "/web/assets/texts-";

/** Loads a file, and keeps it if it has texts: the worker was not installed with those of every language. */
const loadFile = async (request: Request): Promise<Response> => {
  const response = await fetch(request);
  if (response.ok && new URL(request.url).pathname.startsWith(TEXTS))
    await (await caches.open(CURRENT)).put(request, response.clone());
  return response;
};

const file = async (request: Request): Promise<Response> =>
  (await caches.match(request)) ?? loadFile(request);

/** Milliseconds for a page, enough for the slowest; on a dead connection a browser waits for minutes. */
const PATIENCE_MS = 10_000;

const fromServer = async (event: Fetching): Promise<Response> =>
  (await event.preloadResponse) ?? fetch(event.request);

const lost = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(reject, PATIENCE_MS, new Error("no answer")));

/** Requests a page from the server, always; where it cannot be reached the client shows what it kept. */
const page = async (event: Fetching): Promise<Response> => {
  try {
    return await Promise.race([fromServer(event), lost()]);
  } catch (error) {
    const shell = await (await caches.open(CURRENT)).match(OFFLINE_PATH);
    if (!shell) throw error;
    return shell;
  }
};

/** Path by which one of several accounts signs out. */
const LEAVE = /^\/auth\/accounts\/(\d+)\/sign_out$/;

/** Deletes the account's caches when it signs out. */
const forget = async (): Promise<void> => {
  const names = (await caches.keys()).filter((name) => name.startsWith(ACCOUNT_CACHE));
  await Promise.all(names.map((name) => caches.delete(name)));
  const subscription = await self.registration.pushManager.getSubscription();
  await subscription?.unsubscribe();
};

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === "/auth/sign_out") event.waitUntil(forget());
  const [, left] = (request.method === "POST" && LEAVE.exec(pathname)) || [];
  if (left) event.waitUntil(caches.delete(ACCOUNT_CACHE + left));
  if (request.method !== "GET") return;
  if (pathname.startsWith("/web/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event));
});

type Message = {
  title?: string;
  body?: string;
  icon?: string;
  preferred_locale?: string;
  notification_id?: number;
  /** Account of the message: a browser may be signed in to several. */
  account_id?: string;
};

/** Shows a message in the words and language that the server chose for the person. */
const show = async (message: Message): Promise<void> => {
  const { title = "", body = "", icon, preferred_locale: lang } = message;
  const { notification_id: id, account_id: whose } = message;
  const path = `/notifications/${id}${whose ? `?for=${whose}` : ""}`;
  await self.registration.showNotification(title, {
    body,
    dir: "auto",
    badge: "/icons/96.png",
    ...(icon && { icon }),
    ...(lang && { lang }),
    ...(id && { tag: String(id), data: { path } }),
  });
  if ("setAppBadge" in navigator) await navigator.setAppBadge().catch(() => {});
};

self.addEventListener("push", (event) =>
  event.waitUntil(show((event.data?.json() ?? {}) as Message)),
);

const open = async (path: string): Promise<void> => {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: false });
  const [first] = windows;
  if (!first) return void (await self.clients.openWindow(path));
  await first.focus();
  await first.navigate(path);
};

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path = "/notifications" } = (event.notification.data ?? {}) as { path?: string };
  event.waitUntil(open(path));
});
