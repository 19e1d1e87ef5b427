// The first page of the staff: what waits, and the figures of the last thirty days.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { dimension } from "../../domain/measures/dimensions.ts";
import { measure } from "../../domain/measures/measures.ts";
import { readPeriod } from "../../domain/measures/period.ts";
import { eachKey } from "../../domain/measures/quickly.ts";
import { may } from "../../domain/moderation/acts.ts";
import { noMailNotice } from "./no-mail.ts";
import { sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { selectWaiting } from "./queries.ts";
import type { Waiting } from "./queries.ts";
import { ANY, SECTIONS } from "./sections.ts";

const NUMBER = new Intl.NumberFormat("en-GB");
const shown = (value: string): string => NUMBER.format(BigInt(value));

type Figure = NonNullable<Awaited<ReturnType<typeof measure>>>;

const NAMES: Record<string, string> = {
  new_users: "new accounts",
  active_users: "people active",
  interactions: "interactions",
  opened_reports: "reports",
  resolved_reports: "reports resolved",
};

const bars = (data: Figure["data"]): Html => {
  const values = data.map(({ value }) => Number(value));
  const most = Math.max(1, ...values);
  return html`<svg
    class="spark"
    viewBox="0 0 ${values.length * 4} 20"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${values.map((value, n) => {
      const height = (20 * value) / most;
      return html`<rect x="${n * 4}" y="${20 - height}" width="3" height="${height}" />`;
    })}
  </svg>`;
};

const tile = (figure: Figure): Html =>
  html`<li>
    <strong>${shown(figure.total)}</strong>
    <span>${NAMES[figure.key]}</span>
    <span>${shown(figure.previous_total ?? "0")} in the 30 days before</span>
    ${bars(figure.data)}
  </li>`;

const readFigures = (app: App): Promise<Figure[]> => {
  const period = readPeriod(undefined, undefined, app.clock.now());
  return eachKey(app, Object.keys(NAMES), (db, key) =>
    measure(app, db, key, { period, subject: undefined }),
  );
};

const readMachine = async (app: App): Promise<[string, string][]> => {
  const period = readPeriod(undefined, undefined, app.clock.now());
  const measured = await eachKey(app, ["software_versions", "space_usage"], (db, key) =>
    dimension(app, db, key, { period, limit: 10, subject: undefined }),
  );
  return measured.flatMap(({ data }) =>
    data.map((part): [string, string] => [
      part.unit === "bytes" ? `Space used by ${part.human_key}` : part.human_key,
      part.human_value ?? part.value,
    ]),
  );
};

const figuresPart = async (app: App): Promise<Html> => {
  const [figures, machine] = await Promise.all([readFigures(app), readMachine(app)]);
  return html`<h2>The last 30 days</h2>
    <ul class="tiles">
      ${figures.map(tile)}
    </ul>
    <h2>This server</h2>
    <dl class="details-list">
      ${machine.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>`;
};

const waitingPart = ({ actor, t }: Staff, waiting: Waiting): Html => {
  const mine = SECTIONS.flatMap(({ counts, ...section }) =>
    counts && section.acts.some((act) => may(actor, act)) ? [{ counts, ...section }] : [],
  );
  return html`<ul class="tiles">
    ${mine.map(
      ({ path, label, counts }) =>
        html`<li class="${waiting[counts] > 0 ? "wants" : ""}">
          <a href="${path}"
            ><strong>${waiting[counts]}</strong
            ><span>${t("network.to_decide", { what: t(label) })}</span></a
          >
        </li>`,
    )}
  </ul>`;
};

const show = async (context: Staff) => {
  const { app, actor } = context;
  return sendAdmin(context, {
    title: "Overview",
    body: html`${await noMailNotice(context)} ${waitingPart(context, await selectWaiting(app.sql))}
    ${may(actor, "figures.read") && (await figuresPart(app))}`,
  });
};

export const overviewPages = (pages: Server, app: App): void => {
  pages.get("/admin", staffPage(app, ANY, show));
};
