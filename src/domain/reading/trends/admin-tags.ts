// Presents hashtags to moderators. https://docs.joinmastodon.org/entities/Admin_Tag/

import type { App } from "../../../platform/app.ts";
import { loadTagsById, loadTagStates } from "../../posts/tags/load.ts";
import { tagEntity } from "../../posts/tags/present.ts";

/** Returns them in the order of the ids; unknown ones are left out. */
export const adminTagEntities = async (app: App, ids: string[], viewerId: string) => {
  const views = await loadTagsById(app, ids, viewerId);
  const states = await loadTagStates(app, ids);
  const now = app.clock.now();
  return views.map((view) => {
    const state = states.get(view.id!)!;
    return {
      ...tagEntity(view, app.config.site, now, true),
      trendable: state.trendable ?? false,
      usable: state.usable ?? true,
      listable: state.listable ?? true,
      requires_review: !state.reviewed,
    };
  });
};
