// Who may see, reblog, pin a status: pure, and the same on every path (REST, streaming, pages,
// ActivityPub, notifications).

import type { StatusView } from "./tables.ts";

const isAuthor = (view: StatusView): boolean => view.viewer?.id === view.account_id;

export const isMentioned = (view: StatusView): boolean =>
  view.mentions.some((mention) => mention.id === view.viewer?.id);

/** Author and viewer have nothing to do with each other. */
const isBarred = (view: StatusView): boolean =>
  view.account.suspended_at !== null || view.viewer?.relation?.blocked_by === true;

const audienceAllows = (view: StatusView): boolean => {
  if (view.visibility === "public" || view.visibility === "unlisted") return true;
  if (isMentioned(view)) return true;
  return view.visibility === "private" && view.viewer?.relation?.following === true;
};

/** Is it for the viewer, as far as its visibility goes? */
export const isAddressed = (view: StatusView): boolean => isAuthor(view) || audienceAllows(view);

/** May the view's viewer see it at all? A reblog is seen where both it and the original are. */
export const canSee = (view: StatusView): boolean => {
  if (view.reblog && !canSee(view.reblog)) return false;
  if (view.account.suspended_at !== null) return false;
  return isAuthor(view) || (!isBarred(view) && audienceAllows(view));
};

const isHidden = (view: StatusView): boolean => {
  const relation = view.viewer?.relation;
  return !isAuthor(view) && Boolean(relation?.blocking || relation?.muting || relation?.blocked_by);
};

/** Does it belong into the viewer's lists? (Not what they blocked or muted, nor boosts of it.) */
export const belongsInList = (view: StatusView): boolean =>
  canSee(view) && !isHidden(view) && !(view.reblog && isHidden(view.reblog));

/** Public and unlisted by anybody who sees them; one's own followers-only posts too. */
export const canReblog = (view: StatusView): boolean =>
  view.visibility === "public" ||
  view.visibility === "unlisted" ||
  (view.visibility === "private" && isAuthor(view));
