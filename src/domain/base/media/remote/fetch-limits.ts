// Bounds the files of other servers that are fetched at the same time: each file once, however many people look at it,
// and a few in all, from one host and for one viewer. Others wait for a moment.

import type { App } from "../../../../platform/app.ts";
import { perApp } from "../../../../platform/caches/index.ts";
import { singleFlight } from "../../../../platform/caches/single-flight.ts";
import { Unavailable } from "../../../../platform/errors.ts";
import { createLine } from "../../../../platform/http/visitor-line.ts";
import type { Line } from "../../../../platform/http/visitor-line.ts";

const WAIT_MS = 10_000;

const LIMITS = {
  all: { atOnce: 40, waiting: 400, waitMs: WAIT_MS },
  /** Fewer requests than connections to a host, so that deliveries and actors have some left. */
  host: { atOnce: 6, waiting: 60, waitMs: WAIT_MS },
  /** Files that are passed on: a slow reader holds up nobody else. */
  viewer: { atOnce: 12, waiting: 60, waitMs: WAIT_MS },
};

type Leave = () => void;

/** A line; `users` is the number of those who wait in it, and of those who have a place. */
type Shared = { line: Line; users: number };

const linesOf = perApp("lines for remote files", () => {
  const lines = new Map<string, Shared>();
  return { lines, entries: () => lines.size };
});

const once = (work: () => void): Leave => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};

const enter = (app: App, kind: keyof typeof LIMITS, name = ""): Promise<Leave> => {
  const { lines } = linesOf(app);
  const key = `${kind} ${name}`;
  const shared = lines.get(key) ?? { line: createLine(LIMITS[kind]), users: 0 };
  lines.set(key, shared);
  shared.users += 1;
  const forget = (): void => {
    shared.users -= 1;
    if (shared.users === 0) lines.delete(key);
  };
  const { promise, resolve, reject } = Promise.withResolvers<Leave>();
  const end = shared.line.enter(
    () => {
      const leave = once(() => {
        end();
        forget();
      });
      resolve(leave);
    },
    () => {
      forget();
      reject(new Unavailable("Too many files are being fetched. Please try again", 5));
    },
  );
  return promise;
};

/** Takes a place for a request for this address; throws Unavailable after a while. */
export const takeFetchPlace = async (app: App, url: string): Promise<Leave> => {
  const leaveHost = await enter(app, "host", new URL(url).host);
  try {
    const leaveAll = await enter(app, "all");
    return () => {
      leaveAll();
      leaveHost();
    };
  } catch (error) {
    leaveHost();
    throw error;
  }
};

/** Takes a place for a file that is passed on to this viewer. */
export const takeViewerPlace = (app: App, viewer: string): Promise<Leave> =>
  enter(app, "viewer", viewer);

/** Shares the result with everybody who asks under the same name while the work runs. */
export const joinFetch = singleFlight("remote files being fetched");
