// The commands `rookery emojis …`; every change reaches the running server.

import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import {
  COMMAND_LINE,
  ConfigError,
  OWN_EMOJI_LIMITS,
  changeEmojis,
  copyEmojis,
  createEmoji,
  everyEmoji,
  importEmojis,
  makeFolder,
  requireDataDir,
  withApp,
} from "./uses.ts";
import { printRows } from "./print.ts";
import { readPicture } from "./read-picture.ts";

export type AddOptions = { category?: string; unlisted?: boolean; overwrite?: boolean };
export type ImportOptions = AddOptions & { prefix: string; suffix: string };

/** Turns `:blob:` into blob. */
const bare = (shortcode: string): string => shortcode.replace(/^:|:$/g, "");

export const addCommand = async (
  shortcode: string,
  path: string,
  { category, unlisted = false, overwrite = false }: AddOptions,
): Promise<void> => {
  const bytes = await readPicture(path, OWN_EMOJI_LIMITS.bytes);
  const emoji = { shortcode: bare(shortcode), bytes, category, visible: !unlisted };
  return withApp(async (app) => {
    requireDataDir(app.config);
    await createEmoji(app, COMMAND_LINE, emoji, overwrite);
    console.log("OK");
  });
};

export const importCommand = (path: string, options: ImportOptions): Promise<void> =>
  withApp(async (app) => {
    requireDataDir(app.config);
    const { prefix, suffix, category, unlisted = false, overwrite = false } = options;
    const settings = { prefix, suffix, category, visible: !unlisted, overwrite };
    const file = { path, name: basename(path) };
    const { added, skipped, failed } = await importEmojis(app, COMMAND_LINE, file, settings);
    for (const { name, why } of failed) console.error(`${name}: ${why}`);
    const parts = [`added ${added}`, `skipped ${skipped}`, `failed ${failed.length}`];
    console.log(parts.join(", "));
    if (failed.length > 0) process.exitCode = 1;
  });

export const copyCommand = (
  domain: string,
  shortcodes: string[],
  { category }: Pick<AddOptions, "category">,
): Promise<void> =>
  withApp(async (app) => {
    requireDataDir(app.config);
    const { added, skipped, failed } = await copyEmojis(app, COMMAND_LINE, {
      domain: domain.toLowerCase(),
      shortcodes: shortcodes.map(bare),
      category: category?.trim() || null,
    });
    if (added + skipped + failed.length === 0) {
      throw new ConfigError(`No such emoji of ${domain} is known here.`);
    }
    for (const { name, why } of failed) console.error(`${name} ${why}`);
    console.log([`added ${added}`, `skipped ${skipped}`, `failed ${failed.length}`].join(", "));
    if (failed.length > 0) process.exitCode = 1;
  });

export const listCommand = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await everyEmoji(app), json, (emoji) => {
      const { shortcode, category, disabled, visible_in_picker: visible } = emoji;
      const state = disabled ? "disabled" : visible ? "" : "unlisted";
      return [`:${shortcode}:`, category ?? "", state].join("\t").trimEnd();
    }),
  );

export const disableCommand = (disabled: boolean, shortcode: string): Promise<void> =>
  withApp(async (app) => {
    await changeEmojis(app, COMMAND_LINE, [bare(shortcode)], { disabled });
    console.log("OK");
  });

export const categoryCommand = (shortcode: string, category: string | undefined): Promise<void> =>
  withApp(async (app) => {
    await changeEmojis(app, COMMAND_LINE, [bare(shortcode)], {
      category: category?.trim() || null,
    });
    console.log("OK");
  });

export const removeCommand = (shortcodes: string[]): Promise<void> =>
  withApp(async (app) => {
    await changeEmojis(app, COMMAND_LINE, shortcodes.map(bare), "delete");
    console.log("OK");
  });

/** Exports emojis in the form that import takes: the file names are the shortcodes. */
export const exportCommand = (folder: string): Promise<void> =>
  withApp(async (app) => {
    await makeFolder(folder).catch(() => {
      throw new ConfigError(`${folder} is no folder that can be written to.`);
    });
    const emojis = await everyEmoji(app);
    for (const { shortcode, file_key: key } of emojis) {
      const file = await app.storage.open(key);
      if (!file) throw new ConfigError(`The file of :${shortcode}: is missing.`);
      await writeFile(join(folder, `${shortcode}${extname(key)}`), file.stream);
    }
    console.log(`${emojis.length} emojis written to ${folder}`);
  });
