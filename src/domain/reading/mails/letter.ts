// Sends the letter of the month (what somebody wrote and the reactions to it), for that person alone, to those who want
// it. Months are those of the person's time zone.

import type { App } from "../../../platform/app.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import { numberText } from "../../../platform/text/figures.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Key, Texts } from "../../../platform/text/texts.ts";
import { shorten } from "../../../platform/text/cut.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import "./events.ts";
import { addMonths, monthAt, monthText, startOf } from "./month.ts";
import type { Month } from "./month.ts";
import {
  claimLetters,
  selectNewFollowers,
  selectPostFigures,
  selectTopPost,
} from "./queries-letter.ts";
import type { PostFigures, TopPost } from "./queries-letter.ts";
import { findAddressee, makeMail, sendCounted } from "./send.ts";
import type { Addressee } from "./send.ts";

const BATCH = 200;
const MAX_TEXT = 1000;

type Name = Exclude<keyof PostFigures, "is_before"> | "followers";
export type Figure = { name: Name; value: number; before: number };

export const FIGURE_TEXT = {
  posts: "mail.letter.posts",
  replies: "mail.letter.replies",
  boosts: "mail.letter.boosts",
  favourites_received: "mail.letter.favourites_received",
  boosts_received: "mail.letter.boosts_received",
  replies_received: "mail.letter.replies_received",
  followers: "mail.letter.followers",
} as const satisfies Record<Name, Key>;

const OF_POSTS = [
  "posts",
  "replies",
  "boosts",
  "favourites_received",
  "boosts_received",
  "replies_received",
] as const satisfies Name[];

export type Letter = { figures: Figure[]; top: TopPost | null };

/** Reads the contents of a month's letter, by three queries. */
export const readLetter = async (
  app: App,
  { accountId, zone, month }: { accountId: string; zone: string | null; month: Month },
): Promise<Letter> => {
  const idOf = (each: Month) => idAt(startOf(each, zone));
  const range = {
    before: idOf(addMonths(month, -1)),
    from: idOf(month),
    to: idOf(addMonths(month, 1)),
  };
  const [rows, followers, top] = await Promise.all([
    selectPostFigures(app.sql, accountId, range),
    selectNewFollowers(app.sql, accountId, range),
    selectTopPost(app.sql, accountId, range),
  ]);
  const [now, before] = [false, true].map((is) => rows.find(({ is_before }) => is_before === is));
  const figures = OF_POSTS.map((name) => ({
    name,
    value: now?.[name] ?? 0,
    before: before?.[name] ?? 0,
  }));
  return {
    figures: [...figures, { name: "followers", value: followers.now, before: followers.before }],
    top,
  };
};

/** Adds the month before, where either had any. */
export const figureText = ({ t, language }: Texts, { value, before }: Figure): string =>
  t("mail.letter.before", {
    value: numberText(language, value),
    before: numberText(language, before),
  });

/**
 * Handles the job `mail.letters`, every day at noon: by then the month before is over everywhere on the earth. People
 * who are claimed get a job in the same transaction, once a month.
 */
export const enqueueLetters = async (app: App): Promise<void> => {
  const month = addMonths(monthAt(addDays(app.clock.now(), -0.5), null), -1);
  await app.sql.begin(async (tx) => {
    const ids = await claimLetters(tx, { day: `${month}-01`, limit: BATCH });
    if (ids.length === 0) return;
    const jobs = ids.map((userId) => ({
      payload: { userId, month },
      key: `letter:${userId}:${month}`,
    }));
    await app.jobs.addMany(tx, "mail.letter", jobs);
    if (ids.length === BATCH) await app.jobs.add(tx, "mail.letters", {});
  });
};

export const postPath = (username: string, { id }: TopPost): string => `/@${username}/${id}`;

const mailOf = (app: App, addressee: Addressee, month: Month, { figures, top }: Letter) => {
  const texts = textsIn(addressee.locale);
  const { t, language } = texts;
  const { localDomain: site, origin } = app.config.site;
  const lines = figures.map((figure) =>
    t("words.pair", { name: t(FIGURE_TEXT[figure.name]), value: figureText(texts, figure) }),
  );
  const quotation = top && {
    name: t("mail.letter.top"),
    text: [shorten(top.text, MAX_TEXT), `${origin}${postPath(addressee.username, top)}`]
      .filter(Boolean)
      .join("\n"),
  };
  return makeMail(app, addressee, "letter", {
    message: `letter.${addressee.user_id}.${month}`,
    title: t("mail.letter.title", { month: monthText(month, language), site }),
    paragraphs: [lines.join("\n"), t("mail.letter.only_you")],
    ...(quotation && { quotations: [quotation] }),
    button: { label: t("mail.letter.open"), url: `${origin}/settings/letter?month=${month}` },
  });
};

/**
 * Handles the job `mail.letter`. Sends nothing to people who do not want it any more, nor for a month without anything.
 */
export const sendLetter: JobHandler<"mail.letter"> = async (app, { userId, month }) => {
  const addressee = await findAddressee(app, userId, "letter");
  if (!addressee) return;
  const { account_id: accountId, time_zone: zone } = addressee;
  const letter = await readLetter(app, { accountId, zone, month });
  if (letter.figures.every(({ value }) => value === 0)) return;
  await sendCounted(app, userId, mailOf(app, addressee, month, letter));
};
