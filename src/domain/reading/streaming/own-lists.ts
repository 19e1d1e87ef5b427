// Checks the owner of a list stream after subscribing, so that no event is lost in between.

import type { App } from "../../../platform/app.ts";
import { findList } from "../../people/lists/load.ts";
import { notYourList } from "./names.ts";
import type { Listening, Subscription } from "./names.ts";

/** Throws Unauthorized where the list is not the listener's. */
export const proveOwnList = async (
  app: App,
  { viewer }: Listening,
  { listId }: Subscription,
): Promise<void> => {
  if (listId === undefined) return;
  if (!(await findList(app, viewer.accountId, listId))) throw notYourList();
};
