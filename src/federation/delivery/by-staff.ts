// Commands by which the staff controls deliveries to a host: retry what waits at once, stop, and resume.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Db } from "../../platform/db/index.ts";
import { says } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
import type { AuditAction } from "../../domain/base/audit/actions.ts";
import { recorded } from "../../domain/base/audit/recorded.ts";
import type { Actor } from "../../domain/base/roles/permissions.ts";
import { resumeHost, retryHost, selectDeliveryStates, stopHost } from "./queries-hosts.ts";
import type { DeliveryState } from "./queries-hosts.ts";
import { announceQueued } from "./wake.ts";
import { goneSince } from "./retention.ts";

export { WAITING_CAP } from "./queries-hosts.ts";
export type { DeliveryState };

/** `failing`: deliveries are retried again and again; `gone`: nothing is queued until the host answers. */
export type DeliveryStanding = "working" | "failing" | "gone" | "stopped" | "unknown";

export const standingOf = (
  state: Pick<DeliveryState, "failing_since" | "stopped_at"> | null,
  now: Date,
): DeliveryStanding => {
  if (!state) return "unknown";
  if (state.stopped_at) return "stopped";
  if (!state.failing_since) return "working";
  return state.failing_since < goneSince(now) ? "gone" : "failing";
};

/** Returns the states by host; a missing host was sent nothing lately. */
export const deliveryStatesOf = async (
  app: App,
  hosts: string[],
): Promise<Map<string, DeliveryState>> =>
  new Map((await selectDeliveryStates(app.sql, hosts)).map((state) => [state.host, state]));

export const deliveryStateOf = async (app: App, host: string): Promise<DeliveryState | null> =>
  (await deliveryStatesOf(app, [host])).get(host) ?? null;

type Change = (db: Db, host: string, now: Date) => Promise<boolean>;

const act =
  (action: AuditAction, change: Change, why: Key) =>
  (app: App, actor: Actor, host: string): Promise<void> =>
    recorded(app, actor, "servers.write", async (tx) => {
      if (!(await change(tx, host, app.clock.now()))) throw new Unprocessable(says(why));
      announceQueued(app, tx);
      return { entry: { action, target: { type: "domain", id: null, label: host } } };
    });

/** Retries at once; throws 422 where nothing waits. */
export const retryDeliveries = act(
  "domain.retry_deliveries",
  retryHost,
  "network.server.nothing_waits",
);

/** Stops deliveries: nothing is sent to the host or queued for it until somebody resumes them. */
export const stopDeliveries = act(
  "domain.stop_deliveries",
  stopHost,
  "network.server.stopped_already",
);

export const resumeDeliveries = act(
  "domain.resume_deliveries",
  resumeHost,
  "network.server.not_stopped",
);
