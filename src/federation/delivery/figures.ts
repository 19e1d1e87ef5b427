// Figures of deliveries for /metrics: what this process works on, and what waits in the database.

import type { App } from "../../platform/app.ts";
import { figure } from "../../platform/caches/figure.ts";
import { selectWaiting } from "./queries-queue.ts";

const setHosts = figure("hosts being delivered to");
const setRequests = figure("deliveries in flight");
const setWaitingDeliveries = figure("deliveries waiting");
const setWaitingHosts = figure("hosts with deliveries waiting");
const setRestingHosts = figure("hosts that rest");

export const showProgress = (app: App, hosts: () => number, requests: () => number): void => {
  setHosts(app, hosts);
  setRequests(app, requests);
};

/** Counts anew what waits, where somebody may look at it. */
export const countWaiting = async (app: App): Promise<void> => {
  if (app.config.http.metricsToken === null) return;
  const waiting = await selectWaiting(app.sql);
  setWaitingDeliveries(app, () => waiting.deliveries);
  setWaitingHosts(app, () => waiting.hosts);
  setRestingHosts(app, () => waiting.resting);
};
