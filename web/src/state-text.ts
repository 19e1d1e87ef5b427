// Writes the state that the browser continues from. The server gives the same frozen posts to several pages: what is
// written of each is kept as long as the post. Only the server uses it.

import { bytesOf } from "./pieces.ts";
import type { Pieces } from "./pieces.ts";
import type { PageState } from "./pages/root.tsx";
import { authorsOf, othersOf, packed, statusesOf } from "./store/store.ts";
import type { Store } from "./store/store.ts";

/** Returns JSON that cannot end its script element. */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replaceAll("<", String.raw`\u003c`);

const written = new WeakMap<object, Uint8Array>();

/** Writes a value, in another form where there is one; `pieces` gets what is kept of it. */
const write = <T extends object>(
  pieces: Pieces,
  value: T,
  formOf: (value: T) => object = (same) => same,
): string => {
  if (!Object.isFrozen(value)) return inScript(formOf(value));
  const bytes = written.get(value) ?? bytesOf(inScript(formOf(value)));
  written.set(value, bytes);
  return pieces.put(bytes);
};

export const stateText = (
  store: Store,
  state: Omit<PageState, "snapshot">,
  pieces: Pieces,
): string => {
  const statuses = statusesOf(store);
  const posts = statuses.map((status) => write(pieces, status, packed));
  const authors = authorsOf(statuses).map((account) => write(pieces, account));
  const others = inScript(othersOf(store)).slice(0, -1);
  const snapshot = `${others},"statuses":[${posts.join()}],"authors":[${authors.join()}]}`;
  return `${inScript(state).slice(0, -1)},"snapshot":${snapshot}}`;
};
