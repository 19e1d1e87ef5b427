// Draws the charts of the staff's first page: series over time, and statistics of people and servers.

import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import { languageName } from "../../domain/staff/measures/dimensions.ts";
import { SERIES_NAMES } from "../../domain/staff/measures/series.ts";
import type { Series } from "../../domain/staff/measures/series.ts";
import { PERIODS } from "../../domain/staff/measures/summary.ts";
import type { Cohort, PeriodName, Summary } from "../../domain/staff/measures/summary.ts";
import { columnChart, shareTable } from "./charts.ts";
import type { Column } from "./charts.ts";
import { bytesText, numberText, percentText } from "../../platform/text/figures.ts";
import type { Staff } from "./frame.ts";
import { empty } from "./components.ts";
import { SERVERS } from "./server-parts.ts";

/** Days from which a period is drawn by weeks. */
const WEEKLY_FROM = 180;

const dayFormat = (language: string, style: "short" | "long"): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    day: "numeric",
    month: style,
    timeZone: "UTC",
    ...(style === "long" && { year: "numeric" }),
  });

type Bucket = { day: string; value: number | null };

const sumOf = (days: readonly Bucket[]): number | null =>
  days.some(({ value }) => value === null)
    ? null
    : days.reduce((sum, { value }) => sum + value!, 0);

/** Returns whole weeks that end with the last day; days before the first one are left out. */
const weeksOf = (days: readonly Bucket[]): Bucket[] => {
  const rest = days.length % 7;
  return Array.from({ length: Math.floor(days.length / 7) }, (_, n) => {
    const week = days.slice(rest + n * 7, rest + n * 7 + 7);
    return { day: week[0]!.day, value: sumOf(week) };
  });
};

/** Returns the mean of each week's days, because people who are active on several days must not count several times. */
const meansOf = (buckets: readonly Bucket[]): Bucket[] =>
  buckets.map(({ day, value }) => ({ day, value: value === null ? null : Math.round(value / 7) }));

const bucketsOf = ({ key, days }: Series, isWeekly: boolean): readonly Bucket[] => {
  if (!isWeekly) return days;
  return key === "active_users" ? meansOf(weeksOf(days)) : weeksOf(days);
};

const columnsOf = ({ t, language }: Staff, buckets: readonly Bucket[], isWeekly: boolean) => {
  const [short, long] = [dayFormat(language, "short"), dayFormat(language, "long")];
  return buckets.map(({ day, value }): Column => {
    const name = long.format(new Date(day));
    return {
      name: isWeekly ? t("network.charts.week_from", { day: name }) : name,
      short: short.format(new Date(day)),
      value,
    };
  });
};

const describe = ({ t, language }: Staff, columns: readonly Column[]): string => {
  const known = columns.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  const most = known.toSorted((a, b) => b.value - a.value)[0];
  if (!most) return t("network.charts.uncounted");
  const values = { from: columns[0]!.name, to: columns.at(-1)!.name };
  return t("network.charts.description", {
    ...values,
    most: numberText(language, most.value),
    when: most.name,
  });
};

const compared = ({ t, language }: Staff, { previous }: Series, days: number): string | null =>
  previous === null
    ? null
    : t("network.charts.before", { count: numberText(language, previous), days });

const seriesFigure = (context: Staff, series: Series, period: PeriodName): Html => {
  const { t, language } = context;
  const isWeekly = PERIODS[period] >= WEEKLY_FROM;
  const columns = columnsOf(context, bucketsOf(series, isWeekly), isWeekly);
  const title = t(SERIES_NAMES[series.key]);
  const before = compared(context, series, PERIODS[period]);
  return html`<section class="panel figure">
    <h3>${title}</h3>
    <p class="total">
      ${series.total !== null && html`<strong>${numberText(language, series.total)}</strong>`}
      ${before && html`<span class="soft">${before}</span>`}
    </p>
    ${columnChart(context, {
      id: `chart-${series.key}`,
      title,
      description: describe(context, columns),
      unit: t(isWeekly ? "network.charts.week" : "network.charts.day"),
      columns,
    })}
  </section>`;
};

export const seriesPart = (context: Staff, series: readonly Series[], period: PeriodName): Html =>
  html`<div class="charts">${series.map((series) => seriesFigure(context, series, period))}</div>`;

