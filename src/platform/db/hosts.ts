// An address of PostgreSQL may name several hosts: a primary and its replicas, any of which may become the primary
// (docs/design/database.md). Connections go to the one that is it.

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s;

/** An address for each of its hosts, which libpq writes as `postgres://user:password@one:5432,other:5432/database`. */
export const hostAddresses = (url: string): string[] => {
  const [, before = "", hosts = "", after = ""] = ADDRESS.exec(url) ?? [];
  return hosts.includes(",") ? hosts.split(",").map((host) => before + host + after) : [url];
};
