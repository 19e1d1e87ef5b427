// Everything that can decide who may see a status: tests that are driven by the table of visibility.ts go through all.

import { VISIBILITIES } from "../src/domain/posts/statuses/visibility.ts";
import type { VisibilityFacts } from "../src/domain/posts/statuses/visibility.ts";

/** Every value of every fact. */
const VALUES: { [Name in keyof VisibilityFacts]: readonly VisibilityFacts[Name][] } = {
  visibility: VISIBILITIES,
};

/** All that these facts can be together. */
export const FACTS = Object.entries(VALUES).reduce<object[]>(
  (all, [name, values]) =>
    all.flatMap((facts) => values.map((value) => ({ ...facts, [name]: value }))),
  [{}],
) as VisibilityFacts[];
