// Links of the server's own pages: those below a card or a page, and a link that looks like a button.

import { Fragment } from "preact";
import { useWords } from "./served.tsx";
import type { Link } from "./words.ts";

/** Draws where else one may go, below everything. */
export const Below = ({ links }: { links: readonly (Link | false)[] }) => {
  const say = useWords();
  const shown = links.filter((link) => link !== false);
  if (shown.length === 0) return null;
  return (
    <p class="below">
      {shown.map(([path, words], place) => (
        <Fragment key={path}>
          {place > 0 && " · "}
          <a href={path}>{say(words)}</a>
        </Fragment>
      ))}
    </p>
  );
};

/** Draws links as buttons, the first as the one that most people want. */
export const Ways = ({ links }: { links: readonly Link[] }) => {
  const say = useWords();
  return (
    <div class="actions">
      {links.map(([path, words], place) => (
        <a key={path} class={place === 0 ? "button" : "button plain"} href={path}>
          {say(words)}
        </a>
      ))}
    </div>
  );
};
