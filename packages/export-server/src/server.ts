// Exports what belongs to the server itself: its lists, rules, terms and settings, its emojis, and its people.

import { extname } from "node:path";
import {
  DEFINITIONS,
  addStored,
  allDomainAllows,
  allDomainBlocks,
  allEmailDomainBlocks,
  allIpBlocks,
  allSettings,
  allTerms,
  currentRules,
  everyEmoji,
  jsonLines,
  jsonText,
  writeCsv,
  writeDomainCsv,
} from "./uses.ts";
import type { App, Sink } from "./uses.ts";
import { PAGE, selectMemberRows } from "./queries.ts";

const addLists = async (app: App, sink: Sink): Promise<void> => {
  await sink.text("domain_blocks.csv", [writeDomainCsv(await allDomainBlocks(app))]);
  const allows = (await allDomainAllows(app)).map(({ domain }) => [domain]);
  await sink.text("domain_allows.csv", [writeCsv([["#domain"], ...allows])]);
  const providers = (await allEmailDomainBlocks(app)).map((row) => [
    row.domain,
    String(row.allow_with_approval),
  ]);
  await sink.text("email_domain_blocks.csv", [
    writeCsv([["#domain", "#allow_with_approval"], ...providers]),
  ]);
  const networks = (await allIpBlocks(app)).map((row) => [
    row.ip,
    row.severity,
    row.comment,
    row.expires_at?.toISOString() ?? "",
  ]);
  const headings = ["#network", "#severity", "#comment", "#expires_at"];
  await sink.text("ip_blocks.csv", [writeCsv([headings, ...networks])]);
};

/** Returns the settings that `rookery settings` knows; none of them is secret. */
const settingsOf = async (app: App): Promise<Record<string, unknown>> => {
  const values = (await allSettings(app)) as Record<string, unknown>;
  const names = Object.keys(DEFINITIONS).filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
};

const addTexts = async (app: App, sink: Sink): Promise<void> => {
  const rules = (await currentRules(app)).map(({ text, hint, translations }) => ({
    text,
    hint,
    translations,
  }));
  await sink.text("rules.json", jsonLines(rules));
  const terms = (await allTerms(app)).map(({ effective_date, content }) => ({
    effective_date,
    content,
  }));
  await sink.text("terms.json", jsonLines(terms));
  await sink.text("settings.json", jsonText(await settingsOf(app)));
};

/** Adds emojis with names that `rookery emojis import` takes. */
const addEmojis = async (app: App, sink: Sink): Promise<void> => {
  const emojis = await everyEmoji(app);
  const entries = emojis.map((row) => ({
    shortcode: row.shortcode,
    path: `emojis/${row.shortcode}${extname(row.file_key)}`,
    category: row.category,
    visible_in_picker: row.visible_in_picker,
    disabled: row.disabled,
  }));
  await sink.text("emojis.json", jsonLines(entries));
  for (const [at, { path }] of entries.entries()) {
    await addStored(app, sink, path, emojis[at]!.file_key);
  }
};

const members = async function* (app: App, withSecrets: boolean) {
  for (let after = "0"; ;) {
    const page = await selectMemberRows(app.sql, after, withSecrets);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
};

export const addServer = async (app: App, sink: Sink, withSecrets: boolean): Promise<void> => {
  await addLists(app, sink);
  await addTexts(app, sink);
  await addEmojis(app, sink);
  await sink.text("users.json", jsonLines(members(app, withSecrets)));
};
