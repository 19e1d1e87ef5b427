// Writes mails about somebody's account: a greeting, what happened, what to do.

import type { App } from "../../../platform/app.ts";
import { renderMail } from "../../../platform/mail/render.ts";
import type { Link } from "../../../platform/mail/render.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Texts } from "../../../platform/text/texts.ts";

type PersonMail = { title: string; name: string; text: string[]; button?: Link; after?: string };

export const personMail = (
  app: App,
  { language, t }: Texts,
  { title, name, text, button, after }: PersonMail,
) =>
  renderMail({
    language,
    from: app.config.site.localDomain,
    title,
    paragraphs: [t("mail.hello", { name }), ...text],
    ...(button && { button }),
    ...(after && { after: [after] }),
  });

type LinkKind = "confirm" | "reset" | "new_address";

/** Makes a mail with a link that only its reader may open; `url` is that of the link. */
export const linkMail = (
  app: App,
  { username, locale }: { username: string; locale: string },
  kind: LinkKind,
  { url, ...values }: { url: string; days?: number; hours?: number },
) => {
  const texts = textsIn(locale);
  const say = (part: "subject" | "title" | "text" | "button" | "after") =>
    texts.t(`mail.${kind}.${part}`, { site: app.config.site.localDomain, ...values });
  return {
    subject: say("subject"),
    ...personMail(app, texts, {
      title: say("title"),
      name: username,
      text: [say("text")],
      button: { label: say("button"), url },
      after: say("after"),
    }),
  };
};
