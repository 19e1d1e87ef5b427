// Keys to work through a queue (assets/staff-keys.js): the list of them that `?` opens.

import type { KeyLine } from "./part-pages.ts";
import { useApp } from "../app.ts";

/** Keys for any page with entries. */
const MOVES: readonly KeyLine[] = [
  ["j ↓", "moderation.keys.next"],
  ["k ↑", "moderation.keys.previous"],
  ["o Enter", "moderation.keys.open"],
];
const ALWAYS: readonly KeyLine[] = [
  ["Esc", "moderation.keys.leave"],
  ["?", "moderation.keys.list"],
];

/** Lists all keys of the page; hidden without scripts, where none of them works. */
export const KeyList = ({ keys }: { keys: readonly KeyLine[] }) => {
  const { t } = useApp();
  return (
    <details class="add keys" data-keys="" hidden>
      <summary>
        {t("moderation.keys.title")} <kbd>?</kbd>
      </summary>
      <dl>
        {[...MOVES, ...keys, ...ALWAYS].map(([names, text]) => (
          <div key={names}>
            <dt>
              {names.split(" ").map((name) => (
                <>
                  <kbd>{name}</kbd>{" "}
                </>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <div class="check">
        <input type="checkbox" id="keys-on" data-keys-on="" />
        <label for="keys-on">{t("moderation.keys.on")}</label>
      </div>
      <p class="soft small">{t("moderation.keys.hint")}</p>
    </details>
  );
};
