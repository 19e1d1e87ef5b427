// The charts of the staff's first page: series over time, and statistics of people and servers.

import type {
  ChartColumn,
  ColumnChart,
  Part,
  ShareTable,
} from "../../../web/src/served/part-pages.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import { languageName } from "../../platform/text/languages.ts";
import { SERIES_NAMES } from "../../domain/staff/measures/series.ts";
import type { Series } from "../../domain/staff/measures/series.ts";
import { PERIODS } from "../../domain/staff/measures/summary.ts";
import type { Cohort, PeriodName, Summary } from "../../domain/staff/measures/summary.ts";
import type { Staff } from "./frame.ts";
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
  return buckets.map(({ day, value }): ChartColumn => {
    const name = long.format(new Date(day));
    return {
      name: isWeekly ? t("network.charts.week_from", { day: name }) : name,
      short: short.format(new Date(day)),
      value,
    };
  });
};

const describe = ({ t, language }: Staff, columns: readonly ChartColumn[]): string => {
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

const chartOf = (context: Staff, series: Series, period: PeriodName): ColumnChart => {
  const { t } = context;
  const isWeekly = PERIODS[period] >= WEEKLY_FROM;
  const columns = columnsOf(context, bucketsOf(series, isWeekly), isWeekly);
  return {
    id: `chart-${series.key}`,
    title: t(SERIES_NAMES[series.key]),
    total: series.total,
    before: compared(context, series, PERIODS[period]),
    description: describe(context, columns),
    unit: t(isWeekly ? "network.charts.week" : "network.charts.day"),
    columns,
  };
};

export const seriesPart = (context: Staff, all: readonly Series[], period: PeriodName): Part => ({
  beside: all.map((series) => ({ chart: chartOf(context, series, period) })),
  kind: "charts",
});

const cohortsPart = (cohorts: readonly Cohort[]): Part => ({
  panel: [
    { subheading: "network.cohorts.title" },
    { note: "network.cohorts.about" },
    cohorts.every(({ size }) => size === 0) ? { none: "network.charts.nothing" } : { cohorts },
  ],
});

const sizeText = ({ t, language }: Staff, size: number): string => {
  const to = numberText(language, 10 ** size);
  if (size === 0) return t("network.sizes.single");
  return t("network.sizes.range", { from: numberText(language, 10 ** (size - 1) + 1), to });
};

export const summaryParts = (context: Staff, summary: Summary): Part[] => {
  const { t, language } = context;
  const { languages, sources, software, sizes, cohorts, databaseBytes } = summary;
  const size = bytesText(language, databaseBytes);
  const tables: ShareTable[] = [
    {
      title: "network.parts.languages",
      heads: ["network.parts.language", "network.parts.people"],
      rows: languages.map(({ name, value }) => ({
        name: languageName(name ?? "und", language),
        value,
      })),
    },
    {
      title: "network.parts.sources",
      heads: ["network.parts.app", "network.parts.sign_ups"],
      rows: sources.map(({ name, value }) => ({ name: name ?? t("network.parts.web"), value })),
    },
    {
      title: "network.parts.software",
      heads: ["network.servers.software", "staff.section.servers"],
      rows: software.map(({ software: name, servers: value }) => ({
        name: name ?? t("network.server.unknown"),
        value,
      })),
    },
    {
      title: "network.parts.sizes",
      heads: ["network.servers.accounts", "staff.section.servers"],
      rows: sizes.map(({ size, servers: value }) => ({ name: sizeText(context, size), value })),
    },
  ];
  return [
    cohortsPart(cohorts),
    { beside: tables.map((shares) => ({ shares })), kind: "charts" },
    {
      text: [
        t("network.overview.database", { size }),
        { link: SERVERS, text: t("network.overview.all_servers") },
      ],
      isSoft: true,
    },
  ];
};
