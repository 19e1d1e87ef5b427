// Decides several held posts, one by one: each as if it were alone, and refusals are counted.

import type { App } from "../../../platform/app.ts";
import { Unprocessable, isRefusal } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { approveHeld, discardHeld } from "./spam.ts";

const VERDICTS = { approve: approveHeld, discard: discardHeld } as const;

export type HeldVerdict = keyof typeof VERDICTS;

export const isHeldVerdict = (text: string): text is HeldVerdict => Object.hasOwn(VERDICTS, text);

/** Posts that the page lists. */
export const MAX_HELD = 100;

type HeldOutcome = { done: number; refused: { id: string; why: Error }[] };

/** Throws 422 for none, or too many. */
export const decideHeld = async (
  app: App,
  actor: Actor,
  verdict: HeldVerdict,
  ids: string[],
): Promise<HeldOutcome> => {
  if (ids.length === 0) throw new Unprocessable(says("moderation.spam.choose_posts"));
  if (ids.length > MAX_HELD) {
    throw new Unprocessable(says("moderation.several.too_many", { count: MAX_HELD }));
  }
  const outcome: HeldOutcome = { done: 0, refused: [] };
  for (const id of ids) {
    try {
      await VERDICTS[verdict](app, actor, id);
      outcome.done += 1;
    } catch (error) {
      if (!isRefusal(error) || error.meaning === "forbidden") throw error;
      outcome.refused.push({ id, why: error });
    }
  }
  return outcome;
};
