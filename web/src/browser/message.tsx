// The message at the bottom of the window, with the button that takes back what it says.

import type { App } from "../app.ts";
import { wordsFor } from "../text/fault.ts";
import { holdMessage, message, releaseMessage, say } from "../window/messages.ts";

type Base = Pick<App, "t">;

/** Takes back what the message says; returns false where that cannot be. */
export const takeBack = ({ t }: Base): boolean => {
  const { undo } = message.peek();
  if (!undo) return false;
  // The button goes away.
  if (document.activeElement?.closest(".message"))
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  message.value = { text: "" };
  undo().then(
    () => say(t("message.undone")),
    (error: unknown) => say(wordsFor(t, error)),
  );
  return true;
};

export const MessageLine = ({ base }: { base: Base }) => {
  const { text, undo } = message.value;
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
