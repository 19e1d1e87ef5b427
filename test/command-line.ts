// The surroundings in which commands find the server of a test.

import type { TestApp } from "./harness.ts";

/** Sets them in this process; returns what takes them back. */
export const enterCommandLine = ({ app, databaseUrl }: TestApp): (() => void) => {
  const before = { ...process.env };
  const { config } = app;
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    LOCAL_DOMAIN: config.site.localDomain,
    LOCAL_HTTPS: "false",
    ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
  });
  return () => {
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
  };
};
