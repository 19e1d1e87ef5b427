// The earlier versions of a status.

import type { App } from "../../platform/app.ts";
import { emojisInTexts } from "../emojis/load.ts";
import { selectEdits } from "./queries.ts";
import type { SeenStatus, StatusEditRow } from "./tables.ts";

/** Oldest first; those of a local status with the server's own emojis. */
export const loadEdits = async (app: App, view: SeenStatus): Promise<StatusEditRow[]> => {
  const edits = [...(await selectEdits(app.sql, view.id))];
  if (!view.local) return edits;
  const emojis = await emojisInTexts(
    app,
    app.sql,
    edits.map((edit) => [edit.text, edit.spoiler_text, ...(edit.poll_options ?? [])].join("\n")),
  );
  return edits.map((edit, n) => ({ ...edit, emojis: emojis[n]! }));
};
