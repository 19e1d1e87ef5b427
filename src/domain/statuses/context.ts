// The thread of a status: what is above it and what is below it.

import type { App } from "../../platform/app.ts";
import { loadStatuses } from "./load.ts";
import { selectAncestorIds, selectDescendantIds } from "./queries.ts";
import { belongsInList, canSee } from "./rules.ts";
import type { StatusView } from "./tables.ts";

export type Context = { ancestors: StatusView[]; descendants: StatusView[] };

// contract: limits.json, context_anonymous and context_user
const LIMITS = {
  anonymous: { ancestors: 40, descendants: 60, depth: 20 },
  person: { ancestors: 4096, descendants: 4096, depth: 4096 },
};

/** Without the branches whose root is hidden: an answer to what one cannot see is not shown. */
const dropHiddenBranches = (rootId: string, views: StatusView[]): StatusView[] => {
  const shown = new Set([rootId]);
  return views.filter((view) => {
    if (!belongsInList(view) || !shown.has(view.in_reply_to_id ?? "")) return false;
    shown.add(view.id);
    return true;
  });
};

/** The answers that the author gave to themselves come first among the children of a status. */
const ownThreadFirst = (root: StatusView, views: StatusView[]): StatusView[] => {
  const own = new Set([root.id]);
  for (const view of views) {
    const continues = own.has(view.in_reply_to_id ?? "") && view.account_id === root.account_id;
    if (continues) own.add(view.id);
  }
  const [first, rest] = [views.filter((v) => own.has(v.id)), views.filter((v) => !own.has(v.id))];
  return [...first, ...rest];
};

/** `view` is a status that its viewer may see; the rest is judged by the same rules. */
export const loadContext = async (app: App, view: StatusView): Promise<Context> => {
  const viewerId = view.viewer?.id ?? null;
  const limits = viewerId === null ? LIMITS.anonymous : LIMITS.person;
  const [above, below] = await Promise.all([
    selectAncestorIds(app.sql, view.id, limits.ancestors),
    selectDescendantIds(app.sql, view.id, limits.descendants, limits.depth),
  ]);
  const [ancestors, descendants] = await Promise.all([
    loadStatuses(app, above, viewerId),
    loadStatuses(app, below, viewerId),
  ]);
  return {
    ancestors: ancestors.filter(canSee),
    descendants: ownThreadFirst(view, dropHiddenBranches(view.id, descendants)),
  };
};
