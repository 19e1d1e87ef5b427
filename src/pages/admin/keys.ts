// Keys to work through a queue: those of a page, the list of them that `?` opens, and the script that listens.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { UNCOUNTED } from "../../platform/http/request-rates.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import type { Staff } from "./frame.ts";

const script = readFileSync(new URL("../../../assets/staff-keys.js", import.meta.url), "utf8");
const digest = createHash("sha256").update(script).digest("base64url").slice(0, 12);

export const KEYS_SCRIPT = `/assets/staff-keys-${digest}.js`;

export const keysScriptRoute = (server: Server): void => {
  server.get(KEYS_SCRIPT, UNCOUNTED, async (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(script),
  );
};

/** A key for something on the page, and what it does. */
export type KeyLine = readonly [key: string, text: Key];

/** Keys for any page with entries. */
const MOVES: readonly KeyLine[] = [
  ["j ↓", "moderation.keys.next"],
  ["k ↑", "moderation.keys.previous"],
  ["o Enter", "moderation.keys.open"],
];
export const TICK: KeyLine = ["x", "moderation.keys.tick"];
const ALWAYS: readonly KeyLine[] = [
  ["Esc", "moderation.keys.leave"],
  ["?", "moderation.keys.list"],
];

/** Lists all keys of the page; hidden without scripts, where none of them works. */
export const keyList = ({ t }: Staff, lines: readonly KeyLine[]): Html =>
  html`<details class="add keys" data-keys hidden>
    <summary>${t("moderation.keys.title")} <kbd>?</kbd></summary>
    <dl>
      ${[...MOVES, ...lines, ...ALWAYS].map(
        ([keys, text]) =>
          html`<div>
            <dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt>
            <dd>${t(text)}</dd>
          </div>`,
      )}
    </dl>
    <div class="check">
      <input type="checkbox" id="keys-on" data-keys-on />
      <label for="keys-on">${t("moderation.keys.on")}</label>
    </div>
    <p class="soft small">${t("moderation.keys.hint")}</p>
  </details>`;
