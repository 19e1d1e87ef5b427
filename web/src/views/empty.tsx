// Says where there is nothing yet why, and what to do next.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";

type Next = { href: string; text: Key };

/** Draws the link below the text. */
export const NextStep = ({ href, text }: Next) => {
  const { t } = useApp();
  return (
    <p>
      <a class="button plain" href={href}>
        {t(text)}
      </a>
    </p>
  );
};

export const Empty = ({ text, next }: { text: string; next: Next }) => (
  <div class="empty">
    <p>{text}</p>
    <NextStep {...next} />
  </div>
);
