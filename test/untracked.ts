// node:test follows every promise and callback to the test that made it, which takes more of the CPU than the tests
// themselves. Only while tests are declared is that needed. Import this before node:test is loaded.

import hooks from "node:async_hooks";
import type { AsyncHook } from "node:async_hooks";

const { createHook } = hooks;
const created: AsyncHook[] = [];

hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  created.push(hook);
  return hook;
};

/** Before tests are declared once more. */
export const startTracking = (): void => {
  for (const hook of created) hook.enable();
};

/** From now on errors that no test awaits belong to no test, and `test` and `after` inside a test to none either. */
export const stopTracking = (): void => {
  hooks.createHook = createHook;
  for (const hook of created) hook.disable();
};
