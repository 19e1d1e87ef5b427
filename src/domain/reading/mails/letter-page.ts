// Serves the page of the monthly letter: the figures of a month, and whether they are sent.

import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { view } from "../../people/users/pages/framed.ts";
import { askedAsMember, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo } from "../../people/users/pages/components.ts";
import { chooseMails } from "./choose.ts";
import { FIGURE_TEXT, figureText, postPath, readLetter } from "./letter.ts";
import { wantsMail } from "./kinds.ts";
import { addMonths, isMonth, monthAt, monthText } from "./month.ts";
import type { Month } from "./month.ts";
import { selectAddressee } from "./queries.ts";

const PATH = "/settings/letter";
const DONE = { on: "letter.done_on", off: "letter.done_off" } as const;
const MAX_TEXT = 300;

/** Returns the month that is named, or the last whole one; none that has not begun. */
const monthOf = ({ request }: PageContext, current: Month): Month => {
  const { month = "" } = readTexts(request.query);
  return isMonth(month) && month <= current ? month : addMonths(current, -1);
};

const show = async (context: PageContext) => {
  const { app, reply, who, t, language } = context;
  const { settings, time_zone: zone } = (await selectAddressee(app.sql, who.userId))!;
  const current = monthAt(app.clock.now(), zone);
  const month = monthOf(context, current);
  const { figures, top } = await readLetter(app, { accountId: who.accountId, zone, month });
  const named = (id: Month) => ({ id, name: monthText(id, language) });
  return sendSettings(reply, {
    title: t("letter.title"),
    done: DONE,
    view: view("letter", {
      email: who.email,
      isOn: wantsMail(settings, "letter"),
      month: named(month),
      earlier: named(addMonths(month, -1)),
      later: month < current ? named(addMonths(month, 1)) : null,
      figures: figures.map((figure) => ({
        label: FIGURE_TEXT[figure.name],
        text: figureText(context, figure),
      })),
      top: top && { path: postPath(who.username, top), text: shorten(top.text, MAX_TEXT) },
    }),
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
