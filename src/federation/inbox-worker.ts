// The worker's part of the inbox: woken by each request that stored something, it works on what
// waits. At its start, and every few seconds, it looks by itself: for what a dead process left, and
// for what its own database could not do for a moment.

import type { App } from "../platform/app.ts";
import { releaseClaims } from "./inbox/queries.ts";
import { onIncoming } from "./inbox/wake.ts";
import { Inbox } from "./process-inbox.ts";

/** While this much is done at a look, the next follows at once. */
const MANY = 200;

export type InboxPace = {
  /** What comes in so close together, in milliseconds, shares a batch. */
  gather: number;
  /** The inbox is looked at by itself so often, in milliseconds. */
  poll: number;
};

export type InboxWorker = {
  stop(): Promise<void>;
  /** Nothing waits and nothing is in progress. */
  isIdle(): boolean;
};

/** Starts working on the inbox; `stop` finishes what is in progress. */
export const startInbox = async (
  app: App,
  pace: InboxPace = { gather: 60, poll: 10_000 },
): Promise<InboxWorker> => {
  // Only one process works on a database (see platform/jobs/worker.ts): a claim is a dead one's.
  await releaseClaims(app.sql);
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;

  const wake = (): void => {
    again = true;
    if (!running) plan();
  };
  const inbox = new Inbox(app, wake);
  const drain = async (): Promise<void> => {
    try {
      await inbox.drain(MANY);
    } catch (error) {
      app.log.warn({ err: error }, "the inbox has to wait");
    }
    running = null;
    if (again) plan();
  };
  const plan = (): void => {
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = null;
      again = false;
      running = drain();
    }, pace.gather);
  };

  const leave = onIncoming(app, wake);
  const look = setInterval(wake, pace.poll).unref();
  wake();
  return {
    isIdle: () => !timer && !running && !inbox.isBusy(),
    async stop() {
      leave();
      stopped = true;
      clearInterval(look);
      if (timer) clearTimeout(timer);
      await Promise.all([running, inbox.close()]);
    },
  };
};
