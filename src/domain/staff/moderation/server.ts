// Implements decisions of the staff about the server itself: its settings, rules, emojis and prepared texts. Each act
// has its entry in the audit log.

import type { AuditDetails, VerbOf } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import { DomainError, Unprocessable, invalidFields } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { audit } from "../../base/audit/audit.ts";
import { fetchKnownEmojis } from "../../base/emojis/remote-emojis.ts";
import {
  addEmoji,
  categoriseEmojis,
  disableEmojis,
  importPack,
  removeEmojis,
} from "../../base/emojis/own.ts";
import type { Imported, NewOwnEmoji, PackOptions } from "../../base/emojis/own.ts";
import {
  addRule,
  currentRules,
  moveRule,
  removeRule,
  rewordRule,
  translateRule,
} from "../../base/rules/rules.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { definitionOf } from "../../base/settings/definitions.ts";
import type { PublicName } from "../../base/settings/definitions.ts";
import { allSettings, setSetting } from "../../base/settings/settings.ts";
import { findKnownId } from "../../people/accounts/find.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import { addPreset, removePreset } from "../../reading/strikes/strikes.ts";
import { requireMay } from "../../base/roles/acts.ts";
import { recorded } from "../../base/audit/recorded.ts";

type Words = { text: string; hint: string };

const ruleEntry = (verb: VerbOf<"rule">, id: string, text = "") => ({
  action: `rule.${verb}` as const,
  target: { type: "rule", id, label: text.slice(0, 100) },
});

export const createRule = (app: App, actor: Actor, words: Words): Promise<string> =>
  recorded(app, actor, "rules.write", async (tx) => {
    const id = await addRule(tx, words);
    return { result: id, entry: ruleEntry("create", id, words.text) };
  });

/** `how` is the new words, and the mark of the form (platform/drawn.ts). */
export const updateRule = (app: App, actor: Actor, id: string, ...how: [Words, string?]) =>
  recorded(app, actor, "rules.write", async (tx) => {
    await rewordRule(tx, id, ...how);
    return { entry: ruleEntry("update", id, how[0].text) };
  });

export const translateRuleAs = (
  app: App,
  actor: Actor,
  id: string,
  { language, ...words }: Words & { language: string },
): Promise<void> =>
  recorded(app, actor, "rules.write", async (tx) => {
    await translateRule(tx, id, language, words);
    return { entry: { ...ruleEntry("translate", id, words.text), details: { language } } };
  });

const ruleText = async (app: App, id: string): Promise<string | undefined> =>
  (await currentRules(app)).find((rule) => rule.id === id)?.text;

export const moveRuleAs = (app: App, actor: Actor, id: string, up: boolean): Promise<void> =>
  recorded(app, actor, "rules.write", async (tx) => {
    await moveRule(tx, id, up);
    return { entry: ruleEntry("move", id, await ruleText(app, id)) };
  });

export const deleteRule = (app: App, actor: Actor, id: string): Promise<void> =>
  recorded(app, actor, "rules.write", async (tx) => {
    const text = await ruleText(app, id);
    await removeRule(app, tx, id);
    return { entry: ruleEntry("delete", id, text) };
  });

const emojiEntry = (verb: VerbOf<"emoji">, shortcode: string) => ({
  action: `emoji.${verb}` as const,
  target: { type: "emoji", id: null, label: `:${shortcode}:` },
});

export const createEmoji = (
  app: App,
  actor: Actor,
  emoji: NewOwnEmoji,
  overwrite = false,
): Promise<void> => {
  requireMay(actor, "emojis.write");
  return addEmoji(app, emoji, overwrite, (tx) =>
    audit(app, tx, actor, emojiEntry("create", emoji.shortcode)),
  );
};

export type EmojiChange = { disabled: boolean } | { category: string | null } | "delete";

const MAX_LABEL = 200;

/** Records several emojis as one act. */
const emojisEntry = (verb: VerbOf<"emoji">, shortcodes: string[], details: AuditDetails) => ({
  ...emojiEntry(verb, ""),
  target: {
    type: "emoji",
    id: null,
    label: shortcodes
      .map((shortcode) => `:${shortcode}:`)
      .join(" ")
      .slice(0, MAX_LABEL),
  },
  details: { ...details, ...(shortcodes.length > 1 && { emojis: shortcodes.length }) },
});

export const changeEmojis = (
  app: App,
  actor: Actor,
  shortcodes: string[],
  change: EmojiChange,
): Promise<void> =>
  recorded(app, actor, "emojis.write", async (tx) => {
    if (shortcodes.length === 0) throw new Unprocessable(says("staff.emojis.none_chosen"));
    if (change === "delete") {
      await removeEmojis(tx, shortcodes);
      return { entry: emojisEntry("delete", shortcodes, {}) };
    }
    if ("disabled" in change) await disableEmojis(tx, shortcodes, change.disabled);
    else await categoriseEmojis(tx, shortcodes, change.category);
    return { entry: emojisEntry("update", shortcodes, change) };
  });