const panel = (title: string, content: Html): Html =>
  html`<section class="panel figure">
    <h3>${title}</h3>
    ${content}
  </section>`;

/** Returns in tenths how strongly a cell is coloured. */
const heatOf = (share: number): number => Math.min(9, Math.floor(share * 10));

const cohortRow = ({ language }: Staff, { month, size, kept }: Cohort, months: number): Html => {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return html`<tr>
    <th scope="row">${format.format(new Date(`${month}-01`))}</th>
    <td class="number">${numberText(language, size)}</td>
    ${Array.from({ length: months }, (_, n) => {
      const value = kept[n];
      if (value === undefined || size === 0) return html`<td></td>`;
      return html`<td class="number heat-${heatOf(value / size)}">
        ${percentText(language, value / size)}
      </td>`;
    })}
  </tr>`;
};

const cohortTable = (context: Staff, cohorts: readonly Cohort[]): Html => {
  const { t } = context;
  const months = cohorts.length;
  return html`<div
    class="scrolled"
    role="region"
    tabindex="0"
    aria-label="${t("network.cohorts.title")}"
  >
    <table class="data-table cohorts">
      <thead>
        <tr>
          <th scope="col">${t("network.cohorts.month")}</th>
          <th scope="col" class="number">${t("network.cohorts.size")}</th>
          ${Array.from(
            { length: months },
            (_, n) =>
              html`<th scope="col" class="number">
                ${n === 0 ? t("network.cohorts.same") : t("network.cohorts.later", { count: n })}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${cohorts.map((cohort) => cohortRow(context, cohort, months))}
      </tbody>
    </table>
  </div>`;
};

const retentionPart = (context: Staff, cohorts: readonly Cohort[]): Html => {
  const { t } = context;
  const isEmpty = cohorts.every(({ size }) => size === 0);
  return html`<section class="panel">
    <h3>${t("network.cohorts.title")}</h3>
    <p class="soft">${t("network.cohorts.about")}</p>
    ${isEmpty ? empty(t("network.charts.nothing")) : cohortTable(context, cohorts)}
  </section>`;
};

const sizeText = ({ t, language }: Staff, size: number): string => {
  const to = numberText(language, 10 ** size);
  if (size === 0) return t("network.sizes.single");
  return t("network.sizes.range", { from: numberText(language, 10 ** (size - 1) + 1), to });
};

type PartTable = { title: Key; head: Key; unit: Key; rows: { name: string; value: number }[] };

const partPanel = (context: Staff, { title, head, unit, rows }: PartTable): Html => {
  const { t } = context;
  const all = rows.reduce((sum, { value }) => sum + value, 0);
  const table = shareTable(context, {
    title: t(title),
    heads: [t(head), t(unit)],
    shares: rows,
    all,
  });
  return panel(t(title), rows.length === 0 ? empty(t("network.charts.nothing")) : table);
};

export const summaryPart = (context: Staff, summary: Summary): Html => {
  const { t, language } = context;
  const { languages, sources, software, sizes, cohorts, databaseBytes } = summary;
  return html`${retentionPart(context, cohorts)}
    <div class="charts">
      ${partPanel(context, {
        title: "network.parts.languages",
        head: "network.parts.language",
        unit: "network.parts.people",
        rows: languages.map(({ name, value }) => ({
          name: languageName(name ?? "und", language),
          value,
        })),
      })}
      ${partPanel(context, {
        title: "network.parts.sources",
        head: "network.parts.app",
        unit: "network.parts.sign_ups",
        rows: sources.map(({ name, value }) => ({ name: name ?? t("network.parts.web"), value })),
      })}
      ${partPanel(context, {
        title: "network.parts.software",
        head: "network.servers.software",
        unit: "network.servers.title",
        rows: software.map(({ software: name, servers }) => ({
          name: name ?? t("network.server.unknown"),
          value: servers,
        })),
      })}
      ${partPanel(context, {
        title: "network.parts.sizes",
        head: "network.servers.accounts",
        unit: "network.servers.title",
        rows: sizes.map(({ size, servers }) => ({ name: sizeText(context, size), value: servers })),
      })}
    </div>
    <p class="soft">
      ${t("network.overview.database", { size: bytesText(language, databaseBytes) })}
      <a href="${SERVERS}">${t("network.overview.all_servers")}</a>
    </p>`;
};
