// Serves the page of the monthly letter: the figures of a month, and whether they are sent.

import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { formField } from "../../people/users/pages/cookies.ts";
import { askedAsMember, doneNote, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo } from "../../people/users/pages/components.ts";
import { chooseMails } from "./choose.ts";
import { FIGURE_TEXT, figureText, postPath, readLetter } from "./letter.ts";
import type { Letter } from "./letter.ts";
import { wantsMail } from "./kinds.ts";
import { addMonths, isMonth, monthAt, monthText } from "./month.ts";
import type { Month } from "./month.ts";
import { selectAddressee } from "./queries.ts";

const PATH = "/settings/letter";
const DONE = { on: "letter.done_on", off: "letter.done_off" } as const;
const MAX_TEXT = 300;

const figureList = (context: PageContext, { figures, top }: Letter): Html =>
  html`<ul class="rows">
    ${figures.map(
      (figure) =>
        html`<li>
          <div class="what">
            <strong>${context.t(FIGURE_TEXT[figure.name])}</strong>
            <span>${figureText(context, figure)}</span>
          </div>
        </li>`,
    )}
    ${
      top &&
      html`<li>
        <div class="what">
          <strong
            ><a href="${postPath(context.who.username, top)}"
              >${context.t("mail.letter.top")}</a
            ></strong
          >
          <span dir="auto">${shorten(top.text, MAX_TEXT)}</span>
        </div>
      </li>`
    }
  </ul>`;

const monthLinks = ({ t, language }: PageContext, month: Month, last: Month): Html => {
  const link = (to: Month) => html`<a href="${PATH}?month=${to}">${monthText(to, language)}</a>`;
  return html`<p class="actions">
    <span>${t("letter.earlier")} ${link(addMonths(month, -1))}</span>
    ${month < last && html`<span>${t("letter.later")} ${link(addMonths(month, 1))}</span>`}
  </p>`;
};

const choice = ({ app, request, reply, t }: PageContext, isOn: boolean): Html =>
  html`<form method="post" action="${PATH}">
    ${formField(app, request, reply)}
    <input type="hidden" name="letter" value="${isOn ? "0" : "1"}" />
    <button class="button ${isOn && "plain"}">${t(isOn ? "letter.off" : "letter.on")}</button>
  </form>`;

/** Returns the month that is named, or the last whole one; none that has not begun. */
const monthOf = ({ request }: PageContext, current: Month): Month => {
  const { month = "" } = readTexts(request.query);
  return isMonth(month) && month <= current ? month : addMonths(current, -1);
};

const show = async (context: PageContext) => {
  const { app, request, reply, who, t, language } = context;
  const { settings, time_zone: zone } = (await selectAddressee(app.sql, who.userId))!;
  const current = monthAt(app.clock.now(), zone);
  const month = monthOf(context, current);
  const letter = await readLetter(app, { accountId: who.accountId, zone, month });
  return sendSettings(reply, {
    title: t("letter.title"),
    body: html`${doneNote(request, DONE)}
      <p>${t("letter.about", { email: who.email })}</p>
      ${choice(context, wantsMail(settings, "letter"))}
      <h2>${monthText(month, language)}</h2>
      ${figureList(context, letter)} ${monthLinks(context, month, current)}
      <p class="soft small">${t("letter.how")}</p>`,
  });
};

const choose = async ({ app, request, reply, who }: PageContext) => {
  const letter = readTexts(request.body)["letter"] === "1";
  await chooseMails(app, who.userId, { letter });
  return goTo(reply, `${PATH}?done=${letter ? "on" : "off"}`);
};

export const letterPages = (pages: Server, app: App): void => {
  const page = askedAsMember(app);
  pages.get(PATH, page(show));
  pages.post(PATH, page(choose));
};
