// Opens the composer from links to it: in a sheet, or below the post that it replies to.

import { answered, openComposer, openQuote, openReply } from "../compose/open.ts";
import type { Visibility } from "../api/visibility.ts";
import { say } from "../window/messages.ts";

const reply = (id: string): void => {
  const field = document.querySelector<HTMLElement>(`[data-reply-to="${id}"] textarea`);
  if (!field) return openReply(id);
  field.scrollIntoView({ block: "nearest" });
  field.focus();
};

const quote = ({ id = "", refusal }: DOMStringMap): void => {
  if (refusal) say(refusal);
  else openQuote(id);
};

const LINKS: Record<string, (data: DOMStringMap) => void> = {
  compose: ({ text, visibility }) =>
    text
      ? openComposer({
          purpose: { kind: "new" },
          text,
          ...(visibility && { visibility: visibility as Visibility }),
        })
      : openComposer(),
  reply: ({ id = "", refusal }) => (refusal ? say(refusal) : reply(id)),
  quote,
};

const plainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Listens before links are followed. */
export const listenToCompose = (): void => {
  document.addEventListener("click", (event) => {
    const link = (event.target as globalThis.Element | null)?.closest<HTMLElement>("a[data-act]");
    const open = LINKS[link?.dataset["act"] ?? ""];
    if (!link || !open || event.defaultPrevented || !plainClick(event)) return;
    event.preventDefault();
    open(link.dataset);
  });
  // A text begun below a post of another page is kept as a draft.
  window.addEventListener("popstate", () => (answered.value = null));
};
