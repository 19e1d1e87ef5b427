// The message at the bottom of the window, with the button that takes back what it says. It is drawn once in the window,
// and once in each modal dialog, outside of which nothing is pressed or heard.

import type { App } from "../app.ts";
import { wordsFor } from "../text/fault.ts";
import { holdMessage, message, NONE, releaseMessage, say } from "../window/messages.ts";
import { isOnTop } from "../window/modals.ts";
import type { Dialog } from "../window/modals.ts";

type Base = Pick<App, "t">;

/** Takes back what the message says; returns false where that cannot be. */
export const takeBack = ({ t }: Base): boolean => {
  const { undo } = message.peek();
  if (!undo) return false;
  // The button goes away.
  const line = document.activeElement?.closest(".message");
  if (line) {
    const place =
      line.closest("dialog")?.querySelector("button") ?? document.querySelector("#main");
    (place as HTMLElement | null)?.focus({ preventScroll: true });
  }
  message.value = NONE;
  undo().then(
    () => say(t("message.undone")),
    (error: unknown) => say(wordsFor(t, error)),
  );
  return true;
};

export const MessageLine = ({ base, dialog }: { base: Base; dialog?: Dialog }) => {
  const { text, undo } = isOnTop(dialog) ? message.value : NONE;
  return (
    // Readers hear what comes into a region that is there, not a region that comes.
    <div role="status">
      <p
        class="message"
        hidden={text === ""}
        onFocusIn={holdMessage}
        onFocusOut={releaseMessage}
        onPointerEnter={holdMessage}
        onPointerLeave={releaseMessage}
      >
        {text}
        {undo && (
          <>
            {" "}
            <button
              type="button"
              title="Ctrl+Z"
              aria-keyshortcuts="Control+Z"
              onClick={() => takeBack(base)}
            >
              {base.t("message.undo")}
            </button>
          </>
        )}
      </p>
    </div>
  );
};
