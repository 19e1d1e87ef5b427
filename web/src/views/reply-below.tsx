// Draws the composer of a reply below the post that it replies to.

import { useApp } from "../app.ts";
import { answered } from "../compose/open.ts";
import { Composer } from "../compose/composer.tsx";

export const ReplyBelow = ({ id }: { id: string }) => {
  const { store } = useApp();
  const parent = answered.value === id ? store.statuses.get(id)?.value : undefined;
  if (!parent) return null;
  const close = (): void => {
    answered.value = null;
    // A deleted post goes with the composer.
    const next = parent.isGone ? "#main" : `article[data-status="${id}"]`;
    document.querySelector<HTMLElement>(next)?.focus();
  };
  return (
    <Composer
      opening={{ purpose: { kind: "reply", id } }}
      parent={parent}
      isOpen
      onDone={close}
      onCancel={close}
    />
  );
};