/** `name` is that of the file, for the audit log. */
export const importEmojis = async (
  app: App,
  actor: Actor,
  { path, name }: { path: string; name: string },
  options: PackOptions,
): Promise<Imported> => {
  requireMay(actor, "emojis.write");
  const imported = await importPack(app, path, options);
  const { added } = imported;
  if (added > 0) {
    const details = { file: name.slice(0, SHOWN), added };
    await audit(app, app.sql, actor, { action: "emoji.import", target: null, details });
  }
  return imported;
};

/** Copies known emojis of another server; an existing one here keeps its picture. */
export const copyEmojis = async (
  app: App,
  actor: Actor,
  {
    domain,
    shortcodes,
    category,
  }: { domain: string; shortcodes: string[]; category: string | null },
): Promise<Imported> => {
  requireMay(actor, "emojis.write");
  if (shortcodes.length === 0) throw new Unprocessable(says("staff.emojis.none_chosen"));
  const result: Imported = { added: 0, skipped: 0, failed: [] };
  for (const { shortcode, bytes } of await fetchKnownEmojis(app, domain, shortcodes)) {
    try {
      if (!bytes) throw new Unprocessable(says("staff.emojis.not_fetched", { domain }));
      await createEmoji(app, actor, { shortcode, bytes, category, visible: true });
      result.added += 1;
    } catch (error) {
      if (!(error instanceof Unprocessable)) throw error;
      const { message: why, said } = error;
      if (said?.key === "staff.emojis.taken") result.skipped += 1;
      else result.failed.push({ name: `:${shortcode}:`, why, ...(said && { said }) });
    }
  }
  return result;
};

const SHOWN = 200;

const checkContact = async (app: App, username: string): Promise<void> => {
  const id = username.includes("@") ? null : await findKnownId(app, username);
  const account = id === null ? undefined : (await loadAccounts(app, [id])).get(id);
  if (!account || account.suspended_at) throw new Unprocessable(says("staff.invalid.contact"));
};

/** Returns the values of the texts, null for an empty one; throws InvalidFields with what is wrong with each. */
const parseAll = async (app: App, texts: [string, string][]): Promise<Map<string, unknown>> => {
  const faults: FieldFault[] = [];
  const values = new Map<string, unknown>();
  for (const [name, text] of texts) {
    try {
      const value = text && definitionOf(name).parse(text, app.clock.now(), app.config);
      if (name === "contact_account" && value) await checkContact(app, String(value));
      values.set(name, value === "" ? null : value);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { said, message } = error;
      const fault = { field: name, code: "ERR_INVALID", description: `is wrong: ${message}` };
      faults.push({ ...fault, ...(said && { said }) });
    }
  }
  if (faults.length > 0) throw invalidFields(faults);
  return values;
};

/** Changes settings by name; an empty text resets one to its default. Unchanged ones are not recorded. */
export const changeSettings = async (
  app: App,
  actor: Actor,
  texts: Partial<Record<PublicName, string>>,
): Promise<void> => {
  requireMay(actor, "settings.write");
  const before = (await allSettings(app)) as Record<string, unknown>;
  const shown = (name: string) =>
    before[name] === undefined ? "" : definitionOf(name).show(before[name]);
  const changed = Object.entries(texts)
    .map(([name, text]) => ({ name, text: text.replaceAll("\r\n", "\n").trim(), was: shown(name) }))
    .filter(({ text, was }) => text !== was);
  const values = await parseAll(
    app,
    changed.map(({ name, text }) => [name, text]),
  );
  await app.sql.begin(async (tx) => {
    for (const { name, was, text } of changed) {
      await setSetting(app, name as PublicName, values.get(name) as never, tx);
      await audit(app, tx, actor, {
        action: "setting.update",
        target: { type: "setting", id: null, label: name },
        details: { from: was.slice(0, SHOWN), to: text.slice(0, SHOWN) },
      });
    }
  });
};

export const createPreset = (app: App, actor: Actor, title: string, text: string): Promise<void> =>
  recorded(app, actor, "settings.write", async (tx) => {
    const id = await addPreset(tx, title, text);
    return { entry: { action: "preset.create", target: { type: "preset", id, label: title } } };
  });

export const deletePreset = (app: App, actor: Actor, id: string): Promise<void> =>
  recorded(app, actor, "settings.write", async (tx) => {
    const title = await removePreset(tx, id);
    return { entry: { action: "preset.delete", target: { type: "preset", id, label: title } } };
  });
