// The Import entity of our own API (docs/decisions/0044-moving.md).

import { isoTime } from "../../platform/ids/index.ts";
import { faultInEnglish } from "./faults.ts";
import type { ImportRow } from "./tables.ts";

export const importEntity = (row: ImportRow) => ({
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
  left_out: row.left_out,
  created_at: isoTime(row.created_at),
  finished_at: row.finished_at && isoTime(row.finished_at),
});
