// The way to the next page of a list that is read page by page.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";

type Props = {
  /** The parameters of the next page; null at the end of the list. */
  next: Record<string, string> | null;
  text: Key;
  /** The path of the pages, where they are drawn under others, too. */
  path?: string;
};

export const More = ({ next, text, path = "" }: Props) => {
  const { t } = useApp();
  return (
    next && (
      <p class="pager">
        <a class="button plain" href={`${path}?${new URLSearchParams(next)}`}>
          {t(text)}
        </a>
      </p>
    )
  );
};
