// The inbox's part of the worker: woken by each request that stored an activity, it works on those that
// wait. It also looks for them at its start and every few seconds: a dead process may have left some, and
// the database may have failed for a moment.

import type { App } from "../platform/app.ts";
import { attachWorker } from "../platform/wake.ts";
import { ALONE } from "../platform/workers/lease.ts";
import type { Lease } from "../platform/workers/lease.ts";
import { releaseClaims } from "./inbox/queries.ts";
import { HELP_MS, Inbox } from "./process-inbox.ts";

/** While a pass finds this many, the next one follows at once. */
const MANY = 200;

export type InboxPace = {
  /** Activities that arrive within so many milliseconds share a batch. */
  gather: number;
  /** How often the inbox is read without being woken, in milliseconds. */
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
  lease: Lease = ALONE,
): Promise<InboxWorker> => {
  await releaseClaims(app.sql);
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;

  const wake = (): void => {
    again = true;
    if (!running) schedule();
  };
  const inbox = new Inbox(app, wake, lease);
  lease.join({ release: releaseClaims, wake, forget: () => inbox.forget() });
  const drain = async (): Promise<void> => {
    try {
      await inbox.drain(MANY);
    } catch (error) {
      app.log.warn({ err: error }, "the inbox could not be processed, trying again");
    }
    running = null;
    if (again) schedule();
  };
  const schedule = (): void => {
    if (stopped || timer) return;
    const isFirst = (lease.share()?.at ?? 0) <= 0;
    timer = setTimeout(
      () => {
        timer = null;
        again = false;
        running = drain();
      },
      pace.gather + (isFirst ? 0 : HELP_MS),
    );
  };

  const unsubscribe = attachWorker(app, "inbox", wake);
  const poll = setInterval(wake, pace.poll).unref();
  wake();
  return {
    isIdle: () => !timer && !running && !inbox.isBusy(),
    async stop() {
      unsubscribe();
      stopped = true;
      clearInterval(poll);
      if (timer) clearTimeout(timer);
      await Promise.all([running, inbox.close()]);
    },
  };
};
