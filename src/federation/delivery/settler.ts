// Stores the results of deliveries, many at once: what is done, what failed, and the hosts whose run ended.

import type { App } from "../../platform/app.ts";
import { finishDeliveries, settleHosts } from "./queries-queue.ts";
import type { PutBack, Settled } from "./queries-queue.ts";
import { oldestDelivery } from "./retention.ts";
import type { Outcomes } from "./host-run.ts";

export type Settler = Outcomes & {
  /** The run of a host ended. */
  settle(host: Settled): void;
  isIdle(): boolean;
  /** Stores what is left. */
  stop(): Promise<void>;
};

export type SettlerOptions = {
  owner: string;
  /** Results that come so close together, in milliseconds, are stored together. */
  gather: number;
  /** What could not be stored is tried again after this. */
  retry: number;
  /** Runs of these hosts have ended in the database too; the first of them is due again at `nextDue`. */
  onSettled: (hosts: string[], nextDue: Date | null) => void;
};

type Results = { done: string[]; back: PutBack[]; hosts: Settled[] };

const noResults = (): Results => ({ done: [], back: [], hosts: [] });

export const createSettler = (app: App, options: SettlerOptions): Settler => {
  const { owner, gather, retry, onSettled } = options;
  let results = noResults();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const isEmpty = () =>
    results.done.length === 0 && results.back.length === 0 && results.hosts.length === 0;

  /** Deliveries before their hosts: a host that is free again must not have them any more. */
  const store = async ({ done, back, hosts }: Results): Promise<void> => {
    const now = app.clock.now();
    if (done.length + back.length > 0) await finishDeliveries(app.sql, done, back);
    if (hosts.length === 0) return;
    const rows = await settleHosts(app.sql, owner, hosts, now, oldestDelivery(now));
    const times = rows.flatMap(({ due_at }) => due_at?.getTime() ?? []);
    const nextDue = times.length > 0 ? new Date(Math.min(...times)) : null;
    onSettled(
      hosts.map(({ host }) => host),
      nextDue,
    );
  };
  const flush = async (): Promise<void> => {
    const taken = results;
    results = noResults();
    try {
      await store(taken);
    } catch (error) {
      app.log.warn({ err: error }, "results of deliveries are not stored yet");
      results.done.unshift(...taken.done);
      results.back.unshift(...taken.back);
      results.hosts.unshift(...taken.hosts);
      plan(retry);
    }
  };
  const start = (): void => {
    timer = null;
    running = flush().finally(() => {
      running = null;
      if (!isEmpty()) plan(gather);
    });
  };
  const plan = (ms: number): void => {
    if (!running || ms === retry) timer ??= setTimeout(start, ms);
  };
  return {
    done(id) {
      results.done.push(id);
      plan(gather);
    },
    putBack(one) {
      results.back.push(one);
      plan(gather);
    },
    settle(host) {
      results.hosts.push(host);
      plan(gather);
    },
    isIdle: () => isEmpty() && running === null,
    async stop() {
      if (timer) clearTimeout(timer);
      await running;
      if (timer) clearTimeout(timer);
      timer = null;
      if (!isEmpty()) await flush();
      if (timer) clearTimeout(timer);
    },
  };
};
