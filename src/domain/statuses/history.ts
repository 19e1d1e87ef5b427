// The earlier versions of a status.

import type { App } from "../../platform/app.ts";
import { emojisInTexts, remoteEmojis } from "../emojis/load.ts";
import { selectEdits } from "./queries.ts";
import type { SeenStatus, StatusEditRow } from "./tables.ts";

/** Oldest first, with their emojis: those of a local status are the server's own. */
export const loadEdits = async (app: App, view: SeenStatus): Promise<StatusEditRow[]> => {
  const edits = [...(await selectEdits(app.sql, view.id))];
  if (!view.local) {
    const remote = await remoteEmojis(
      app,
      edits.map(({ emojis }) => ({ uri: view.uri, emojis })),
    );
    return edits.map((edit, n) => ({ ...edit, emojis: remote[n]! }));
  }
  const emojis = await emojisInTexts(
    app,
    app.sql,
    edits.map((edit) => [edit.text, edit.spoiler_text, ...(edit.poll_options ?? [])].join("\n")),
  );
  return edits.map((edit, n) => ({ ...edit, emojis: emojis[n]! }));
};
