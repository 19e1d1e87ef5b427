// The shape of the mails about somebody's account: a greeting, what happened, what to do.

import type { App } from "../../platform/app.ts";
import { renderMail } from "../../platform/mail/render.ts";
import type { Link } from "../../platform/mail/render.ts";
import { fill } from "../../platform/text/locale.ts";
import { mailTextsIn } from "./mail-texts/texts.ts";
import type { LocalMailTexts } from "./mail-texts/texts.ts";

type PersonMail = { title: string; name: string; text: string[]; button?: Link; after?: string };

export const personMail = (
  app: App,
  { language, words }: LocalMailTexts,
  { title, name, text, button, after }: PersonMail,
) =>
  renderMail({
    language,
    from: app.config.site.localDomain,
    title,
    paragraphs: [fill(words.hello, { name }), ...text],
    ...(button && { button }),
    ...(after && { after: [after] }),
  });

export type LinkKind = "confirm" | "reset" | "newAddress";

/** A mail with a link that only its reader may open, with its subject. `url`: of the link. */
export const linkMail = (
  app: App,
  { username, locale }: { username: string; locale: string },
  kind: LinkKind,
  { url, ...values }: { url: string; days?: number; hours?: number },
) => {
  const texts = mailTextsIn(locale);
  const { subject, title, text, button, after } = texts.words[kind];
  const said = (words: string) => fill(words, { site: app.config.site.localDomain, ...values });
  return {
    subject: said(subject),
    ...personMail(app, texts, {
      title,
      name: username,
      text: [said(text)],
      button: { label: button, url },
      after: said(after),
    }),
  };
};
