// Changes the preferences of a person: defaults for posting, what they see, locale and time zone.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { invalidFields, notIncluded } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { knownLocale } from "../../../platform/text/locale.ts";
import { timeOfDay } from "../../../platform/text/time-zone.ts";
import { knownTimeZone } from "../../../platform/text/time-zone.ts";
import { updateSettings } from "./queries.ts";
import type { SourceInput } from "./schema.ts";
import type { UserSettings } from "./tables.ts";

/** Leaves out members that are null or undefined. */
const present = <T extends object>(
  fields: T,
): Partial<{ [Name in keyof T]: NonNullable<T[Name]> }> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as never;

/** Returns language codes as they are stored; null for an empty list, which means none is chosen. */
const chosenLanguages = (languages: string[] | null): string[] | null => {
  const codes = new Set((languages ?? []).flatMap((code) => normaliseLanguage(code) ?? []));
  return codes.size > 0 ? [...codes] : null;
};

const settingsOf = (source: SourceInput): UserSettings => {
  const { privacy, sensitive, language, quote_policy, reply_policy, content_type } = source;
  const { expand_media, expand_spoilers, autoplay_gifs, chosen_languages: chosen } = source;
  const reading = { expand_media, expand_spoilers, autoplay_gifs };
  return {
    ...present({ privacy, sensitive, quote_policy, reply_policy, content_type, ...reading }),
    ...(language !== undefined && { language: normaliseLanguage(language) }),
    ...(chosen !== undefined && { chosen_languages: chosenLanguages(chosen) }),
    ...(source.languages_by_locale !== undefined && {
      languages_by_locale: source.languages_by_locale,
    }),
    ...(source.quiet_from !== undefined && { quiet_from: timeOfDay(source.quiet_from) }),
    ...(source.quiet_until !== undefined && { quiet_until: timeOfDay(source.quiet_until) }),
  };
};

const NO_LANGUAGE = notIncluded(["codes of GET /api/v1/instance/languages"]);
const NO_TIME = "must be a time of day, such as 22:30";

/** What is wrong with invalid values, by member; long lists are only named. */
const DESCRIPTIONS = {
  language: NO_LANGUAGE,
  chosen_languages: NO_LANGUAGE,
  time_zone: notIncluded(["names of time zones, such as Europe/Berlin"]),
  locale: notIncluded(["tags such as pt-BR"]),
  quiet_from: NO_TIME,
  quiet_until: NO_TIME,
} satisfies Partial<Record<keyof SourceInput, string>>;

type Checked = keyof typeof DESCRIPTIONS;

/** Returns faults for members with invalid values. */
export const sourceFaults = (source: SourceInput): FieldFault[] => {
  const isLanguage = (code: string) => code === "" || normaliseLanguage(code) !== null;
  const { language, time_zone: timeZone, chosen_languages: chosen } = source;
  const isTime = (text: string | null | undefined) => !text || timeOfDay(text) !== null;
  const isKnown: Record<Checked, boolean> = {
    language: isLanguage(language ?? ""),
    chosen_languages: (chosen ?? []).every(isLanguage),
    time_zone: !timeZone || knownTimeZone(timeZone) !== null,
    locale: !source.locale || knownLocale(source.locale) !== null,
    quiet_from: isTime(source.quiet_from),
    quiet_until: isTime(source.quiet_until),
  };
  return (Object.keys(DESCRIPTIONS) as Checked[])
    .filter((field) => !isKnown[field])
    .map((field) => ({ field, code: "ERR_INCLUSION", description: DESCRIPTIONS[field] }));
};

/** Runs as part of a transaction, after sourceFaults found nothing. */
export const writeSource = async (
  db: Db,
  accountId: string,
  source: SourceInput,
): Promise<void> => {
  const { time_zone: timeZone } = source;
  const locale = knownLocale(source.locale);
  const person = {
    ...(timeZone !== undefined && { time_zone: knownTimeZone(timeZone) }),
    ...(locale && { locale }),
  };
  await updateSettings(db, accountId, settingsOf(source), person);
};

/**
 * Makes open streams read again which languages to show, through the channel of the higher slice relationships
 * (changed.ts). Must be called after the commit.
 */
export const preferencesChanged = (app: App, accountId: string): Promise<void> =>
  app.pubsub.publish(`relations:${accountId}`, { at: isoTime(app.clock.now()) });

/** Changes the preferences; throws 422 for invalid values. */
export const updateSource = async (
  app: App,
  accountId: string,
  source: SourceInput,
): Promise<void> => {
  const faults = sourceFaults(source);
  if (faults.length > 0) throw invalidFields(faults);
  await writeSource(app.sql, accountId, source);
  await preferencesChanged(app, accountId);
};
