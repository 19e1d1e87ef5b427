// Sends the staff the summary of the week by mail: what waits for them, the figures of the last whole week beside the
// week before, and problems of the server.

import type { App } from "../../../platform/app.ts";
import { addDays, isoDate } from "../../../platform/ids/index.ts";
import { numberText } from "../../../platform/text/figures.ts";
import { dayText } from "../../../platform/text/spoken.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Key, Texts } from "../../../platform/text/texts.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { claimStaff, findAddressee, makeMail, sendCounted } from "../../reading/mails/send.ts";
import type { Addressee } from "../../reading/mails/send.ts";
import { actorOf } from "../moderation/actors.ts";
import { may } from "../../base/roles/acts.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { readHealth } from "./health.ts";
import { midnight } from "./period.ts";
import { quickly } from "./quickly.ts";
import { SERIES_NAMES, readSeries } from "./series.ts";
import type { Series } from "./series.ts";
import { troublesOf } from "./troubles.ts";
import { readWaiting, waitingFor } from "./waiting.ts";
import type { Waiting } from "./waiting.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Send the summary of the week to members of the staff who did not get this week's. */
    "staff_digests.due": Record<string, never>;
    /** Send it to one of them; `monday` is the day on which the week after begins. */
    "staff_digest.send": { userId: string; monday: string };
  }
}

const BATCH = 200;

/** Returns the day on which this week began, in UTC. */
export const mondayOf = (now: Date): Date => {
  const day = midnight(now);
  return addDays(day, -((day.getUTCDay() + 6) % 7));
};

/**
 * Handles the job `staff_digests.due`, every morning: on Mondays it claims everybody, on other days those whom it could
 * not claim then. People who are claimed get a job in the same transaction, so that a process that dies leaves nobody
 * out, and processes at the same time send nobody two.
 */
export const enqueueStaffDigests = async (app: App): Promise<void> => {
  const now = app.clock.now();
  const since = mondayOf(now);
  const monday = isoDate(since);
  const count = await app.sql.begin(async (tx) => {
    const ids = await claimStaff(tx, { now, since, limit: BATCH });
    const jobs = ids.map((userId) => ({
      payload: { userId, monday },
      key: `staff_digest:${userId}:${monday}`,
    }));
    if (jobs.length > 0) await app.jobs.addMany(tx, "staff_digest.send", jobs);
    if (ids.length === BATCH) await app.jobs.add(tx, "staff_digests.due", {});
    return ids.length;
  });
  app.log.debug({ count }, "summaries of the week for the staff");
};

const WAITING: Record<keyof Waiting, Key> = {
  reports: "staff.section.reports",
  signUps: "staff.section.sign_ups",
  appeals: "staff.section.appeals",
  held: "staff.section.spam",
  trends: "staff.section.trends",
};

const waitingText = ({ t, language }: Texts, actor: Actor, waiting: Waiting): string => {
  const lines = waitingFor(actor, waiting)
    .filter(([, count]) => count > 0)
    .map(([what, count]) =>
      t("words.pair", { name: t(WAITING[what]), value: numberText(language, count) }),
    );
  if (lines.length === 0) return t("network.digest.nothing_waits");
  return [t("network.digest.waits"), ...lines].join("\n");
};

const figureLine = ({ t, language }: Texts, { key, total, previous }: Series): string | null => {
  if (total === null) return null;
  const value = numberText(language, total);
  const text =
    previous === null
      ? value
      : t("network.digest.before", { value, before: numberText(language, previous) });
  return t("words.pair", { name: t(SERIES_NAMES[key]), value: text });
};

const figuresText = (texts: Texts, series: readonly Series[], monday: Date): string => {
  const title = texts.t("network.digest.week", {
    from: dayText(texts.language, addDays(monday, -7)),
    to: dayText(texts.language, addDays(monday, -1)),
  });
  const lines = series.flatMap((row) => figureLine(texts, row) ?? []);
  return [title, ...lines].join("\n");
};

const healthText = (texts: Texts, troubles: string[]): string =>
  troubles.length === 0
    ? texts.t("network.digest.well")
    : [texts.t("network.digest.troubles"), ...troubles.map((line) => `- ${line}`)].join("\n");

const paragraphsOf = async (
  app: App,
  texts: Texts,
  { actor, monday }: { actor: Actor; monday: Date },
): Promise<string[]> => {
  const week = { from: addDays(monday, -7), to: monday };
  const series = await quickly(app, async (tx) => readSeries(app, tx, week));
  return [
    waitingText(texts, actor, await readWaiting(app)),
    figuresText(texts, series, monday),
    healthText(texts, troublesOf(texts, await readHealth(app))),
  ];
};

const mailOf = async (app: App, addressee: Addressee, about: { actor: Actor; monday: Date }) => {
  // The mail is in one language, like the pages that it links to.
  const texts = textsIn(addressee.locale);
  const { t } = texts;
  const { localDomain: site, origin } = app.config.site;
  return makeMail(app, addressee, "staff_digest", {
    message: `staff_digest.${addressee.user_id}.${isoDate(about.monday)}`,
    title: t("network.digest.title", { site }),
    paragraphs: await paragraphsOf(app, texts, about),
    button: { label: t("network.digest.open"), url: `${origin}/admin` },
  });
};

/**
 * Handles the job `staff_digest.send`. Sends nothing to people who may no longer read figures, or do not want it any
 * more.
 */
export const sendStaffDigest: JobHandler<"staff_digest.send"> = async (app, { userId, monday }) => {
  const addressee = await findAddressee(app, userId, "staff_digest");
  if (!addressee) return;
  const actor = await actorOf(app, addressee.account_id);
  if (!may(actor, "figures.read")) return;
  await sendCounted(app, userId, await mailOf(app, addressee, { actor, monday: new Date(monday) }));
};
