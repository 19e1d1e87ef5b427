// Lets the staff start a backup or the doctor at once, which otherwise run by the clock.

import type { App } from "../../../platform/app.ts";
import "../../../platform/backup/schedule.ts";
import { asTyped } from "../../../platform/command-name.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { claim } from "../../../platform/runs/run.ts";
import type { RunName } from "../../../platform/runs/run.ts";
import { says } from "../../../platform/text/texts.ts";
import type { AuditAction } from "../../base/audit/actions.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { requireMay } from "../../base/roles/acts.ts";
import { recorded } from "../../base/audit/recorded.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Let the doctor look; `claimed` says that a member of the staff has claimed the run. `only`: a single check. */
    "doctor.due": { claimed?: true; only?: "updates" };
  }
}

const JOBS = { backup: "backup.due", doctor: "doctor.due" } as const;

const ENTRIES = {
  backup: "server.back_up",
  doctor: "server.examine",
} as const satisfies Record<RunName, AuditAction>;

/** Throws 422 while one runs, or where there is no place for a backup. */
export const runNow = async (app: App, actor: Actor, name: RunName): Promise<void> => {
  requireMay(actor, "settings.write");
  if (name === "backup" && app.config.backup.to === null) {
    throw new Unprocessable(says("network.health.no_place", { command: asTyped("rookery setup") }));
  }
  await recorded(app, actor, "settings.write", async (tx) => {
    if (!(await claim(app, name, tx))) throw new Unprocessable(says("network.health.runs_already"));
    await app.jobs.add(tx, JOBS[name], { claimed: true });
    return { entry: { action: ENTRIES[name], target: null } };
  });
};
