// The shape of the mails about somebody's account: a greeting, what happened, what to do.

import type { App } from "../../platform/app.ts";
import { writeLetter } from "../../platform/mail/letter.ts";
import type { Link } from "../../platform/mail/letter.ts";
import { fill } from "../../platform/text/locale.ts";
import { lettersIn } from "./letters/words.ts";
import type { LetterIn } from "./letters/words.ts";

type PersonLetter = { title: string; name: string; text: string[]; button?: Link; after?: string };

export const personLetter = (
  app: App,
  { language, words }: LetterIn,
  { title, name, text, button, after }: PersonLetter,
) =>
  writeLetter({
    language,
    from: app.config.site.localDomain,
    title,
    paragraphs: [fill(words.hello, { name }), ...text],
    ...(button && { button }),
    ...(after && { after: [after] }),
  });

export type LinkKind = "confirm" | "reset" | "newAddress";

/** A mail with a link that only its reader may open, with its subject. `url`: of the link. */
export const linkLetter = (
  app: App,
  { username, locale }: { username: string; locale: string },
  kind: LinkKind,
  { url, ...values }: { url: string; days?: number; hours?: number },
) => {
  const letters = lettersIn(locale);
  const { subject, title, text, button, after } = letters.words[kind];
  const said = (words: string) => fill(words, { site: app.config.site.localDomain, ...values });
  return {
    subject: said(subject),
    ...personLetter(app, letters, {
      title,
      name: username,
      text: [said(text)],
      button: { label: button, url },
      after: said(after),
    }),
  };
};
