// Scheduled checks: another process with a low priority examines the server and reads the whole newest backup, which
// may take an hour. The results are stored for the staff.

import "./runs.ts";
import { claim, runClaimed } from "../../../platform/runs/run.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";

/** Minutes that a check may take. */
const MINUTES = 120;

const ARGS = ["doctor", "--minutes", String(MINUTES), "--json"];

/** Handles the job `doctor.due`. */
export const startDoctor: JobHandler<"doctor.due"> = async (app, { claimed, only }) => {
  // Without a feed nothing is to be looked at every day.
  if (only && !app.config.updates) return;
  if (!claimed && !(await claim(app, "doctor"))) return;
  const args = only ? [...ARGS, "--only", only] : ARGS;
  void runClaimed(app, { name: "doctor", args }).then(
    ({ code, signal }) => {
      if (code === 0) app.log.info("the doctor found nothing wrong");
      else app.log.warn({ code, signal }, "the doctor found something: rookery doctor says what");
    },
    (error: unknown) => app.log.error({ err: error }, "the end of a look cannot be stored"),
  );
};
