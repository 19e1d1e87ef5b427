// Sends mails about somebody's account, in their language: a greeting, what happened, what to do.

import type { App } from "../../../platform/app.ts";
import { renderMail } from "../../../platform/mail/render.ts";
import type { Link } from "../../../platform/mail/render.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Say, Texts } from "../../../platform/text/texts.ts";

/** The subject is the title, unless there is another. */
type PersonMail = {
  subject?: string;
  title: string;
  text: string[];
  button?: Link;
  after?: string;
};

type Addressee = { email: string; username: string; locale?: string | undefined };

export const mailPerson = (
  app: App,
  { email, username: name, locale }: Addressee,
  write: (t: Say, texts: Texts) => PersonMail,
): Promise<void> => {
  const texts = textsIn(locale);
  const { t, language } = texts;
  const { title, subject = title, text, button, after } = write(t, texts);
  const mail = renderMail({
    language,
    from: app.config.site.localDomain,
    title,
    paragraphs: [t("mail.hello", { name }), ...text],
    ...(button && { button }),
    ...(after && { after: [after] }),
  });
  return app.mail.send({ to: email, subject, ...mail });
};

type LinkKind = "confirm" | "reset" | "new_address";

/** Sends a link that only the reader may open; `url` is that of the link. */
export const mailLink = (
  app: App,
  user: Addressee,
  kind: LinkKind,
  { url, ...values }: { url: string; days?: number; hours?: number },
): Promise<void> =>
  mailPerson(app, user, (t) => {
    const say = (part: "subject" | "title" | "text" | "button" | "after") =>
      t(`mail.${kind}.${part}`, { site: app.config.site.localDomain, ...values });
    return {
      subject: say("subject"),
      title: say("title"),
      text: [say("text")],
      button: { label: say("button"), url },
      after: say("after"),
    };
  });
