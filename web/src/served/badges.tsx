// Badges beside names on the server's own pages.

import { Fragment } from "preact";
import type { BadgePart, No } from "./part-pages.ts";
import { useWords } from "./served.tsx";

export const Badge = ({ badge, kind = "mild" }: BadgePart) => (
  <span class={`badge ${kind}`}>{useWords()(badge)}</span>
);

/** Draws those that are not left out, with spaces between them. */
export const Badges = ({ all }: { all: readonly (BadgePart | No)[] }) => (
  <>
    {all
      .filter((badge) => !!badge)
      .map((badge, place) => (
        <Fragment key={place}>
          {place > 0 && " "}
          <Badge {...badge} />
        </Fragment>
      ))}
  </>
);
