// Figures of deliveries for /metrics: what this process works on.

import type { App } from "../../platform/app.ts";
import { figure } from "../../platform/caches/figure.ts";

const setHosts = figure("hosts being delivered to");
const setRequests = figure("deliveries in flight");

export const showProgress = (app: App, hosts: () => number, requests: () => number): void => {
  setHosts(app, hosts);
  setRequests(app, requests);
};
