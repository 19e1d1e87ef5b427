// Parts that the pages of the settings share: their tabs, and the messages about what was done.

import type { FastifyReply } from "fastify";
import type { No, Part } from "../../../web/src/served/part-pages.ts";
import { sendAdmin } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { PAGES } from "./settings-topics.ts";

export const SETTINGS = "/admin/settings";
export const SETTINGS_ACTS = ["settings.write"] as const;

const DONE = {
  saved: "staff.settings.saved",
  reset: "staff.settings.reset",
} as const;

export const sendSettingsPage = (
  context: Staff,
  page: (typeof PAGES)[number],
  parts: readonly (Part | No)[],
): Promise<FastifyReply> =>
  sendAdmin(context, {
    title: `staff.topic.${page}`,
    done: DONE,
    parts: [
      {
        title: "staff.section.settings",
        shown: `${SETTINGS}/${page}`,
        tabs: PAGES.map((name) => [`${SETTINGS}/${name}`, `staff.topic.${name}`] as const),
      },
      ...parts,
    ],
  });
