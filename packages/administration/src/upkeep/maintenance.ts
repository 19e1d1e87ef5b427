// The command `rookery maintenance` finds and repairs damage of tables and indexes.

import { progressLine, withApp } from "../uses.ts";
import type { App, OutputOptions } from "../uses.ts";
import { hasOtherCollation, rebuildAllIndexes, repair, selectDamage } from "./queries.ts";
import type { Damage } from "./queries.ts";

const WORDS: Record<Damage["kind"], string> = {
  leftover: "drop an index that was left unfinished",
  invalid: "make an index again that was left unfinished",
  bloated: "free the space of deleted rows",
};

type Task = { what: string; name: string; run: () => PromiseLike<unknown> };

const tasksOf = async (app: App): Promise<Task[]> => {
  const damage = await selectDamage(app.sql);
  const isOther = await hasOtherCollation(app.sql);
  return [
    ...damage.map((damaged) => ({
      what: WORDS[damaged.kind],
      name: damaged.name,
      run: () => repair(app.sql, damaged),
    })),
    // After an update of the operating system texts may be sorted differently.
    ...(isOther
      ? [
          {
            what: "make all indexes again, for another order of texts",
            name: "",
            run: () => rebuildAllIndexes(app.sql),
          },
        ]
      : []),
  ];
};

export const maintenanceCommand = ({ dryRun = false, json }: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const tasks = await tasksOf(app);
    const line = progressLine();
    for (const { what, name, run } of dryRun ? [] : tasks) {
      line.show(`${what}: ${name}`);
      await run();
    }
    line.clear();
    const shown = tasks.map(({ what, name }) => ({ what, name }));
    if (json) return console.log(JSON.stringify({ dry_run: dryRun, tasks: shown }, null, 2));
    for (const { what, name } of shown) console.log(`${what}\t${name}`.trimEnd());
    const what = dryRun ? `Dry run: ${tasks.length} things would be` : `${tasks.length} things`;
    console.log(`${what} put right`);
  });
