// What an address from another server means here: the account or status to interact with.

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import { asPerson } from "../../platform/viewer.ts";
import { findHandle } from "../../domain/accounts/find.ts";
import { getShownAccount } from "../../domain/accounts/load.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { getVisible } from "../../domain/statuses/load.ts";
import type { SeenStatus } from "../../domain/statuses/tables.ts";

export type Target = { kind: "account"; view: AccountView } | { kind: "status"; view: SeenStatus };

const MAX_LENGTH = 2048;

/** An http(s) address, an `acct:` address or a handle → the kind and id of what it names. */
const resolve = async (app: App, text: string): Promise<{ kind: string; id: string } | null> => {
  if (text === "" || text.length > MAX_LENGTH) return null;
  if (/^https?:\/\//i.test(text)) return app.remote.address(text);
  const id = await findHandle(app, text.replace(/^acct:(?:\/\/)?/i, ""));
  return id === null ? null : { kind: "account", id };
};

/** An account by its id, also one of another server; NotFound when it is suspended. */
export const targetAccount = async (app: App, id: string): Promise<AccountView> => {
  const view = await getShownAccount(app, id);
  if (view.suspended_at !== null) throw new NotFound();
  return view;
};

/** A status by its id, as the person sees it; of a boost the boosted one. */
export const targetStatus = async (app: App, id: string, by: string): Promise<SeenStatus> => {
  const view = await getVisible(app, id, asPerson(by));
  return view.reblog ?? view;
};

/** Null when there is nothing that the person may see; unknown things are fetched. */
export const findTarget = async (app: App, uri: string, by: string): Promise<Target | null> => {
  const found = await resolve(app, uri.trim());
  if (!found) return null;
  try {
    return found.kind === "account"
      ? { kind: "account", view: await targetAccount(app, found.id) }
      : { kind: "status", view: await targetStatus(app, found.id, by) };
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};
