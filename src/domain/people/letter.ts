// The shape of the mails about somebody's account: a greeting, what happened, what to do.

import type { App } from "../../platform/app.ts";
import { writeLetter } from "../../platform/mail/letter.ts";
import type { Link } from "../../platform/mail/letter.ts";

type PersonLetter = { title: string; name: string; text: string[]; button?: Link; after?: string };

export const personLetter = (app: App, { title, name, text, button, after }: PersonLetter) =>
  writeLetter({
    language: "en",
    from: app.config.site.localDomain,
    title,
    paragraphs: [`Hello ${name},`, ...text],
    ...(button && { button }),
    ...(after && { after: [after] }),
  });
