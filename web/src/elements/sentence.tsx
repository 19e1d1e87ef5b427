// Draws a text with elements in its placeholders: `{name} followed you`, with a link for the name.

import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import type { Key, Values } from "../texts/texts.ts";

// Characters for private use stand for values, because no text has them.
const FIRST = 0xe000;
const MARKS = /([\uE000-\uE0FF])/;

type Props = { text: Key; values?: Values; elements: Record<string, ComponentChildren> };

export const Sentence = ({ text, values = {}, elements }: Props) => {
  const { t } = useApp();
  const names = Object.keys(elements);
  const placeholders = names.map((name, index) => [name, String.fromCharCode(FIRST + index)]);
  const parts = t(text, { ...values, ...Object.fromEntries(placeholders) }).split(MARKS);
  return (
    <>
      {parts.map((part, index) => {
        const name = index % 2 === 1 ? names[part.charCodeAt(0) - FIRST] : undefined;
        return <Fragment key={index}>{name === undefined ? part : elements[name]}</Fragment>;
      })}
    </>
  );
};
