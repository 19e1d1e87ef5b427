// Receives live events while the window is open, through one WebSocket that is opened again when it is lost. Events
// change the store; parts of the client that need more listen with `on`.

import { signal } from "@preact/signals";
import { SessionEnded } from "../api/session.ts";
import type {
  Announcement,
  Conversation,
  Notification,
  Relationship,
  Status,
} from "../api/entities.ts";
import type { Stream } from "../store/feed.ts";

type Events = {
  update: Status;
  "status.update": Status;
  /** The person marked it, perhaps in another window. */
  "status.acted": Status;
  /** The id of a status. */
  delete: string;
  notification: Notification;
  notifications_merged: unknown;
  /** Somebody is followed, muted or blocked now, or no more; arrives before their posts are withdrawn from home. */
  relationship: Relationship;
  domain_block: { domain: string; blocked: boolean };
  filters_changed: undefined;
  drafts_changed: undefined;
  announcement: Announcement;
  "announcement.reaction": { name: string; count: number; announcement_id: string };
  /** The id of an announcement. */
  "announcement.delete": string;
  conversation: Conversation;
  /** The socket is open (again), so earlier events may have been missed. */
  open: undefined;
};

export type LiveEvent = keyof Events;
type Listener<E extends LiveEvent> = (payload: Events[E], stream: readonly string[]) => void;

const listeners = new Map<LiveEvent, Set<Listener<LiveEvent>>>();

/** Calls the listener at each such event; returns the function that ends that. */
export const on = <E extends LiveEvent>(event: E, listener: Listener<E>): (() => void) => {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all);
  all.add(listener as Listener<LiveEvent>);
  return () => void all.delete(listener as Listener<LiveEvent>);
};

const emit = <E extends LiveEvent>(
  event: E,
  payload: Events[E],
  stream: readonly string[] = [],
): void => {
  for (const listener of listeners.get(event) ?? []) listener(payload, stream);
};

/** Returns a stream's name as in frames. */
export const labelOf = ({ stream, tag, list }: Stream): string =>
  [stream, tag ?? list].filter(Boolean).join(" ");

const watched = new Map<string, { stream: Stream; count: number }>();
let socket: WebSocket | null = null;

export const isOpen = (): boolean => socket?.readyState === WebSocket.OPEN;

const tell = (type: "subscribe" | "unsubscribe", stream: Stream): void => {
  if (isOpen()) socket!.send(JSON.stringify({ type, ...stream }));
};

/** Subscribes to a stream until the returned function is called. */
export const watch = (stream: Stream): (() => void) => {
  // The user's stream is always subscribed.
  if (stream.stream === "user") return () => {};
  const label = labelOf(stream);
  const entry = watched.get(label) ?? { stream, count: 0 };
  watched.set(label, entry);
  entry.count += 1;
  if (entry.count === 1) tell("subscribe", stream);
  return () => {
    entry.count -= 1;
    if (entry.count > 0) return;
    watched.delete(label);
    tell("unsubscribe", stream);
  };
};

/** Whether live events arrive; true until the connection was lost. */
export const isConnected = signal(true);

/** Whether they do not arrive because the session has ended. */
export const isSignedOut = signal(false);

/** Whether the device has a network. */
export const isOnline = signal(true);

/** Events with plain text; all others have JSON. */
const PLAIN = new Set(["delete", "announcement.delete"]);

type Frame = { stream?: string[]; event?: string; payload?: string };

const receive = (text: string): void => {
  const { event, payload, stream } = JSON.parse(text) as Frame;
  if (!event || !listeners.has(event as LiveEvent)) return;
  const isPlain = payload === undefined || PLAIN.has(event);
  const content: unknown = isPlain ? payload : JSON.parse(payload);
  emit(event as LiveEvent, content as Events[LiveEvent], stream);
};

type Connecting = {
  /** For example wss://here.example. */
  origin: string;
  token(): Promise<string>;
  forgetToken(): void;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** Failures in a row after which the token may be at fault. */
const DOUBT_TOKEN_AFTER = 2;

let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Returns a random delay in a range that doubles, so that after a restart of the server not all clients connect at
 * once.
 */
const waitAfter = (count: number): number => {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count);
  return longest / 2 + (Math.random() * longest) / 2;
};

const retry = (connecting: Connecting): void => {
  if (failures > 0) isConnected.value = false;
  if (failures >= DOUBT_TOKEN_AFTER) connecting.forgetToken();
  clearTimeout(timer);
  timer = setTimeout(() => void connect(connecting), waitAfter(failures));
  failures += 1;
};

const connect = async (connecting: Connecting): Promise<void> => {
  clearTimeout(timer);
  try {
    const token = await connecting.token();
    const opened = new WebSocket(`${connecting.origin}/api/v1/streaming?stream=user`, token);
    socket = opened;
    opened.addEventListener("open", () => {
      failures = 0;
      isConnected.value = true;
      isSignedOut.value = false;
      for (const { stream } of watched.values()) tell("subscribe", stream);
      emit("open", undefined);
    });
    opened.addEventListener("message", ({ data }) => receive(String(data)));
    opened.addEventListener("close", () => {
      if (socket !== opened) return;
      socket = null;
      retry(connecting);
    });
  } catch (error) {
    isSignedOut.value = error instanceof SessionEnded;
    retry(connecting);
  }
};

/** Milliseconds hidden after which a window may have slept through events. */
const ASLEEP_MS = 60_000;

/** Connects, and stays connected; called once in each window. */
export const startLive = (connecting: Connecting): void => {
  let hiddenAt = 0;
  const again = (): void => {
    if (!socket) void connect(connecting);
  };
  window.addEventListener("online", () => {
    isOnline.value = true;
    again();
  });
  window.addEventListener("offline", () => {
    isOnline.value = false;
    isConnected.value = false;
    socket?.close();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (!socket) again();
    else if (Date.now() - hiddenAt > ASLEEP_MS) emit("open", undefined);
  });
  void connect(connecting);
};
