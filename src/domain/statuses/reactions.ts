// The emojis with which people elsewhere favourited: characters, or `:name:` of their servers' own ones.

import type { App } from "../../platform/app.ts";
import { countReactions } from "./queries.ts";

export type ReactionCount = { reaction: string; count: number };

/** Of one post, the most frequent first. */
export const reactionsOf = async (app: App, statusId: string): Promise<ReactionCount[]> => [
  ...(await countReactions(app.sql, statusId)),
];
