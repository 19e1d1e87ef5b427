// Parts that the pages of the settings share: their tabs, and the messages about what was done.

import type { FastifyReply } from "fastify";
import type { HtmlValue } from "../../platform/text/html.ts";
import { html } from "../../platform/text/html.ts";
import { sendAdmin } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { tabs } from "./components.ts";
import { PAGES } from "./settings-topics.ts";

export const SETTINGS = "/admin/settings";
export const SETTINGS_ACTS = ["settings.write"] as const;

const DONE = {
  saved: "staff.settings.saved",
  reset: "staff.settings.reset",
  published: "staff.terms.published",
  added: "staff.texts.added",
  removed: "staff.texts.removed",
  mailed: "staff.mail.sent",
  uploaded: "staff.look.uploaded",
  taken: "staff.look.removed",
} as const;

type SettingsPage = { problem: string | undefined; body: HtmlValue };

export const sendSettingsPage = (
  context: Staff,
  page: (typeof PAGES)[number],
  { problem, body }: SettingsPage,
): Promise<FastifyReply> => {
  const { t } = context;
  const title = t("staff.section.settings");
  const all = PAGES.map((name) => [`${SETTINGS}/${name}`, t(`staff.topic.${name}`)] as const);
  return sendAdmin(context, {
    title,
    problem,
    done: DONE,
    body: html`${tabs(title, `${SETTINGS}/${page}`, all)} ${body}`,
  });
};
