// Recipes of the rows for moderators: the requester is an owner of the server.

import { createDomainAllow } from "../../src/domain/staff/moderation/blocks.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { addPreset } from "../../src/domain/reading/strikes/strikes.ts";
import { refreshTrends } from "../../src/domain/reading/trends/refresh.ts";
import type { Person } from "../harness.ts";
import type { Cast } from "./cast.ts";
import { fresh, three } from "./recipe.ts";
import type { Recipe, Recipes } from "./recipe.ts";

const somebody = ({ server, me }: Cast, options = {}): Promise<Person> =>
  server.person(fresh(`${me.username}_x`), options);

const withAccount =
  (
    prepare: (cast: Cast, person: Person) => Promise<unknown> = async () => {},
    options = {},
  ): Recipe =>
  async (cast) => {
    const person = await somebody(cast, options);
    await prepare(cast, person);
    return { path: { id: person.accountId } };
  };

const act = (type: string) => (cast: Cast, person: Person) =>
  cast.must(cast.me, "POST", `/api/v1/admin/accounts/${person.accountId}/action`, { type });

const accounts: Recipe = async (cast) => {
  await three(() => somebody(cast));
  return { query: { local: "true" } };
};

const reportedIn = async (cast: Cast): Promise<string> => {
  const statusId = await cast.post(cast.stranger, fresh("rude "));
  const report = { account_id: cast.stranger.accountId, status_ids: [statusId], comment: "rude" };
  return (await cast.must(cast.friend, "POST", "/api/v1/reports", report)).id;
};

const withReport: Recipe = async (cast) => ({ path: { id: await reportedIn(cast) } });

const BODIES: Record<string, () => Record<string, unknown>> = {
  domain_blocks: () => ({ domain: `${fresh("b")}.blocked.example`, severity: "silence" }),
  domain_allows: () => ({ domain: `${fresh("a")}.allowed.example` }),
  email_domain_blocks: () => ({ domain: `${fresh("m")}.mail.example` }),
  canonical_email_blocks: () => ({ email: `${fresh("somebody")}@mail.example` }),
  ip_blocks: () => {
    const n = Number(/\d+/.exec(fresh("ip"))![0]);
    return { ip: `198.18.${n >> 8}.${n & 255}`, severity: "sign_up_block", expires_in: 86_400 };
  },
};

const createIn = async (cast: Cast, list: string): Promise<string> =>
  (await cast.must(cast.me, "POST", `/api/v1/admin/${list}`, BODIES[list]!())).id;

/** Returns recipes to list, read, add and remove, the same for each list. */
const listRecipes = (list: string): Recipes => ({
  [`GET /api/v1/admin/${list}`]: async (cast) => {
    await three(() => createIn(cast, list));
    return {};
  },
  [`POST /api/v1/admin/${list}`]: () => ({ json: BODIES[list]!() }),
  [`GET /api/v1/admin/${list}/{id}`]: async (cast) => ({
    path: { id: await createIn(cast, list) },
  }),
  [`DELETE /api/v1/admin/${list}/{id}`]: async (cast) => ({
    path: { id: await createIn(cast, list) },
  }),
});

const period = { start_at: "2026-01-01", end_at: "2026-01-31" };

type Trends = { tag: string; link: string; status: string };

/** Makes trends that three people use and like, and that wait for a review. */
const makeTrends = async (cast: Cast): Promise<Trends> => {
  const { sql } = cast.server.app;
  const people = [cast.me, cast.friend, cast.stranger];
  let status = "";
  await three(async () => {
    const mark = fresh("admintrend");
    for (const who of people) {
      await cast.must(who, "PATCH", "/api/v1/accounts/update_credentials", { discoverable: true });
      await cast.post(who, `#${mark} https://${mark}.example/${mark}`);
    }
  });
  for (const who of people) {
    status = await cast.post(who, fresh("liked by all "));
    for (const other of people.filter((person) => person !== who)) {
      await cast.must(other, "POST", `/api/v1/statuses/${status}/favourite`);
    }
  }
  await refreshTrends(cast.server.app);
  const [row] = await sql<{ tag: string; link: string }[]>`
    SELECT (SELECT max(tag_id) FROM trend_tags)::text AS tag,
      (SELECT max(id) FROM trend_links)::text AS link
  `;
  return { ...row!, status };
};

const trendsOf = new WeakMap<Cast, Promise<Trends>>();

/** Returns trends that are made once for all rows. */
const trending = (cast: Cast): Promise<Trends> => {
  if (!trendsOf.has(cast)) trendsOf.set(cast, makeTrends(cast));
  return trendsOf.get(cast)!;
};

const afterTrends: Recipe = async (cast) => {
  await trending(cast);
  return {};
};

const reviewed =
  (what: "tag" | "link" | "status"): Recipe =>
  async (cast) => ({
    path: { id: (await trending(cast))[what] },
  });

const publisher: Recipe = async (cast) => {
  await trending(cast);
  const [row] = await cast.server.app.sql<
    { id: string }[]
  >`SELECT max(id)::text AS id FROM trend_publishers`;
  return { path: { id: row!.id } };
};

