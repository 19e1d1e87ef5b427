// The first page of the staff: what waits, the server's health, and the figures of a period.

import type { Part, Tile } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { runningNow } from "../../platform/runs/run.ts";
import { numberText } from "../../platform/text/figures.ts";
import { readHealth } from "../../domain/staff/measures/health.ts";
import { PERIODS, seriesOfPeriod, summaryOf } from "../../domain/staff/measures/summary.ts";
import type { PeriodName } from "../../domain/staff/measures/summary.ts";
import { runNow } from "../../domain/staff/moderation/runs.ts";
import { readWaiting } from "../../domain/staff/measures/waiting.ts";
import type { Waiting } from "../../domain/staff/measures/waiting.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { serverTotals } from "../../domain/base/peers/servers.ts";
import { goneSince } from "../../federation/delivery/retention.ts";
import { formsOf } from "./forms.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
import { seriesPart, summaryParts } from "./overview-figures.ts";
import { healthPart } from "./overview-health.ts";
import { ANY, SECTIONS } from "./sections.ts";
import { SERVERS } from "./server-parts.ts";

const serverTiles = async ({ app, t, language, actor }: Staff): Promise<Tile[]> => {
  if (!may(actor, "servers.read")) return [];
  const totals = await serverTotals(app, goneSince(app.clock.now()));
  return (["failing", "gone"] as const).map((state) => ({
    path: `${SERVERS}?state=${state}`,
    count: numberText(language, totals[state]),
    text: t(`network.overview.servers_${state}`),
    wants: false,
  }));
};

const waitingPart = async (context: Staff, waiting: Waiting): Promise<Part> => {
  const { actor, t, language } = context;
  const mine = SECTIONS.flatMap(({ counts, ...section }) =>
    counts && section.acts.some((act) => may(actor, act)) ? [{ counts, ...section }] : [],
  );
  const tiles = mine.map(({ path, label, counts }) => ({
    path,
    count: numberText(language, waiting[counts]),
    text: t("network.to_decide", { what: t(label) }),
    wants: waiting[counts] > 0,
  }));
  return { tiles: [...tiles, ...(await serverTiles(context))] };
};

const periodIn = (context: Staff): PeriodName => {
  const { days } = entered(context);
  return days !== undefined && Object.hasOwn(PERIODS, days) ? (days as PeriodName) : "30";
};

const pathOf = (period: PeriodName): string =>
  period === "30" ? "/admin" : `/admin?days=${period}`;

const figureParts = async (context: Staff): Promise<(Part | null)[]> => {
  const { app } = context;
  const period = periodIn(context);
  const series = await seriesOfPeriod(app, period);
  const summary = await summaryOf(app, period);
  const names = Object.keys(PERIODS) as PeriodName[];
  return [
    { heading: "network.overview.figures" },
    {
      title: "network.overview.period",
      shown: pathOf(period),
      tabs: names.map((name) => [pathOf(name), `network.overview.days_${name}`] as const),
    },
    series ? seriesPart(context, series, period) : { none: "network.overview.slow" },
    ...(summary ? summaryParts(context, summary) : []),
  ];
};

const DONE = {
  backup: "network.health.backup_started",
  doctor: "network.health.doctor_started",
} as const;

const show: Show = async (context) => {
  const { app, actor } = context;
  const isShown = may(actor, "figures.read");
  return sendAdmin(context, {
    parts: [
      await noMailNotice(context),
      await waitingPart(context, await readWaiting(app)),
      isShown && healthPart(context, await readHealth(app), await runningNow(app)),
      ...(isShown ? await figureParts(context) : []),
    ],
  });
};

export const overviewPages = (pages: Server, app: App): void => {
  pages.get("/admin", staffPage(app, ANY, show));
  const take = formsOf(pages, app, "/admin", ["settings.write"], show);
  for (const name of ["backup", "doctor"] as const) {
    take(`/admin/run/${name}`, DONE[name], ({ actor }) => runNow(app, actor, name));
  }
};
