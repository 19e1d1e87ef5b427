// Fills app.remote: how a slice finds strangers without knowing federation.

import type { App, Remote } from "../platform/app.ts";
import { RemoteFault } from "./faults.ts";
import { refreshNote } from "./notes.ts";
import { resolveAddress, resolveHandle } from "./resolve.ts";

/** Whatever cannot be had from elsewhere is as if it were not there; our own faults are not hidden. */
const quietly = async <T>(app: App, what: string, work: Promise<T | null>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    app.log.info({ what, kind: error.kind, why: error.message }, "not resolved");
    return null;
  }
};

export const createRemote = (app: App): Remote => ({
  account: (handle) => quietly(app, handle, resolveHandle(app, handle)),
  refreshStatus: async (uri) => (await quietly(app, uri, refreshNote(app, uri))) ?? false,
  address: (url) => quietly(app, url, resolveAddress(app, url)),
});
