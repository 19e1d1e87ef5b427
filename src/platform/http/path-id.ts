// Ids in paths.

import { parseId } from "../db/paging.ts";
import { NotFound } from "../errors.ts";

/** An id from a path: what is no id is a missing record. */
export const pathId = (value: string): string => {
  const id = parseId(value);
  if (id === null) throw new NotFound();
  return id;
};
