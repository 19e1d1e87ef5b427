// Stores what an administrator changes while the server runs. Values are cached, and the database notifies of changes
// by other processes, such as the command line (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import {
  deleteSetting,
  deleteSettingValue,
  insertSetting,
  selectAllSettings,
  selectSettings,
  upsertSetting,
} from "./queries.ts";

/** A relay: a server that passes posts on (federation/relays.ts). */
export type RelaySetting = {
  id: string;
  style: "mastodon" | "litepub";
  inbox: string;
  /** Known once the relay has answered. */
  actor: string | null;
  state: "pending" | "accepted" | "rejected";
};

export type PictureKind = "banner" | "icon" | "logo";

/** The files that were made from an upload, the smallest first (pictures.ts). */
export type SitePicture = {
  files: { key: string; width: number; height: number }[];
  blurhash: string | null;
};

/** Every setting, and the type of its value. */
export type Settings = {
  /** Who may sign up: everybody, those whom a moderator approves, or nobody. */
  registrations: "open" | "approved" | "closed";
  /** Plain text that is shown where sign-up is closed. */
  registrations_message: string;
  /** Age in years from which people may sign up. */
  min_age: number;
  /** Names, in lower case, that nobody may sign up with. */
  reserved_names: string[];
  title: string;
  /** One or two sentences of plain text. */
  description: string;
  contact_email: string;
  /** Who may read the list of blocked servers. */
  show_domain_blocks: "disabled" | "users" | "all";
  /** Who may make groups. */
  group_creation: "all" | "staff" | "nobody";
  /** Default quote policy of people who chose none. */
  default_quote_policy: "public" | "followers" | "nobody";
  /** Whether those who want to be found are listed for everybody (GET /api/v1/directory). */
  profile_directory: boolean;
  /** Whether public timelines show the reader's language where none is chosen. */
  languages_by_locale: boolean;
  /** Whether anything trends on this server, and whether it does so without a moderator's approval. */
  trends: boolean;
  trendable_by_default: boolean;
  /** Whether the front page shows trending posts instead of the newest. */
  trends_as_landing_page: boolean;
  /** Whether the names of known servers are public (instance/peers, peers/search). */
  peers_api: boolean;
  /** Whether the weekly figures of activity are public (instance/activity). */
  activity_api: boolean;
  /** Who may read why servers are blocked. */
  show_domain_blocks_rationale: "disabled" | "users" | "all";
  /** HTML or plain text, and the time when it was written (RFC 3339). */
  extended_description: { text: string; updated_at: string };
  privacy_policy: { text: string; updated_at: string };
  /** Name of a local account; without one the owner is the contact. */
  contact_account: string;
  status_page_url: string;
  /** Address of a picture of the server, and what it shows. */
  thumbnail_url: string;
  thumbnail_description: string;
  banner_picture: SitePicture;
  icon_picture: SitePicture;
  logo_picture: SitePicture;
  /** Colour of links and buttons on light pages: `#rrggbb`. */
  accent_color: string;
  /** Hash of the one-time token with which the first owner is made. */
  owner_setup: string;
  relays: RelaySetting[];
  /** What the staff switched on at auxiliary providers (federation/fasp/). */
  fasp_in_use: string[];
  /** RSA keys of the server's own actor; made once. */
  instance_actor_keys: { publicKeyPem: string; privateKeyPem: string };
};

type SettingName = keyof Settings;

/** Nobody can sign up on a new server until its owner opens registrations. */
export const DEFAULT_REGISTRATIONS: Settings["registrations"] = "closed";

/** Key that invalidates the cached settings. */
const CHANGED = "settings:";

const fromRows = (rows: { name: string; value: unknown }[]): Partial<Settings> =>
  Object.fromEntries(rows.map((row) => [row.name, row.value]));

/** Caches all settings that were ever set; the object is the same until one changes. */
export const allSettings = listenedValue<Partial<Settings>>({
  name: "settings",
  channel: "settings",
  key: CHANGED,
  read: async (db) => fromRows(await selectAllSettings(db)),
});

/** Returns the values of several settings with one query at most; those never set are absent. */
export const getSettings = async (
  app: App,
  names: SettingName[],
  db: Db = app.sql,
): Promise<Partial<Settings>> =>
  db === app.sql ? allSettings(app) : fromRows(await selectSettings(db, names));

/** Returns the value, or `fallback` where it was never set. */
export const getSetting = async <Name extends SettingName>(
  app: App,
  name: Name,
  fallback: Settings[Name],
  db: Db = app.sql,
): Promise<Settings[Name]> => {
  const settings = await getSettings(app, [name], db);
  return (settings[name] as Settings[Name] | undefined) ?? fallback;
};

/** Sets the value; null resets it to the default. */
export const setSetting = async <Name extends SettingName>(
  app: App,
  name: Name,
  value: Settings[Name] | null,
  db: Db = app.sql,
): Promise<void> => {
  await (value === null ? deleteSetting(db, name) : upsertSetting(db, name, value));
  invalidate(db, CHANGED);
};

/** Returns the stored value, or stores that of `make`; processes that make one at the same time agree on one. */
export const ensureSetting = async <Name extends SettingName>(
  app: App,
  name: Name,
  make: () => Promise<Settings[Name]>,
): Promise<Settings[Name]> => {
  const stored = (await getSettings(app, [name]))[name];
  if (stored !== undefined) return stored as Settings[Name];
  await insertSetting(app.sql, name, await make());
  invalidate(app.sql, CHANGED);
  return (await getSettings(app, [name]))[name] as Settings[Name];
};

/** Deletes the setting if it still has this value; returns true for exactly one of several callers. */
export const takeSetting = async <Name extends SettingName>(
  db: Db,
  name: Name,
  value: Settings[Name],
): Promise<boolean> => {
  const taken = (await deleteSettingValue(db, name, value)).length > 0;
  invalidate(db, CHANGED);
  return taken;
};
