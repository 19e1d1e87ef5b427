// Records strikes: what moderators did to an account, with the text for it. Moderation records them, notifications show
// them. https://docs.joinmastodon.org/entities/AccountWarning/

import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound, Unprocessable, checkAll, faultIf, faultOf } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import {
  deletePreset,
  insertPreset,
  insertStrike,
  selectEvidence,
  selectOwnEvidence,
  selectPreset,
  selectPresets,
  selectStrikes,
  selectStrikesOf,
} from "./queries.ts";
import type { PresetRow } from "./queries.ts";
import type { Evidence, NewStrike, StrikeRow, StrikeView } from "./tables.ts";

export type { PresetRow };

const MAX_TEXT = 5_000;
const MAX_TITLE = 200;

/** Runs within the transaction of the act; returns the id. */
export const recordStrike = (app: App, db: Db, strike: NewStrike): Promise<string> => {
  if (strike.text.length > MAX_TEXT) {
    throw faultOf("text", says("moderation.long_reason", { count: MAX_TEXT }));
  }
  return insertStrike(db, strike, app.clock.now());
};

/** Returns them by id; deleted ones are absent. */
export const loadStrikes = async (app: App, ids: string[]): Promise<Map<string, StrikeView>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectStrikes(app.sql, ids);
  const accounts = await loadAccounts(
    app,
    rows.map((row) => row.target_account_id),
  );
  return new Map(
    rows.flatMap((row) => {
      const target = accounts.get(row.target_account_id);
      return target ? [[row.id, { ...row, target }] as const] : [];
    }),
  );
};

/** Returns those of one account, the newest first. */
export const strikesOf = async (app: App, accountId: string, limit = 100): Promise<StrikeRow[]> => [
  ...(await selectStrikesOf(app.sql, accountId, limit)),
];

/** Returns what is kept of the posts that a strike deleted. */
export const evidenceOfStrike = (app: App, strikeId: string): Promise<Evidence[]> =>
  selectOwnEvidence(app.sql, strikeId);

/** Returns what is kept of these posts of an account, if a decision deleted them. */
export const evidenceOfPosts = async (app: App, accountId: string, statusIds: string[]) =>
  (await selectEvidence(app.sql, accountId))
    .flatMap(({ evidence }) => evidence)
    .filter(({ id }) => statusIds.includes(id));

/** Throws 404 for an unknown one. */
export const getPreset = async (app: App, id: string): Promise<PresetRow> => {
  const parsed = parseId(id);
  const preset = parsed && (await selectPreset(app.sql, parsed));
  if (!preset) throw new NotFound();
  return preset;
};

export const listPresets = async (app: App): Promise<PresetRow[]> => [
  ...(await selectPresets(app.sql)),
];

const MAX_PRESETS = 100;

export const addPreset = async (db: Db, title: string, text: string): Promise<string> => {
  const long = says("staff.texts.long", { text: MAX_TEXT, title: MAX_TITLE });
  checkAll(
    faultIf(text.trim() === "", "text", says("staff.texts.empty")),
    faultIf(text.length > MAX_TEXT, "text", long),
    faultIf(title.length > MAX_TITLE, "title", long),
  );
  await lockNamed(db, "warning_presets");
  if ((await selectPresets(db)).length >= MAX_PRESETS) {
    throw new Unprocessable(says("staff.texts.many", { count: MAX_PRESETS }));
  }
  return insertPreset(db, title.trim(), text.trim());
};

/** Returns its title. */
export const removePreset = async (db: Db, id: string): Promise<string> => {
  const parsed = parseId(id);
  const title = parsed && (await deletePreset(db, parsed));
  if (title === null) throw new NotFound(`There is no warning preset ${id}.`);
  return title;
};
