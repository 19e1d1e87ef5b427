// rookery relays …: the running server follows at once, as it is notified of changed settings.

import { addRelay, listRelays, removeRelay } from "../federation/relays.ts";
import { ConfigError } from "../platform/errors.ts";
import { printRows } from "./print.ts";
import { record } from "./recorded.ts";
import { withApp } from "./session.ts";

export const showRelays = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await listRelays(app), json, ({ id, state, style, inbox }) =>
      [id, state, style, inbox].join("  "),
    ),
  );

export const subscribeToRelay = (address: string): Promise<void> =>
  withApp(async (app) => {
    const { id, inbox } = await addRelay(app, address);
    await record(app, "relay.add", { type: "relay", id, label: inbox });
    console.log(`${id}: ${inbox} was asked. It passes on posts once it accepts.`);
  });

export const unsubscribeFromRelay = (id: string): Promise<void> =>
  withApp(async (app) => {
    if (!(await removeRelay(app, id))) throw new ConfigError(`There is no relay ${id}.`);
    await record(app, "relay.remove", { type: "relay", id, label: "" });
    console.log("OK");
  });
