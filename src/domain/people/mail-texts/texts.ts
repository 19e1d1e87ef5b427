// What mails to people about their accounts say, in the languages of those who get them. `{site}`: the server, `{name}`:
// whose account it is, `{address}`: of a page, `{count}`, `{days}`, `{hours}`: numbers, `{decision}`: its title.

import { textsIn } from "../../../platform/text/locale.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import type { MailTexts } from "./shape.ts";

const LANGUAGES: Record<string, MailTexts> = { en, de, es, fr, it, ja, nl, pl, pt };

export const MAIL_LANGUAGES = Object.keys(LANGUAGES);

export type LocalMailTexts = { language: string; words: MailTexts };

export const mailTextsIn = (locale = "en"): LocalMailTexts => textsIn(LANGUAGES, en, locale);
