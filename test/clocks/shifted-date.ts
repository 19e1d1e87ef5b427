// Loaded before a test file (`--import`): moves Date to where TEST_CLOCK says. The database of the
// file is moved as far by test/database.ts.

import { CLOCK_OFFSET } from "./offset.ts";

const RealDate = Date;
const now = (): number => RealDate.now() + CLOCK_OFFSET;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : (Reflect.get(target, name) as unknown)),
});
