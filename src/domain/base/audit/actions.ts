// Every act that the audit log knows. An act without a sentence in the catalogue (`audit.ACT`) does not compile.

import { keysIn } from "../../../platform/text/texts.ts";
import type { Key } from "../../../platform/text/texts.ts";

/** The act that a key of the catalogue describes: `rule.create` for `audit.rule.create`. */
type Named<Message extends string> =
  Message extends `audit.${"actor" | "detail" | "kind"}.${string}`
    ? never
    : Message extends `audit.${infer Kind}.${infer Verb}`
      ? `${Kind}.${Verb}`
      : never;

export type AuditAction = Named<Key>;

type DetailIn<Message extends string> = Message extends `audit.detail.${infer Name}` ? Name : never;

/** What an entry says beyond the act; a detail without words in the catalogue does not compile. */
export type AuditDetails = Partial<Record<DetailIn<Key> | Unshown, unknown>>;

/** Details that are not shown: the line names who acted, and the target and the decision say what the ids mean. */
export const UNSHOWN = ["by", "provider", "report_id", "strike"] as const;
type Unshown = (typeof UNSHOWN)[number];

/** Every act, in the order of the catalogue. */
export const ACTIONS = keysIn("audit").flatMap((key): AuditAction[] => {
  const [, action, kind] = /^audit\.((\w+)\.\w+)$/.exec(key) ?? [];
  const isAct = kind !== undefined && !["actor", "detail", "kind"].includes(kind);
  return isAct ? [action as AuditAction] : [];
});

/** Verb of an act: `create` of `rule.create`. */
export type VerbOf<
  Kind extends string,
  Action = AuditAction,
> = Action extends `${Kind}.${infer Verb}` ? Verb : never;

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

/** Lists the kinds of things that acts are about, such as `account`. */
export const KINDS = [
  ...new Set(ACTIONS.map((action) => action.split(".")[0] as KindOf<AuditAction>)),
];
