// Parts that several pages of the staff are declared with (web/src/served/part-pages.ts).

import type { TextField, ActButton, Inline, Part } from "../../../web/src/served/part-pages.ts";
import type { Key } from "../../platform/text/texts.ts";
import { BLOCKS, ALLOWS, FASP, FILES, LISTS, RELAYS, SERVERS } from "./server-parts.ts";

/** A field for a text of at most `max` characters. */
export const text = <More extends Partial<TextField>>(
  name: string,
  label: Key,
  max: number,
  more?: More,
) => ({ name, label, max, ...more });

/** The same for several lines. */
export const lines = (name: string, label: Key, max: number, more: Partial<TextField> = {}) => ({
  ...text(name, label, max, more),
  type: "textarea" as const,
});

/** The field for the reason of a decision, which may be sent to whom it is about. */
export const reason = (hint: Key): TextField =>
  lines("text", "moderation.reason", 5000, { optional: true, hint });

/** The button that removes an entry. */
export const removal = (path: string, of: string, label: Key = "staff.remove"): ActButton => ({
  action: `${path}/delete`,
  label,
  of,
  kind: "bad",
});

/** The buttons of a decision between two, with keys for both. */
export const decision = (
  path: string,
  of: string,
  [approve, reject]: readonly [Key, Key],
  hasKeys = true,
): ActButton[] => [
  { action: `${path}/approve`, label: approve, of, kind: "", ...(hasKeys && { press: "a" }) },
  { action: `${path}/reject`, label: reject, of, kind: "bad", ...(hasKeys && { press: "r" }) },
];

/** Links to entries older than the last of a full page. */
export const older = (rows: readonly { id: string }[], limit: number): Part => ({
  older: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
});

/** A link to another server, or to a person elsewhere, which tells them nothing of ours. */
export const outside = (link: string, text: Inline = link): Inline => ({
  link,
  text,
  isOutside: true,
});

export const serverTabs = (shown: string): Part => ({
  title: "staff.section.servers",
  shown,
  tabs: [
    [SERVERS, "network.servers.known"],
    [BLOCKS, "network.servers.blocked"],
    [ALLOWS, "network.servers.allowed"],
    [LISTS, "network.servers.lists"],
    [FILES, "network.servers.files"],
    [RELAYS, "network.servers.relays"],
    [FASP, "network.servers.fasp"],
  ],
});
