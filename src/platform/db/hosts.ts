// A database URL may name several hosts: a primary and its replicas, any of which may become the primary
// (docs/design/database.md). Connections go to the present primary.

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s;

/** Returns one URL for each host of `postgres://user:password@one:5432,other:5432/database`, as libpq writes it. */
export const hostAddresses = (url: string): string[] => {
  const [, before = "", hosts = "", after = ""] = ADDRESS.exec(url) ?? [];
  return hosts.includes(",") ? hosts.split(",").map((host) => before + host + after) : [url];
};
