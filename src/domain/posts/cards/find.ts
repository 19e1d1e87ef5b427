// Finds the statuses that show a card.

import type { App } from "../../../platform/app.ts";
import { selectWithCard } from "./queries.ts";

/** Returns the ids of the newest, above `after`; `hash` is in hexadecimal. */
export const statusesWithCard = (app: App, hash: string, after: string, limit: number) =>
  selectWithCard(app.sql, hash, after, limit);
