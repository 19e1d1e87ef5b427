// Messages of the catalogue: `t("post.replies", { count: 3 })`. A message is a text, or, where a number decides, one for
// each plural form of the language. A language that lacks a message falls back to English.

export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Messages<Key extends string = string> = Partial<Record<Key, Message>>;
export type Values = Readonly<Record<string, string | number>>;
export type Translate<Key extends string = string> = (key: Key, values?: Values) => string;

/** `{name}` becomes the value of that name. */
const fill = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );

type Rules = { plural: Intl.PluralRules; number: Intl.NumberFormat };

const rules = new Map<string, Rules>();

/** Made once for a language: the server would make them for every page. */
const rulesOf = (language: string): Rules => {
  const known = rules.get(language);
  if (known) return known;
  const made = { plural: new Intl.PluralRules(language), number: new Intl.NumberFormat(language) };
  rules.set(language, made);
  return made;
};

/** Numbers are written as the language does: give one as a text where it is no number to read. */
const shown = (values: Values, number: Intl.NumberFormat): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" ? number.format(value) : value,
    ]),
  );

/** `own`: the messages of the language. `english`: all of them. */
export const translator =
  <Key extends string>(
    language: string,
    own: Messages<Key>,
    english: Record<Key, Message>,
  ): Translate<Key> =>
  (key, values = {}) => {
    const message = own[key];
    const { plural, number } = rulesOf(message === undefined ? "en" : language);
    const found: Message = message ?? english[key];
    const form = typeof found === "string" ? null : plural.select(Number(values["count"] ?? 0));
    const text = typeof found === "string" ? found : (found[form!] ?? found.other ?? "");
    return fill(text, shown(values, number));
  };
