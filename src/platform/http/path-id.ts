// Ids in paths.

import { parseId } from "../db/paging.ts";
import { NotFound } from "../errors.ts";

/** An id from a path; 404 for what is not an id. */
export const pathId = (value: string): string => {
  const id = parseId(value);
  if (id === null) throw new NotFound();
  return id;
};
