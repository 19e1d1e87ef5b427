// Draws a list of elements in a sentence, with the words and marks that the reader's language has between them.

import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import { listedWith } from "../../../texts/lists.ts";
import { useApp } from "../app.ts";

export const Listed = ({ all }: { all: readonly ComponentChildren[] }) => (
  <>
    {listedWith(useApp().locale, all).map((part, place) => (
      <Fragment key={place}>{part}</Fragment>
    ))}
  </>
);
