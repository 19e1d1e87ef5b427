// Serves the page of the monthly letter: the figures of a month, and whether they are sent.

import type { Row } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { askedAsMember } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { formOf } from "../../people/users/pages/fields.ts";
import { goTo, sendServed } from "../../people/users/pages/components.ts";
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

/** Months of which there are letters: from that in which the account was made to the present one. */
type Span = { first: Month; current: Month };

const spanOf = async ({ app, who }: PageContext, zone: string | null): Promise<Span> => {
  const current = monthAt(app.clock.now(), zone);
  const begun = monthAt((await getAccount(app, who.accountId)).created_at, zone);
  return { first: begun < current ? begun : current, current };
};

/** Returns the month that is named, or else the last whole one. */
const monthOf = ({ request }: PageContext, { first, current }: Span): Month => {
  const { month = "" } = readTexts(request.query);
  if (isMonth(month) && first <= month && month <= current) return month;
  const last = addMonths(current, -1);
  return last < first ? first : last;
};

const rowsOf = (context: PageContext, { figures, top }: Letter): Row[] => {
  const rows = figures.map((figure): Row => ({
    title: { say: FIGURE_TEXT[figure.name] },
    lines: [figureText(context, figure)],
  }));
  const link = top && postPath(context.who.username, top);
  if (link)
    rows.push({
      title: { link, text: { say: "mail.letter.top" } },
      lines: [{ isolated: shorten(top.text, MAX_TEXT) }],
    });
  return rows;
};

const show = async (context: PageContext) => {
  const { app, who, language } = context;
  const { settings, time_zone: zone } = (await selectAddressee(app.sql, who.userId))!;
  const span = await spanOf(context, zone);
  const month = monthOf(context, span);
  const letter = await readLetter(app, { accountId: who.accountId, zone, month });
  const isOn = wantsMail(settings, "letter");
  const link = (to: Month) => ({ link: `${PATH}?month=${to}`, text: monthText(to, language) });
  return sendServed(context, {
    title: "letter.title",
    done: DONE,
    parts: [
      { text: { say: "letter.about", values: { email: who.email } } },
      formOf(PATH, isOn ? "letter.off" : "letter.on", [], {
        hidden: { letter: isOn ? "0" : "1" },
        kind: isOn ? "plain" : "",
      }),
      { heading: { plain: monthText(month, language) } },
      { rows: rowsOf(context, letter) },
      {
        links: [
          month > span.first && [{ say: "letter.earlier" }, link(addMonths(month, -1))],
          month < span.current && [{ say: "letter.later" }, link(addMonths(month, 1))],
        ],
        kind: "count-line",
      },
      { text: { say: "letter.how" }, kind: "soft small" },
    ],
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
