// Lists every registered route with its access rule, read from fastify, so that new routes are in the matrix
// automatically.

import type { FastifyContextConfig } from "fastify";
import type { App } from "../../src/platform/app.ts";
import { routeTableOf } from "../harness.ts";

/** A route of one method, with what its `config` declares. */
export type Route = FastifyContextConfig & {
  method: string;
  url: string;
  /** What its body and its query may have, as its schemas say. */
  fields: string[];
};

type Schemas = Partial<Record<"body" | "querystring", { properties?: object }>>;

const fieldsOf = ({ body, querystring }: Schemas): string[] =>
  [body, querystring].flatMap((schema) => Object.keys(schema?.properties ?? {}));

export const listRoutes = async (app: App): Promise<Route[]> =>
  routeTableOf(app).flatMap(({ method, url, config, schema }) => {
    const fields = fieldsOf((schema ?? {}) as Schemas);
    return [method].flat().map((single) => ({ ...config, method: single, url, fields }));
  });

export const nameOf = ({ method, url }: Route): string => `${method} ${url}`;
/** Returns the path with an id, and with existing names. */
export const filled = (url: string, id = "1"): string =>
  url
    .replace(/:(?:account_)?id\b/g, id)
    .replace(/:\w+/g, "alice")
    .replace("*", "x");

/** `own`: a test beside the code shows that another person's id is refused; `shared`: the id is everybody's. */
type IdOf = "account" | "status" | "notification" | "request" | "upload" | "own" | "shared";

/** What the id of each route names. A new route with an id has to be added here. */
export const ID_ROUTES: [pattern: RegExp, of: IdOf][] = [
  [/^\/api\/v1(?:_alpha)?\/accounts\/:id/, "account"],
  [/^\/api\/v1\/suggestions\/:account_id/, "account"],
  [/^\/api\/v1\/(?:pleroma\/)?statuses\/:id/, "status"],
  [/^\/(?:users\/:username|ap\/users\/:actorId)\/statuses\/:id|^\/@:name\/:id/, "status"],
  [/^\/api\/v1\/notifications\/:id/, "notification"],
  [/^\/api\/v1\/notifications\/requests\/:id/, "own"], // unread.test.ts
  [/^\/api\/v1\/follow_requests\/:account_id/, "request"],
  [/^\/api\/v1\/admin\//, "own"], // moderation/permissions.test.ts: by the role alone
  [/^\/disputes\/strikes\/:id/, "own"], // src/pages/admin/admin.test.ts
  [/^\/invite\/:code/, "shared"],
  [/^\/admin\//, "own"], // src/pages/admin/admin.test.ts: by the role alone
  [/^\/api\/v1\/announcements\/:id/, "shared"],
  [/^\/api\/v1\/media\/:id/, "upload"],
  [/^\/media\/remote\//, "shared"], // the last part is a signature
  [/^\/emojis\/:id/, "shared"],
  [/^\/(?:(?:web|deck)\/)?(?:statuses|accounts)\/:id/, "shared"], // former-addresses.test.ts
  [/^\/contexts\/:id/, "status"],
  [/^\/api\/v1\/(?:lists\/:id|timelines\/list\/:list_id)/, "own"], // lists.test.ts
  [/^\/api\/v1\/featured_tags\/:id/, "own"], // featured.test.ts
  [/^\/api\/v1\/tags\/:id/, "shared"], // a name
  [/^\/api\/v[12]\/filters\/.*:(?:filter_)?id/, "own"], // filters.test.ts
  [/^\/api\/v1\/conversations\/:id/, "own"], // conversations.test.ts
  [/^\/api\/v1\/scheduled_statuses\/:id/, "own"], // scheduled.test.ts
  [/^\/api\/v1\/drafts\/:id/, "own"], // drafts.test.ts
  [/^\/api\/v1\/saved_searches\/:id/, "own"], // saved-searches.test.ts
  [/^\/api\/v1\/groups\/:id/, "own"], // groups.test.ts
  [/^\/api\/v1\/sharing\/\w+\/:id/, "own"], // sharing-routes.test.ts
  [/^\/api\/v1\/polls\/:id/, "own"], // polls.test.ts: as visible as its status
  [/^\/(?:users\/:username|ap\/users\/:actorId)\/\w+_authorizations\/:id/, "own"], // quotes.test.ts and approvals.test.ts of the inbox
  // The id cannot be guessed, and the answer only says how far some work is.
  [/^\/api\/v1_alpha\/async_refreshes\/:id/, "shared"],
  [/^\/fasp\/data_sharing\//, "own"], // fasp/sharing.test.ts
  [/^\/collections\/:id|^\/ap\/:account_id/, "shared"],
  // These pages and forms ask the API above, within the process.
  [/^\/web\/act\//, "own"],
  [/^\/(?:settings\/filters|lists|groups|notifications(?:\/requests)?)\/:id/, "own"],
  [/^\/interact\/:id/, "shared"], // as visible as its status
  [/^\/settings\/export\/archive\/:id/, "own"], // archives.test.ts
  [/^\/auth\/sso\/:id/, "shared"],
  [/^\/settings\/ways\/add\/:id/, "shared"],
  [/^\/settings\/ways\/:id/, "own"], // sso.test.ts
  [/^\/auth\/accounts\/:id\//, "own"], // several-accounts.test.ts
  [/^\/settings\/passkeys\/:id/, "own"], // passkeys.test.ts
  [/^\/settings\/severed_relationships\/:id/, "own"], // severances.test.ts
  [/^\/(?:api\/v1\/imports|settings\/import)\/:id/, "own"], // transfers.test.ts
  [/^\/api\/v1(?:_alpha)?\/collections\/:(?:collection_)?id/, "own"], // collections.test.ts
];

export const withIds = (routes: Route[], of: string): Route[] => {
  const isOf = (route: Route) =>
    ID_ROUTES.some(([pattern, kind]) => kind === of && pattern.test(route.url));
  return routes.filter(isOf);
};