const withTag: Recipe = async (cast) => {
  await three(() => cast.post(cast.me, `#${fresh("admintag")}`));
  const [row] = await cast.server.app.sql<{ id: string }[]>`SELECT max(id)::text AS id FROM tags`;
  return { path: { id: row!.id } };
};

const TREND_KINDS = [
  ["tags", reviewed("tag")],
  ["links", reviewed("link")],
  ["statuses", reviewed("status")],
  ["links/publishers", publisher],
] as const;

export const ADMIN: Recipes = {
  "GET /api/v1/admin/accounts": accounts,
  "GET /api/v2/admin/accounts": async (cast) => {
    await accounts(cast);
    return { query: { origin: "local", status: "active" } };
  },
  "GET /api/v1/admin/accounts/{id}": withAccount(),
  "POST /api/v1/admin/accounts/{id}/action": async (cast) => {
    const { accountId: id } = await somebody(cast);
    const preset = await addPreset(cast.server.app.sql, "Rude", "Please be kind.");
    const json = { type: "silence", text: "Mind the rules", warning_preset_id: preset };
    return { path: { id }, json };
  },
  "POST /api/v1/admin/accounts/{id}/approve": withAccount(undefined, { approved: false }),
  "POST /api/v1/admin/accounts/{id}/reject": withAccount(undefined, { approved: false }),
  "POST /api/v1/admin/accounts/{id}/enable": withAccount(act("disable")),
  "POST /api/v1/admin/accounts/{id}/unsensitive": withAccount(act("sensitive")),
  "POST /api/v1/admin/accounts/{id}/unsilence": withAccount(act("silence")),
  "POST /api/v1/admin/accounts/{id}/unsuspend": withAccount(act("suspend")),
  "DELETE /api/v1/admin/accounts/{id}": withAccount(act("suspend")),

  "GET /api/v1/admin/reports": async (cast) => {
    await three(() => reportedIn(cast));
    return {};
  },
  "GET /api/v1/admin/reports/{id}": withReport,
  "PUT /api/v1/admin/reports/{id}": async (cast) => ({
    ...(await withReport(cast)),
    json: { category: "spam" },
  }),
  "POST /api/v1/admin/reports/{id}/assign_to_self": withReport,
  "POST /api/v1/admin/reports/{id}/unassign": withReport,
  "POST /api/v1/admin/reports/{id}/resolve": withReport,
  "POST /api/v1/admin/reports/{id}/reopen": withReport,

  ...Object.assign({}, ...Object.keys(BODIES).map(listRecipes)),
  "PUT /api/v1/admin/domain_blocks/{id}": async (cast) => ({
    path: { id: await createIn(cast, "domain_blocks") },
    json: { severity: "suspend", public_comment: "spam" },
  }),
  "PUT /api/v1/admin/ip_blocks/{id}": async (cast) => ({
    path: { id: await createIn(cast, "ip_blocks") },
    json: { severity: "sign_up_requires_approval", comment: "school", expires_in: 3600 },
  }),
  "POST /api/v1/admin/domain_allows": async ({ server }) => {
    // Adding an existing one is no error either.
    const json = BODIES["domain_allows"]!();
    await createDomainAllow(server.app, COMMAND_LINE, String(json["domain"]));
    return { json };
  },
  "POST /api/v1/admin/canonical_email_blocks/test": async (cast) => {
    const json = BODIES["canonical_email_blocks"]!();
    await cast.must(cast.me, "POST", "/api/v1/admin/canonical_email_blocks", json);
    return { json };
  },

  "POST /api/v1/admin/measures": async (cast) => {
    const { tag } = await trending(cast);
    const keys = ["active_users", "new_users", "interactions", "opened_reports", "tag_uses"];
    return { json: { keys, ...period, tag_uses: { id: tag } } };
  },
  "POST /api/v1/admin/dimensions": () => ({
    json: {
      keys: ["languages", "sources", "servers", "space_usage", "software_versions"],
      ...period,
    },
  }),
  "POST /api/v1/admin/retention": () => ({ json: { ...period, frequency: "day" } }),

  "GET /api/v1/admin/trends/tags": afterTrends,
  "GET /api/v1/admin/trends/links": afterTrends,
  "GET /api/v1/admin/trends/statuses": afterTrends,
  "GET /api/v1/admin/trends/links/publishers": afterTrends,
  ...Object.fromEntries(
    TREND_KINDS.flatMap(([path, recipe]) =>
      ["approve", "reject"].map((verb) => [
        `POST /api/v1/admin/trends/${path}/{id}/${verb}`,
        recipe,
      ]),
    ),
  ),
  "GET /api/v1/admin/tags": async (cast) => {
    await withTag(cast);
    return {};
  },
  "GET /api/v1/admin/tags/{id}": withTag,
  "PUT /api/v1/admin/tags/{id}": async (cast) => ({
    ...(await withTag(cast)),
    json: { listable: false, usable: true, trendable: false },
  }),
};
