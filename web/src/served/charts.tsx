// Charts as SVG, each with its figures in a table beside it: columns over time, and bars of parts in the table itself.

import { useApp } from "../app.ts";
import { STEPS, countText, shareText, shortText, stepOf } from "./axis.ts";
import type { ChartColumn, Cohort, ColumnChart, ShareTable } from "./part-pages.ts";
import { Empty } from "./rows.tsx";

/** Size in units of the drawing, about a pixel each. */
const WIDTH = 360;
const HEIGHT = 170;
const LEFT = 50;
const TOP = 8;
const BOTTOM = 22;
const PLOT = { width: WIDTH - LEFT - 4, height: HEIGHT - TOP - BOTTOM };
/** Maximum number of names below the axis. */
const MAX_NAMES = 4;

const round = (value: number): number => Math.round(value * 100) / 100;

type Columns = { columns: readonly ChartColumn[] };

const Grid = ({ step }: { step: number }) => {
  const { locale } = useApp();
  return (
    <g class="grid">
      {Array.from({ length: STEPS + 1 }, (_, n) => {
        const y = round(TOP + PLOT.height - (n / STEPS) * PLOT.height);
        return [
          <line x1={LEFT} y1={y} x2={LEFT + PLOT.width} y2={y} />,
          <text x={LEFT - 5} y={y + 3.5} text-anchor="end">
            {shortText(locale, n * step)}
          </text>,
        ];
      })}
    </g>
  );
};

/** Draws the first name, the last and a few between them. */
const Names = ({ columns }: Columns) => {
  const count = Math.min(MAX_NAMES, columns.length);
  const width = PLOT.width / columns.length;
  return (
    <g class="names">
      {Array.from({ length: count }, (_, n) => {
        const index = count === 1 ? 0 : Math.round((n * (columns.length - 1)) / (count - 1));
        const anchor = n === 0 ? "start" : n === count - 1 ? "end" : "middle";
        const at = anchor === "start" ? 0 : anchor === "end" ? 1 : 0.5;
        return (
          <text x={round(LEFT + (index + at) * width)} y={HEIGHT - 6} text-anchor={anchor}>
            {columns[index]!.short}
          </text>
        );
      })}
    </g>
  );
};

const Bars = ({ columns, top }: Columns & { top: number }) => {
  const { t, locale } = useApp();
  const width = PLOT.width / columns.length;
  const gap = Math.min(2, width * 0.2);
  return (
    <g class="columns">
      {columns.map(({ name, value }, n) => {
        const height = round(((value ?? 0) / top) * PLOT.height);
        return (
          <rect
            x={round(LEFT + n * width + gap / 2)}
            y={round(TOP + PLOT.height - height)}
            width={round(width - gap)}
            height={height}
          >
            <title>{t("words.pair", { name, value: countText(locale, value, "?") })}</title>
          </rect>
        );
      })}
    </g>
  );
};

const Drawing = ({ chart: { id, title, description, columns } }: { chart: ColumnChart }) => {
  const step = stepOf(Math.max(0, ...columns.map(({ value }) => value ?? 0)));
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-text`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-text`}>{description}</desc>
      <Grid step={step} />
      <Names columns={columns} />
      <Bars columns={columns} top={step * STEPS} />
    </svg>
  );
};

/** Draws a collapsed table with the figures of the drawing. */
const AsTable = ({ chart: { title, unit, columns } }: { chart: ColumnChart }) => {
  const { locale } = useApp();
  const { t } = useApp();
  return (
    <details class="as-table">
      <summary aria-label={t("network.charts.table_of", { what: title })}>
        {t("network.charts.table")}
      </summary>
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <th scope="col" class="number">
              {title}
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{countText(locale, value, t("network.charts.uncounted"))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

export const ChartFigure = ({ chart }: { chart: ColumnChart }) => {
  const { locale } = useApp();
  const { title, total, before } = chart;
  return (
    <section class="panel figure">
      <h3>{title}</h3>
      <p class="total">
        {total !== null && <strong>{countText(locale, total, "")}</strong>}{" "}
        {before && <span class="soft">{before}</span>}
      </p>
      <Drawing chart={chart} />
      <AsTable chart={chart} />
    </section>
  );
};

const ShareRows = ({ rows }: Pick<ShareTable, "rows">) => {
  const { locale } = useApp();
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const all = rows.reduce((sum, { value }) => sum + value, 0);
  return (
    <tbody>
      {rows.map(({ name, value }) => (
        <tr key={name}>
          <th scope="row">
            {name}{" "}
            <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={round((value / most) * 100)} height="1" />
            </svg>
          </th>
          <td class="number">
            {countText(locale, value, "")}{" "}
            {all > 0 && <span class="soft">{shareText(locale, value / all)}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  );
};

/** Draws parts of a whole, each with a bar and its share. */
export const Shares = ({ shares: { title, heads, rows } }: { shares: ShareTable }) => {
  const { t } = useApp();
  return (
    <section class="panel figure">
      <h3>{t(title)}</h3>
      {rows.length === 0 ? (
        <Empty text="network.charts.nothing" />
      ) : (
        <table class="data-table shares" aria-label={t(title)}>
          <thead>
            <tr>
              <th scope="col">{t(heads[0])}</th>
              <th scope="col" class="number">
                {t(heads[1])}
              </th>
            </tr>
          </thead>
          <ShareRows rows={rows} />
        </table>
      )}
    </section>
  );
};

/** Returns in tenths how strongly a cell is coloured. */
const heatOf = (share: number): number => Math.min(9, Math.floor(share * 10));

const CohortRow = ({ cohort, months }: { cohort: Cohort; months: number }) => {
  const { locale } = useApp();
  const { month, size, kept } = cohort;
  const date = { month: "short", year: "numeric", timeZone: "UTC" } as const;
  return (
    <tr>
      <th scope="row">{new Date(`${month}-01`).toLocaleDateString(locale, date)}</th>
      <td class="number">{countText(locale, size, "")}</td>
      {Array.from({ length: months }, (_, n) => {
        const value = kept[n];
        if (value === undefined || size === 0) return <td />;
        const share = value / size;
        return <td class={`number heat-${heatOf(share)}`}>{shareText(locale, share)}</td>;
      })}
    </tr>
  );
};

export const Cohorts = ({ cohorts }: { cohorts: readonly Cohort[] }) => {
  const { t } = useApp();
  return (
    <div class="scrolled" role="region" tabIndex={0} aria-label={t("network.cohorts.title")}>
      <table class="data-table cohorts">
        <thead>
          <tr>
            <th scope="col">{t("network.cohorts.month")}</th>
            <th scope="col" class="number">
              {t("network.cohorts.size")}
            </th>
            {cohorts.map((cohort, n) => (
              <th key={cohort.month} scope="col" class="number">
                {n === 0 ? t("network.cohorts.same") : t("network.cohorts.later", { count: n })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <CohortRow key={cohort.month} cohort={cohort} months={cohorts.length} />
          ))}
        </tbody>
      </table>
    </div>
  );
};
