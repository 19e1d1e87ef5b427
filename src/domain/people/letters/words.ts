// What mails to people about their accounts say, in the languages of those who get them. `{site}`: the server, `{name}`:
// whose account it is, `{address}`: of a page, `{count}`, `{days}`, `{hours}`: numbers, `{decision}`: its title.

import { textsIn } from "../../../platform/text/locale.ts";
import type { SecurityEvent } from "../events.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";

type Told = { title: string; text: string };
/** `subject`: where the name of the server tells mails of several servers apart. */
type Link = Told & { subject: string; button: string; after: string };

/** What moderators decide about an account. */
type Decided =
  | "none"
  | "disable"
  | "mark_statuses_as_sensitive"
  | "delete_statuses"
  | "sensitive"
  | "silence"
  | "suspend";

export type LetterWords = {
  hello: string;
  confirm: Link;
  reset: Link;
  newAddress: Link;
  approved: Told & { button: string };
  rejected: Told;
  security: Record<SecurityEvent, Told>;
  notYou: { question: string; button: string; after: string };
  /** Where the account is gone. */
  notYouGone: string;
  decisions: Record<Decided, Told>;
  decision: { named: string; posts: string; button: string; appeal: string };
  appealFiled: { title: string; button: string };
  appealAccepted: Told;
  appealRejected: Told;
  archive: Told & { button: string };
};

const LANGUAGES: Record<string, LetterWords> = { en, de, es, fr, it, ja, nl, pl, pt };

export const LETTER_LANGUAGES = Object.keys(LANGUAGES);

export type LetterIn = { language: string; words: LetterWords };

export const lettersIn = (locale = "en"): LetterIn => textsIn(LANGUAGES, en, locale);
