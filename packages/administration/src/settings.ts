// The commands `rookery settings …`; the database notifies the server of a change, so it takes effect at once.

import {
  COMMAND_LINE,
  ConfigError,
  DEFINITIONS,
  PICTURE_KINDS,
  SITE_PICTURE_BYTES,
  allSettings,
  changeSettings,
  definitionOf,
  englishOf,
  getSettings,
  openingConcerns,
  readText,
  removeSitePicture,
  requireDataDir,
  setSitePicture,
  valueOf,
  withApp,
} from "./uses.ts";
import type { PictureKind, PublicName } from "./uses.ts";
import { readPicture } from "./read-picture.ts";

const MODES = { open: "open", approved: "approved", close: "closed", closed: "closed" } as const;

export const setRegistrations = (word: string): Promise<void> => {
  const mode = Object.hasOwn(MODES, word) ? MODES[word as keyof typeof MODES] : null;
  if (!mode) throw new ConfigError(`Registrations can be open, approved or closed, not "${word}".`);
  return withApp(async (app) => {
    for (const concern of await openingConcerns(app, mode)) console.error(englishOf(concern));
    await changeSettings(app, COMMAND_LINE, { registrations: mode });
    console.log("OK");
  });
};

const shown = (name: string, value: unknown): string =>
  value === undefined ? "" : definitionOf(name).show(value);

export const listSettings = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const values = (await allSettings(app)) as Record<string, unknown>;
    if (json) {
      const shownOnes = Object.keys(DEFINITIONS).map((name) => [name, shown(name, values[name])]);
      return console.log(JSON.stringify(Object.fromEntries(shownOnes), null, 2));
    }
    for (const [name, { help }] of Object.entries(DEFINITIONS)) {
      const { text, origin, variable } = valueOf(name as PublicName, values, app.config);
      const line = text.replaceAll("\n", " ").slice(0, 100);
      const from = { set: "set", environment: variable, default: "default" }[origin];
      console.log(`${name}: ${line && `${line} `}(${from})\n    ${help}`);
    }
  });

/** Prints a setting, and nothing if it has its default. */
export const printSetting = (name: string): Promise<void> => {
  definitionOf(name);
  return withApp(async (app) => {
    const values = await getSettings(app, [name as PublicName]);
    const text = shown(name, values[name as PublicName]);
    if (text !== "") console.log(text);
  });
};

/** Changes a setting; without value and file it gets its default. */
export const changeSetting = async (
  name: string,
  value: string | undefined,
  { file }: { file?: string },
): Promise<void> => {
  definitionOf(name);
  const text = file === undefined ? value : await readText(file);
  return withApp(async (app) => {
    await changeSettings(app, COMMAND_LINE, { [name]: text ?? "" });
    console.log("OK");
  });
};

const kindOf = (word: string): PictureKind => {
  const kind = PICTURE_KINDS.find((kind) => kind === word);
  if (!kind) throw new ConfigError(`There are banner, icon and logo, not "${word}".`);
  return kind;
};

/** Changes a picture; without a file it becomes the built-in one. */
export const changePicture = async (
  word: string,
  file: string | undefined,
  { remove = false }: { remove?: boolean },
): Promise<void> => {
  const kind = kindOf(word);
  if ((file === undefined) !== remove) throw new ConfigError("Give either a file or --remove.");
  const bytes = file === undefined ? null : await readPicture(file, SITE_PICTURE_BYTES);
  return withApp(async (app) => {
    requireDataDir(app.config);
    await (bytes
      ? setSitePicture(app, COMMAND_LINE, kind, bytes)
      : removeSitePicture(app, COMMAND_LINE, kind));
    console.log("OK");
  });
};
