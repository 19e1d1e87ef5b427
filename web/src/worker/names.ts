// Names that the page and the service worker share.

export const WORKER_PATH = "/sw.js";
/** The page that is shown in the place of what was not kept. */
export const OFFLINE_PATH = "/offline";
/** Caches of the client's files, a version each. */
export const FILES_CACHE = "files-";
/** The cache of what an account has read. */
export const ACCOUNT_CACHE = "account-";
