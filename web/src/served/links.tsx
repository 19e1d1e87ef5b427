// Links of the server's own pages: those below a card or a page, and those that look like buttons.

import { Fragment } from "preact";
import type { No } from "./part-pages.ts";
import { useWords } from "./served.tsx";
import type { Link, Words } from "./words.ts";

type BelowProps = { below: readonly (Link | No)[]; before?: Words };

export const Below = ({ below, before }: BelowProps) => {
  const say = useWords();
  return (
    <p class="below">
      {before && `${say(before)} `}
      {below
        .filter((link) => !!link)
        .map(([path, words], place) => (
          <Fragment key={path}>
            {place > 0 && " · "}
            <a href={path}>{say(words)}</a>
          </Fragment>
        ))}
    </p>
  );
};

export const Ways = ({ links }: { links: readonly Link[] }) => {
  const say = useWords();
  return (
    <div class="buttons">
      {links.map(([path, words], place) => (
        <a key={path} class={place === 0 ? "button" : "button plain"} href={path}>
          {say(words)}
        </a>
      ))}
    </div>
  );
};
