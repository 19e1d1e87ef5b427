// Handles the bar of a list of accounts (bulk-bar.ts): applies its acts one by one, and reports what was refused.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { actInBulk } from "../../domain/staff/moderation/bulk-acts.ts";
import { staffForm } from "./forms.ts";
import { entered } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { backTo, chosenAct, chosenIds, refusedLines } from "./bulk-bar.ts";

const work =
  (home: string) =>
  async (staff: Staff): Promise<string> => {
    const { app, actor, t } = staff;
    const name = chosenAct(staff);
    const text = entered(staff)["text"]?.trim() ?? "";
    const input = { ids: chosenIds(staff), text, mail: true };
    const { done, refused } = await actInBulk(app, actor, name, input);
    if (refused.length === 0) {
      return `${home}?${new URLSearchParams([...new URLSearchParams(backTo(staff)), ["done", name]])}`;
    }
    const sentence = t(`moderation.several.${name}_done`, { count: done.length });
    throw new Unprocessable([sentence, ...refusedLines(staff, refused)].join(" "));
  };

export const SEVERAL_DONE = {
  approve: "moderation.several.approved",
  reject: "moderation.several.rejected",
  silence: "moderation.several.silenced",
  suspend: "moderation.several.suspended",
} as const;

/** Adds the form of this list's bar. */
export const severalForm = (
  pages: Server,
  app: App,
  list: { path: string; home: string; show: Show },
) => pages.post(list.path, staffForm(app, ["accounts.read"], work(list.home), list.show));
