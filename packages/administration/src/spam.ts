// The commands `rookery spam-rules …`.

import {
  COMMAND_LINE,
  ConfigError,
  addSpamRule,
  approveHeld,
  discardHeld,
  dryRunEntity,
  enableSpamRule,
  getSpamRule,
  listHeldPosts,
  listSpamRules,
  readText,
  removeSpamRule,
  spamMatchEntity,
  spamRuleEntity,
  trySpamRule,
  undoSpamRule,
  withApp,
} from "./uses.ts";
import { counted, printRows } from "./print.ts";

type Json = { json?: boolean };

export const showRules = ({ json }: Json): Promise<void> =>
  withApp(async (app) => {
    const rows = (await listSpamRules(app, COMMAND_LINE)).map(spamRuleEntity);
    printRows(rows, json, ({ id, name, enabled, actions, hits, conditions }) => {
      const matches = counted(hits, "hit");
      const acts = actions.join(", ");
      return [id, name, enabled ? "on" : "off", acts, matches, JSON.stringify(conditions)].join(
        "\t",
      );
    });
  });

const conditionsFrom = async (text: string): Promise<Record<string, unknown>> => {
  const source = text.startsWith("@") ? await readText(text.slice(1)) : text;
  try {
    return JSON.parse(source) as Record<string, unknown>;
  } catch {
    throw new ConfigError(
      `The conditions are not JSON: write them as '{"links": 2, "strangers": 3}', or as @FILE.`,
    );
  }
};

export const addRule = (
  name: string,
  options: { conditions: string; actions: string },
): Promise<void> =>
  withApp(async (app) => {
    const conditions = await conditionsFrom(options.conditions);
    const actions = options.actions.split(/[\s,]+/).filter(Boolean);
    console.log(await addSpamRule(app, COMMAND_LINE, { name, conditions, actions }));
  });

export const tryRule = (id: string, { json }: Json): Promise<void> =>
  withApp(async (app) => {
    const rule = await getSpamRule(app, COMMAND_LINE, id);
    const result = dryRunEntity(await trySpamRule(app, COMMAND_LINE, rule));
    if (json) return console.log(JSON.stringify(result, null, 2));
    for (const { status_id: status, text } of result.samples) {
      console.log(`${status}\t${text.replaceAll(/\s+/g, " ").slice(0, 100)}`);
    }
    console.log(
      `${result.matched} of ${counted(result.looked, "post")} of the last day, by ${counted(result.accounts, "account")}`,
    );
  });

const ACTS = {
  enable: (app, rule) => enableSpamRule(app, COMMAND_LINE, rule, true),
  disable: (app, rule) => enableSpamRule(app, COMMAND_LINE, rule, false),
  undo: (app, rule) => undoSpamRule(app, COMMAND_LINE, rule),
  remove: (app, rule) => removeSpamRule(app, COMMAND_LINE, rule),
} satisfies Record<
  string,
  (
    app: Parameters<typeof getSpamRule>[0],
    rule: Awaited<ReturnType<typeof getSpamRule>>,
  ) => Promise<void>
>;

type RuleAct = keyof typeof ACTS;

export const actOnRule = (act: RuleAct, id: string): Promise<void> =>
  withApp(async (app) => {
    await ACTS[act](app, await getSpamRule(app, COMMAND_LINE, id));
    console.log("OK");
  });

export const showHeld = ({ json }: Json): Promise<void> =>
  withApp(async (app) => {
    const rows = (await listHeldPosts(app, COMMAND_LINE)).map(spamMatchEntity);
    printRows(rows, json, ({ id, created_at: at, text }) =>
      [id, at, text.replaceAll(/\s+/g, " ").slice(0, 100)].join("\t"),
    );
  });

export const decideHeld = (act: "approve" | "discard", ids: string[]): Promise<void> =>
  withApp(async (app) => {
    for (const id of ids) {
      await (act === "approve" ? approveHeld : discardHeld)(app, COMMAND_LINE, id);
    }
    console.log("OK");
  });
