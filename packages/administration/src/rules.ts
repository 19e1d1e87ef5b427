// The commands `rookery rules …`.

import {
  COMMAND_LINE,
  ConfigError,
  createRule,
  currentRules,
  deleteRule,
  normaliseLanguage,
  translateRuleAs,
  withApp,
} from "./uses.ts";
import { printRows } from "./print.ts";

export const listRules = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await currentRules(app), json, ({ id, text, hint, translations }) => {
      const languages = Object.keys(translations).join(", ");
      return `${id}\t${text}${hint && ` (${hint})`}${languages && ` [${languages}]`}`;
    }),
  );

export const addRuleCommand = (text: string, { hint }: { hint: string }): Promise<void> => {
  if (text.trim() === "") throw new ConfigError("A rule cannot be empty.");
  return withApp(async (app) => console.log(await createRule(app, COMMAND_LINE, { text, hint })));
};

export const translateCommand = (
  id: string,
  language: string,
  text: string,
  { hint }: { hint: string },
): Promise<void> => {
  const code = normaliseLanguage(language);
  if (!code) throw new ConfigError(`"${language}" is not a known language.`);
  return withApp(async (app) => {
    await translateRuleAs(app, COMMAND_LINE, id, { language: code, text, hint });
    console.log("OK");
  });
};

export const removeRuleCommand = (id: string): Promise<void> =>
  withApp(async (app) => {
    await deleteRule(app, COMMAND_LINE, id);
    console.log("OK");
  });
