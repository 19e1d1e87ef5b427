// Switches off the tracking of promises: node:test assigns every promise and callback to the test that made it, which
// takes more CPU than the tests themselves, and is only needed while tests are declared. Import this before node:test
// is loaded.

import hooks from "node:async_hooks";
import type { AsyncHook } from "node:async_hooks";

const { createHook } = hooks;
const created: AsyncHook[] = [];

hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  created.push(hook);
  return hook;
};

/** Called before further tests are declared. */
export const startTracking = (): void => {
  for (const hook of created) hook.enable();
};

/** From now on errors that no test awaits belong to no test, nor do `test` and `after` inside a test. */
export const stopTracking = (): void => {
  hooks.createHook = createHook;
  for (const hook of created) hook.disable();
};
