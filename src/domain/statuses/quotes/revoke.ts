// Who is quoted takes the quote back, also out of a post that is hidden from them.

import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { loadStatuses } from "../load.ts";
import { afterAct } from "../target.ts";
import type { SeenStatus } from "../tables.ts";
import { endQuote } from "./approval.ts";
import { selectQuote } from "./queries.ts";

/** `quotedId`: of the viewer's own post. Gives the quoting one. */
export const revokeQuote = async (
  app: App,
  viewer: KnownViewer,
  quotedId: string,
  quotingId: string,
): Promise<SeenStatus> => {
  const quote = await selectQuote(app.sql, quotingId);
  const [quoting] = await loadStatuses(app, [quotingId], viewer);
  if (!quoting || quote?.quoted_status_id !== quotedId) throw new NotFound();
  await endQuote(app, quotingId, "revoked");
  return afterAct(app, viewer, quoting);
};
