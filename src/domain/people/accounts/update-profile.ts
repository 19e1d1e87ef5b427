// Changes one's own profile and defaults: checked as a whole, written in one transaction.

import type { App } from "../../../platform/app.ts";
import { invalidFields } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { faultOf } from "../../../platform/health/faults.ts";
import { sanitiseName } from "../../../platform/text/plain.ts";
import "./events.ts";
import { planLinkCheck } from "./link-checks.ts";
import { getAccount } from "./load.ts";
import {
  domainFaults,
  fieldFaults,
  fieldRows,
  filledFields,
  nameFaults,
  noteFaults,
  noteHtml,
  tidyDomains,
} from "./profile-text.ts";
import { updateProfile as writeProfile } from "./queries.ts";
import type { ProfileChange } from "./queries.ts";
import type { ProfileInput } from "./schema.ts";
import {
  PICTURE_KEYS,
  WHICH,
  WITHOUT_PICTURE,
  pictureFaults,
  storePicture,
} from "./store-picture.ts";
import type { Which } from "./store-picture.ts";
import type { AccountView } from "./tables.ts";
import { preferencesChanged, sourceFaults, writeSource } from "./update-source.ts";

/** Returns the given members that may not be null. */
const plainChange = (input: ProfileInput): ProfileChange => {
  const { locked, indexable, avatar_description, header_description } = input;
  const { show_media, show_media_replies, show_featured } = input;
  const display_name = input.display_name && sanitiseName(input.display_name);
  const flags = { locked, indexable, show_media, show_media_replies, show_featured };
  const fields = { display_name, avatar_description, header_description, ...flags };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );
};

/** Returns the members whose null means "not chosen". */
const nullableChange = (input: ProfileInput): ProfileChange => ({
  ...(input.discoverable !== undefined && { discoverable: input.discoverable }),
  ...(input.hide_collections !== undefined && { hide_collections: input.hide_collections }),
});

/** Makes bots Services; a Group stays one. */
const typeChange = (view: AccountView, bot: boolean | null | undefined): ProfileChange => {
  if (bot === undefined || bot === null) return {};
  const isBot = ["Service", "Application"].includes(view.actor_type);
  return bot === isBot ? {} : { actor_type: bot ? "Service" : "Person" };
};

const richChange = async (app: App, view: AccountView, input: ProfileInput) => {
  const change: ProfileChange = {};
  const faults: FieldFault[] = [];
  if (typeof input.note === "string") {
    const note = input.note.replace(/\r\n?/g, "\n");
    const wrong = noteFaults(note);
    faults.push(...wrong);
    if (wrong.length === 0) Object.assign(change, { note, note_html: await noteHtml(app, note) });
  }
  if (input.fields_attributes) {
    const fields = filledFields(input.fields_attributes);
    const wrong = fieldFaults(input.fields_attributes);
    faults.push(...wrong);
    if (wrong.length === 0) change.fields = await fieldRows(app, fields, view.fields);
  }
  if (input.attribution_domains) {
    change.attribution_domains = tidyDomains(input.attribution_domains);
    faults.push(...domainFaults(change.attribution_domains));
  }
  return { change, faults };
};

/** Deletes files that the change stored, where the change fails. */
const removeStored = async (app: App, change: ProfileChange): Promise<void> => {
  const stored = PICTURE_KEYS.map((name) => change[name]).filter((key) => typeof key === "string");
  if (stored.length > 0) await app.storage.delete([...new Set(stored)]).catch(() => undefined);
};

/** Stores pictures after everything else was checked; deletes them where one of them is invalid. */
const pictures = async (
  app: App,
  accountId: string,
  input: ProfileInput,
): Promise<ProfileChange> => {
  const change: ProfileChange = {};
  const faults: FieldFault[] = [];
  try {
    for (const which of WHICH.filter((name) => input[name] !== undefined)) {
      const picture = await storePicture(app, accountId, which, input[which]);
      Object.assign(change, picture.change);
      faults.push(...picture.faults);
    }
    if (faults.length > 0) throw invalidFields(faults);
    return change;
  } catch (error) {
    await removeStored(app, change);
    throw error;
  }
};

/**
 * Changes the given members and leaves the rest; throws 422 with every fault. A job delivers a change of the profile to
 * followers.
 */
export const updateProfile = async (app: App, accountId: string, input: ProfileInput) => {
  const view = await getAccount(app, accountId);
  const rich = await richChange(app, view, input);
  const plain = plainChange(input);
  const faults = [
    ...nameFaults(plain.display_name ?? ""),
    ...rich.faults,
    ...sourceFaults(input.source ?? {}),
    ...(await Promise.all(WHICH.map((which) => pictureFaults(which, input[which])))).flat(),
  ];
  if (faults.length > 0) throw invalidFields(faults);
  const stored = await pictures(app, accountId, input);
  const change = {
    ...stored,
    ...plain,
    ...nullableChange(input),
    ...typeChange(view, input.bot),
    ...rich.change,
  };
  const write = app.sql.begin(async (tx) => {
    if (input.source) await writeSource(tx, accountId, input.source);
    if (Object.keys(change).length === 0) return;
    await writeProfile(tx, accountId, change);
    await app.jobs.add(tx, "account.updated", { id: accountId });
    await planLinkCheck(app, tx, accountId);
  });
  await write.catch(async (error: unknown) => {
    // Where the database connection was lost, the change may have been written.
    if (faultOf(error) !== "away") await removeStored(app, stored);
    throw error;
  });
  if (input.source) await preferencesChanged(app, accountId);
};

/** Removes the picture and its description; a missing one is no error. */
export const removePicture = (app: App, accountId: string, which: Which) =>
  app.sql.begin(async (tx) => {
    await writeProfile(tx, accountId, WITHOUT_PICTURE[which]);
    await app.jobs.add(tx, "account.updated", { id: accountId });
  });
