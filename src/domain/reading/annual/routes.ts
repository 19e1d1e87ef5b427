// Serves annual reports. https://docs.joinmastodon.org/methods/annual_reports/

import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { Type, withPath } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { listAccounts } from "../../people/accounts/load.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { sendRefreshHeader } from "../../base/refreshes/refreshes.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import { annualState, wantAnnual } from "./make.ts";
import { selectReport, selectReports, updateRead } from "./queries.ts";
import type { AnnualReportRow } from "./tables.ts";
import { parseYear } from "./years.ts";

const Params = Type.Object({ year: Type.String() });

const READING = user("read", "read:accounts");
const READING_ONE = withPath(READING, Params);
const WRITING = withPath(user("write", "write:accounts"), Params);

const reportEntity = (row: AnnualReportRow) => ({
  year: row.year,
  data: row.data,
  schema_version: row.schema_version,
  share_url: null,
  account_id: row.account_id,
});

const statusIds = ({ data }: AnnualReportRow): string[] =>
  Object.values(data.top_statuses).filter((id) => id !== null);

/** Presents reports with those of their accounts and statuses that still exist. */
const wrapped = async (app: App, viewerId: string, rows: AnnualReportRow[]) => {
  const { site } = app.config;
  const ids = [...new Set(rows.flatMap(statusIds))];
  const [accounts, statuses] = await Promise.all([
    listAccounts(app, rows.length > 0 ? [viewerId] : []),
    loadVisible(app, ids, asPerson(viewerId)),
  ]);
  return {
    annual_reports: rows.map(reportEntity),
    accounts: accounts.map((view) => accountEntity(view, site)),
    statuses: statuses.map((view) => statusEntity(view, site)),
  };
};

const readRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/annual_reports", { config: READING }, async (request) => {
    const { accountId } = viewerOf(request);
    return wrapped(app, accountId, [...(await selectReports(app.sql, accountId))]);
  });

  server.get("/api/v1/annual_reports/:year", READING_ONE, async (request) => {
    const { accountId } = viewerOf(request);
    const year = parseYear(request.params.year);
    const row = year === null ? null : await selectReport(app.sql, accountId, year);
    if (!row) throw new NotFound();
    return wrapped(app, accountId, [row]);
  });

  server.get("/api/v1/annual_reports/:year/state", READING_ONE, async (request, reply) => {
    const { accountId } = viewerOf(request);
    const year = parseYear(request.params.year);
    if (year === null) return { state: "ineligible" };
    const { state, refresh } = await annualState(app, { accountId, year });
    if (refresh) sendRefreshHeader(reply, refresh);
    return { state };
  });
};

export const annualRoutes = (server: Server, app: App): void => {
  readRoutes(server, app);

  server.post("/api/v1/annual_reports/:year/generate", WRITING, async (request, reply) => {
    const { accountId } = viewerOf(request);
    const year = parseYear(request.params.year);
    const refresh = year === null ? null : await wantAnnual(app, { accountId, year });
    if (refresh) sendRefreshHeader(reply, refresh).code(202);
    return {};
  });

  server.post("/api/v1/annual_reports/:year/read", WRITING, async (request) => {
    const year = parseYear(request.params.year);
    const { accountId } = viewerOf(request);
    const done = year !== null && (await updateRead(app.sql, accountId, year, app.clock.now()));
    if (!done) throw new NotFound();
    return {};
  });
};
