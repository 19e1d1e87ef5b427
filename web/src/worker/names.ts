// Names that the page and the service worker share.

export const WORKER_PATH = "/sw.js";
/** Page that is shown for addresses that were not kept. */
export const OFFLINE_PATH = "/offline";
/** Prefix of the caches of the client's files, one for each version. */
export const FILES_CACHE = "files-";
/** Prefix of the cache of what an account has read. */
export const ACCOUNT_CACHE = "account-";
