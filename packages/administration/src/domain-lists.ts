// The commands `rookery domain-lists …` for block lists that others maintain.

import {
  COMMAND_LINE,
  ConfigError,
  addDays,
  addDomainList,
  addException,
  changeEntity,
  domainListEntity,
  getDomainList,
  listChanges,
  listDomainLists,
  listExceptions,
  planEntity,
  previewDomainList,
  removeDomainList,
  removeException,
  syncDomainList,
  withApp,
} from "./uses.ts";
import { counted, printRows } from "./print.ts";

type Json = { json?: boolean };

export const showLists = ({ json }: Json): Promise<void> =>
  withApp(async (app) => {
    const rows = (await listDomainLists(app, COMMAND_LINE)).map(domainListEntity);
    printRows(rows, json, ({ id, title, url, entries, error }) =>
      [id, title, url, counted(entries, "domain"), error ?? ""].join("\t").trimEnd(),
    );
  });

export type AddOptions = Json & {
  title?: string;
  suspend?: string;
  silence?: string;
  noop?: string;
  retract: boolean;
  dryRun?: boolean;
};

export const addList = (url: string, options: AddOptions): Promise<void> =>
  withApp(async (app) => {
    const { title, suspend, silence, noop, retract, dryRun } = options;
    const severities = {
      ...(suspend && { suspend }),
      ...(silence && { silence }),
      ...(noop && { noop }),
    };
    const input = { url, title, severities, retract };
    if (!dryRun) return console.log(await addDomainList(app, COMMAND_LINE, input));
    const plan = planEntity(await previewDomainList(app, COMMAND_LINE, input));
    if (options.json) return console.log(JSON.stringify(plan, null, 2));
    for (const { domain, severity } of plan.add) console.log(`+ ${domain}\t${severity}`);
    for (const { domain, severity } of plan.change) console.log(`~ ${domain}\t${severity}`);
    for (const { domain, severity } of plan.remove) console.log(`- ${domain}\t${severity}`);
    console.log(
      `Dry run: ${plan.add_count} would be added, ${plan.change_count} changed, ${plan.remove_count} removed, ${plan.kept} left to moderators, ${plan.covered} covered by other blocks`,
    );
  });

export const removeList = (id: string): Promise<void> =>
  withApp(async (app) => {
    await removeDomainList(app, COMMAND_LINE, await getDomainList(app, COMMAND_LINE, id));
    console.log("OK");
  });

export const syncList = (id: string): Promise<void> =>
  withApp(async (app) => {
    await syncDomainList(app, COMMAND_LINE, await getDomainList(app, COMMAND_LINE, id));
    console.log("OK");
  });

export const showChanges = ({ days, json }: Json & { days: string }): Promise<void> =>
  withApp(async (app) => {
    const number = Number(days);
    if (!(number > 0 && number <= 90)) throw new ConfigError("--days must be from 1 to 90.");
    const since = addDays(app.clock.now(), -number);
    const rows = (await listChanges(app, COMMAND_LINE, since)).map(changeEntity);
    printRows(rows, json, ({ created_at: at, change, domain, severity, lists }) =>
      [at, change, domain, severity ?? "", lists.join(", ")].join("\t").trimEnd(),
    );
  });

export const exceptions = (
  act: "list" | "add" | "remove",
  domain: string | undefined,
): Promise<void> =>
  withApp(async (app) => {
    if (act === "list") {
      printRows(await listExceptions(app, COMMAND_LINE), false, (exception) => exception);
      return;
    }
    await (act === "add" ? addException : removeException)(app, COMMAND_LINE, domain ?? "");
    console.log("OK");
  });
