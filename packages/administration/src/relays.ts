// The commands `rookery relays …`; the database notifies the running server, which follows at once.

import { COMMAND_LINE, addRelay, listRelays, removeRelay, withApp } from "./uses.ts";
import { printRows } from "./print.ts";

export const showRelays = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await listRelays(app), json, ({ id, state, style, inbox }) =>
      [id, state, style, inbox].join("  "),
    ),
  );

export const subscribeToRelay = (address: string): Promise<void> =>
  withApp(async (app) => {
    const { id, inbox } = await addRelay(app, COMMAND_LINE, address);
    console.log(`${id}: ${inbox} was asked. It passes on posts once it accepts.`);
  });

export const unsubscribeFromRelay = (id: string): Promise<void> =>
  withApp(async (app) => {
    await removeRelay(app, COMMAND_LINE, id);
    console.log("OK");
  });
