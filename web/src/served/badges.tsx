// Badges beside names on the server's own pages.

import { Fragment } from "preact";
import type { BadgeKind, No } from "./part-pages.ts";
import { useWords } from "./served.tsx";
import type { Words } from "./served.tsx";

export type BadgeOf = readonly [words: Words, kind?: BadgeKind];

export const Badge = ({ of: [words, kind = "mild"] }: { of: BadgeOf }) => (
  <span class={`badge ${kind}`}>{useWords()(words)}</span>
);

/** Draws those that are not left out, with spaces between them. */
export const Badges = ({ all }: { all: readonly (BadgeOf | No)[] }) => (
  <>
    {all
      .filter((badge) => !!badge)
      .map((badge, place) => (
        <Fragment key={place}>
          {place > 0 && " "}
          <Badge of={badge} />
        </Fragment>
      ))}
  </>
);
