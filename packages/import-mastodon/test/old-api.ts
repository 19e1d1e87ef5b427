// Answers over HTTP what the API of the old server answered its people when it was recorded.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { oldPeople, recordings } from "./old-server.ts";
import type { Recorded } from "./old-server.ts";

const REFUSED: Recorded = { status: 401, body: { error: "The access token is invalid" } };
/** Empty answer to what was not recorded. */
const NOTHING: Recorded = { status: 200, body: {} };

export type OldApi = {
  url: string;
  /** Hosts and schemes by which it was requested. */
  names: Set<string>;
  close(): void;
};

/** `change` alters answers. */
export const startOldApi = async (
  change: (path: string, body: any) => unknown = (_path, body) => body,
): Promise<OldApi> => {
  const { people, statuses } = recordings();
  const owners = new Map(Object.entries(oldPeople()).map(([name, { token }]) => [token, name]));
  const names = new Set<string>();
  const answerOf = (path: string, token: string): Recorded => {
    const answers = people[owners.get(token) ?? ""];
    if (!answers) return REFUSED;
    const own = answers["/api/v1/accounts/verify_credentials"]!.body.id;
    const [, id = "", rest = ""] = /^\/api\/v1\/statuses\/(\d+)(\/.*)$/.exec(path) ?? [];
    return answers[path.replace(own, ":own")] ?? statuses[id]?.[rest] ?? NOTHING;
  };
  const server = createServer(({ url: path = "", headers }, response) => {
    names.add(`${String(headers["x-forwarded-proto"])}://${headers.host}`);
    const token = (headers.authorization ?? "").replace("Bearer ", "");
    const { status, body } = answerOf(path, token);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(change(path, body)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    names,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};
