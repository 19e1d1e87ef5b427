// Lists all steps, in the order of their references.

import { ACCOUNT_STEPS } from "./accounts.ts";
import { ACT_STEPS } from "./acts.ts";
import { ATTACHMENT_STEPS } from "./attachments.ts";
import { NEWER_STEPS } from "./newer.ts";
import { PEOPLE_STEPS } from "./people.ts";
import { PERSONAL_STEPS, SCHEDULED_STEPS } from "./personal.ts";
import { SITE_STEPS } from "./site.ts";
import { STAFF_STEPS } from "./staff.ts";
import { STATUS_STEPS } from "./statuses.ts";
import type { Step } from "./step.ts";

export const STEPS: Step[] = [
  ...ACCOUNT_STEPS,
  ...PEOPLE_STEPS,
  ...STATUS_STEPS,
  ...NEWER_STEPS,
  ...SCHEDULED_STEPS,
  ...ATTACHMENT_STEPS,
  ...ACT_STEPS,
  ...STAFF_STEPS,
  ...PERSONAL_STEPS,
  ...SITE_STEPS,
];
