// Presents the Import entity of our own API (docs/design/moving.md).

import { isoTime } from "../../../platform/ids/index.ts";
import { faultInEnglish } from "./faults.ts";
import type { WouldRemove } from "./preview.ts";
import type { ImportRow } from "./tables.ts";

/** `gone` is what it would remove, for one that waits to be started. */
export const importEntity = (row: ImportRow, gone: WouldRemove | null = null) => ({
  id: row.id,
  type: row.kind,
  mode: row.overwrite ? "overwrite" : "merge",
  state: row.state,
  file_name: row.file_name,
  error: row.fault && faultInEnglish(row.fault),
  total: row.total,
  imported: row.done,
  failed: row.failed,
  removed: row.removed,
  would_remove: gone,
  left_out: row.left_out,
  created_at: isoTime(row.created_at),
  finished_at: row.finished_at && isoTime(row.finished_at),
});
