// The first page of the staff: what waits, the server's health, and the figures of a period.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { readHealth } from "../../domain/staff/measures/health.ts";
import { PERIODS, seriesOfPeriod, summaryOf } from "../../domain/staff/measures/summary.ts";
import type { PeriodName } from "../../domain/staff/measures/summary.ts";
import { runNow } from "../../domain/staff/moderation/runs.ts";
import { runningNow } from "../../platform/runs/run.ts";
import { readWaiting } from "../../domain/staff/measures/waiting.ts";
import type { Waiting } from "../../domain/staff/measures/waiting.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { serverTotals } from "../../domain/base/peers/servers.ts";
import { goneSince } from "../../federation/delivery/retention.ts";
import { numberText } from "../../platform/text/figures.ts";
import { formsOf } from "./forms.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
import { seriesPart, summaryPart } from "./overview-figures.ts";
import { healthPart } from "./overview-health.ts";
import { empty, tabs } from "./components.ts";
import { ANY, SECTIONS } from "./sections.ts";
import { SERVERS } from "./server-parts.ts";

const tile = (path: string, count: string, text: string, wants: boolean): Html =>
  html`<li class="${wants ? "wants" : ""}">
    <a href="${path}"><strong>${count}</strong><span>${text}</span></a>
  </li>`;

const serverTiles = async ({ app, t, language, actor }: Staff): Promise<Html[]> => {
  if (!may(actor, "servers.read")) return [];
  const totals = await serverTotals(app, goneSince(app.clock.now()));
  return (["failing", "gone"] as const).map((state) =>
    tile(
      `${SERVERS}?state=${state}`,
      numberText(language, totals[state]),
      t(`network.overview.servers_${state}`),
      false,
    ),
  );
};

const waitingPart = async (context: Staff, waiting: Waiting): Promise<Html> => {
  const { actor, t, language } = context;
  const mine = SECTIONS.flatMap(({ counts, ...section }) =>
    counts && section.acts.some((act) => may(actor, act)) ? [{ counts, ...section }] : [],
  );
  return html`<ul class="tiles">
    ${mine.map(({ path, label, counts }) =>
      tile(
        path,
        numberText(language, waiting[counts]),
        t("network.to_decide", { what: t(label) }),
        waiting[counts] > 0,
      ),
    )}
    ${await serverTiles(context)}
  </ul>`;
};

const periodIn = (context: Staff): PeriodName => {
  const { days } = entered(context);
  return days !== undefined && Object.hasOwn(PERIODS, days) ? (days as PeriodName) : "30";
};

const figuresPart = async (context: Staff): Promise<Html> => {
  const { app, t } = context;
  const period = periodIn(context);
  const series = await seriesOfPeriod(app, period);
  const summary = await summaryOf(app, period);
  const choices = (Object.keys(PERIODS) as PeriodName[]).map(
    (name) =>
      [
        name === "30" ? "/admin" : `/admin?days=${name}`,
        t(`network.overview.days_${name}`),
      ] as const,
  );
  const current = period === "30" ? "/admin" : `/admin?days=${period}`;
  return html`<h2>${t("network.overview.figures")}</h2>
    ${tabs(t("network.overview.period"), current, choices)}
    ${series ? seriesPart(context, series, period) : empty(t("network.overview.slow"))}
    ${summary && summaryPart(context, summary)}`;
};

const DONE = {
  backup: "network.health.backup_started",
  doctor: "network.health.doctor_started",
} as const;

const show = async (context: Staff, problem?: string) => {
  const { app, actor, t } = context;
  const isShown = may(actor, "figures.read");
  return sendAdmin(context, {
    title: t("staff.section.overview"),
    problem,
    done: DONE,
    body: html`${await noMailNotice(context)} ${await waitingPart(context, await readWaiting(app))}
    ${isShown && healthPart(context, await readHealth(app), await runningNow(app))}
    ${isShown && (await figuresPart(context))}`,
  });
};

export const overviewPages = (pages: Server, app: App): void => {
  pages.get("/admin", staffPage(app, ANY, show));
  const take = formsOf(pages, app, "/admin", ["settings.write"], show);
  for (const name of ["backup", "doctor"] as const) {
    take(`/admin/run/${name}`, name, ({ actor }) => runNow(app, actor, name));
  }
};
