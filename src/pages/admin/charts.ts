// Draws charts as SVG, each with its figures in a table beside it: columns over time, and bars of parts in the table
// itself.

import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Language } from "../../platform/text/texts.ts";
import { numberText, percentText, shortNumber } from "../../platform/text/figures.ts";
import type { Staff } from "./frame.ts";

/** Size in units of the drawing, about a pixel each. */
const WIDTH = 360;
const HEIGHT = 170;
const LEFT = 50;
const TOP = 8;
const BOTTOM = 22;
const PLOT = { width: WIDTH - LEFT - 4, height: HEIGHT - TOP - BOTTOM };
/** Number of lines above zero. */
const STEPS = 4;
/** Maximum number of names below the axis. */
const MAX_NAMES = 4;

export type Column = {
  /** Names of the column: for the table, and a short one for the axis. */
  name: string;
  short: string;
  /** Null when it is not known. */
  value: number | null;
};

type ColumnChart = {
  /** Id that is unique on the page. */
  id: string;
  title: string;
  /** Text for those who cannot see the drawing. */
  description: string;
  /** Head of the table's first column, such as “Day”. */
  unit: string;
  columns: readonly Column[];
};

/** Returns the distance between two lines: 1, 2, 2.5 or 5 times a power of ten, so that all values fit. */
export const stepOf = (most: number): number => {
  const least = Math.max(1, most) / STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return Math.max(1, factor * power);
};

const round = (value: number): number => Math.round(value * 100) / 100;

const gridLines = (language: Language, step: number): Html[] =>
  Array.from({ length: STEPS + 1 }, (_, n) => {
    const y = round(TOP + PLOT.height - (n / STEPS) * PLOT.height);
    return html`<line x1="${LEFT}" y1="${y}" x2="${LEFT + PLOT.width}" y2="${y}" />
      <text x="${LEFT - 5}" y="${y + 3.5}" text-anchor="end">
        ${shortNumber(language, n * step)}
      </text>`;
  });

/** Draws the first name, the last and a few between them. */
const namesBelow = (columns: readonly Column[]): Html[] => {
  const count = Math.min(MAX_NAMES, columns.length);
  const width = PLOT.width / columns.length;
  return Array.from({ length: count }, (_, n) => {
    const index = count === 1 ? 0 : Math.round((n * (columns.length - 1)) / (count - 1));
    const anchor = n === 0 ? "start" : n === count - 1 ? "end" : "middle";
    const at = anchor === "start" ? 0 : anchor === "end" ? 1 : 0.5;
    const x = round(LEFT + (index + at) * width);
    return html`<text x="${x}" y="${HEIGHT - 6}" text-anchor="${anchor}">
      ${columns[index]!.short}
    </text>`;
  });
};

const bars = (language: Language, columns: readonly Column[], top: number): Html[] => {
  const width = PLOT.width / columns.length;
  return columns.map(({ name, value }, n) => {
    const height = round(((value ?? 0) / top) * PLOT.height);
    const gap = Math.min(2, width * 0.2);
    return html`<rect
      x="${round(LEFT + n * width + gap / 2)}"
      y="${round(TOP + PLOT.height - height)}"
      width="${round(width - gap)}"
      height="${height}"
    >
      <title>${name}: ${value === null ? "?" : numberText(language, value)}</title>
    </rect>`;
  });
};

const drawing = (language: Language, chart: ColumnChart): Html => {
  const { id, title, description, columns } = chart;
  const step = stepOf(Math.max(0, ...columns.map(({ value }) => value ?? 0)));
  return html`<svg
    class="chart"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-labelledby="${id}-title ${id}-text"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-text">${description}</desc>
    <g class="grid">${gridLines(language, step)}</g>
    <g class="names">${namesBelow(columns)}</g>
    <g class="columns">${bars(language, columns, step * STEPS)}</g>
  </svg>`;
};

/** Draws a collapsed table with the figures of the drawing. */
const asTable = ({ t, language }: Staff, { title, unit, columns }: ColumnChart): Html =>
  html`<details class="as-table">
    <summary aria-label="${t("network.charts.table_of", { what: title })}">
      ${t("network.charts.table")}
    </summary>
    <table class="data-table">
      <thead>
        <tr>
          <th scope="col">${unit}</th>
          <th scope="col" class="number">${title}</th>
        </tr>
      </thead>
      <tbody>
        ${columns.map(
          ({ name, value }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">
                ${value === null ? t("network.charts.uncounted") : numberText(language, value)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;

export const columnChart = (context: Staff, chart: ColumnChart): Html =>
  html`${drawing(context.language, chart)} ${asTable(context, chart)}`;

export type Share = { name: HtmlValue; value: number };

/** Draws parts, each with a bar and, where the total `all` is known, its share. */
export const shareTable = (
  { language }: Staff,
  {
    title,
    heads,
    shares,
    all,
  }: { title: string; heads: [string, string]; shares: readonly Share[]; all?: number },
): Html => {
  const most = Math.max(1, ...shares.map(({ value }) => value));
  return html`<table class="data-table shares" aria-label="${title}">
    <thead>
      <tr>
        <th scope="col">${heads[0]}</th>
        <th scope="col" class="number">${heads[1]}</th>
      </tr>
    </thead>
    <tbody>
      ${shares.map(
        ({ name, value }) =>
          html`<tr>
            <th scope="row">
              ${name}
              <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width="${round((value / most) * 100)}" height="1" />
              </svg>
            </th>
            <td class="number">
              ${numberText(language, value)}
              ${all ? html`<span class="soft">${percentText(language, value / all)}</span>` : null}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
};
