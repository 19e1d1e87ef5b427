// The doctor by the clock: another process with a low priority examines the server, and reads the newest backup
// whole, which may take an hour; what it found is stored for the staff.

import { spawn } from "node:child_process";
import type { App } from "../platform/app.ts";
import { makeNice } from "../platform/pictures/limited.ts";

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Let the doctor look. */
    "doctor.due": Record<string, never>;
  }
}

/** What a check may take. */
const MINUTES = 120;

/** The job `doctor.due`. */
export const startDoctor = async (app: App): Promise<void> => {
  const child = spawn(
    process.execPath,
    [process.argv[1]!, "doctor", "--minutes", String(MINUTES), "--json"],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  child.once("error", (error) => app.log.error({ err: error }, "the doctor cannot be started"));
  child.once("exit", (code, signal) => {
    if (code === 0) app.log.info("the doctor found nothing wrong");
    else app.log.warn({ code, signal }, "the doctor found something: rookery doctor says what");
  });
  makeNice(child);
};
