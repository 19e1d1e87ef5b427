// Lists what should be in order before strangers can sign up: emails that arrive, and rules that they agree to.

import type { App } from "../../../platform/app.ts";
import { says } from "../../../platform/text/texts.ts";
import type { Said } from "../../../platform/text/texts.ts";
import { registrationMode } from "../../people/users/sign-up.ts";
import { currentRules } from "../../base/rules/rules.ts";
import type { Settings } from "../../base/settings/settings.ts";
import { mailProblem } from "./test-mail.ts";

/** Returns nothing for a change that does not open registrations. */
export const openingConcerns = async (
  app: App,
  mode: Settings["registrations"],
): Promise<Said[]> => {
  if (mode === "closed" || (await registrationMode(app)) !== "closed") return [];
  const [mail, rules] = await Promise.all([mailProblem(app), currentRules(app)]);
  return [...(mail ? [mail] : []), ...(rules.length === 0 ? [says("staff.opening.no_rules")] : [])];
};
