// Serves figures for moderators. https://docs.joinmastodon.org/methods/admin/measures/, …/dimensions/, …/retention/

import type { App } from "../../../platform/app.ts";
import { parseLimit } from "../../../platform/db/paging.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { user } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { Type, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { requestActor, requireActor } from "../moderation/actors.ts";
import { adminAccess } from "../moderation/admin-schema.ts";
import { DIMENSION_SUBJECTS, dimension } from "./dimensions.ts";
import { MEASURE_SUBJECTS, measure } from "./measures.ts";
import type { Subject } from "./measures.ts";
import { readPeriod } from "./period.ts";
import { selectCohorts } from "./queries.ts";
import type { CohortRow } from "./queries.ts";
import { eachKey, quickly } from "./quickly.ts";
import { peopleWaiting } from "./waiting.ts";

const MAX_KEYS = 50;
/** Days for which cohorts may be requested; each has a figure for each later day. */
const MAX_COHORT_DAYS = 92;
const DAY_MS = 86_400_000;

const Text = Type.Optional(Type.String({ maxLength: 300 }));
const About = Type.Optional(Type.Object({ id: Text, domain: Text }));

const abouts = (keys: string[]) => Object.fromEntries(keys.map((key) => [key, About]));

const common = {
  keys: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_KEYS })),
  start_at: Text,
  end_at: Text,
  limit: Type.Optional(Type.Unknown()),
};

const subjectIn = (body: object, key: string): Subject | undefined =>
  (body as Record<string, Subject | undefined>)[key];

const RetentionBody = Type.Object({ start_at: Text, end_at: Text, frequency: Text });

const cohortEntities = (rows: readonly CohortRow[], frequency: string) =>
  [...Map.groupBy(rows, ({ period }) => period.getTime())].map(([, data]) => ({
    period: isoTime(data[0]!.period),
    frequency,
    data: data.map(({ at, size, value }) => ({
      date: isoTime(at),
      rate: size === 0 ? 0 : value / size,
      value: String(value),
    })),
  }));

const waitingRoute = (server: Server, app: App): void => {
  const config = extension(user("read:notifications"), "notifications", "StaffWaiting");
  server.get("/api/v1/staff/waiting", { config }, async (request) => ({
    count: await peopleWaiting(app, await requestActor(app, request)),
  }));
};

const retentionRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/admin/retention",
    withBody(adminAccess("read"), RetentionBody),
    async (request) => {
      await requireActor(app, request, "figures.read");
      const { start_at: start, end_at: end, frequency = "day" } = request.body;
      const unit = frequency === "month" ? "month" : "day";
      const period = readPeriod(start, end, app.clock.now());
      const days = (period.to.getTime() - period.from.getTime()) / DAY_MS;
      if (unit === "day" && days > MAX_COHORT_DAYS) {
        throw new Unprocessable(
          `By day, retention covers ${MAX_COHORT_DAYS} days at most: ask for months`,
        );
      }
      const rows = await quickly(app, async (tx) => selectCohorts(tx, unit, period));
      return cohortEntities(rows, unit);
    },
  );
};

export const figureRoutes = (server: Server, app: App): void => {
  waitingRoute(server, app);
  const config = adminAccess("read");
  const measureBody = Type.Object({ ...common, ...abouts(MEASURE_SUBJECTS) });
  server.post("/api/v1/admin/measures", withBody(config, measureBody), async (request) => {
    await requireActor(app, request, "figures.read");
    const { keys, start_at: start, end_at: end } = request.body as Record<string, any>;
    const period = readPeriod(start, end, app.clock.now());
    return eachKey(app, keys, (db, key) =>
      measure(app, db, key, { period, subject: subjectIn(request.body, key) }),
    );
  });
  const dimensionBody = Type.Object({ ...common, ...abouts(DIMENSION_SUBJECTS) });
  server.post("/api/v1/admin/dimensions", withBody(config, dimensionBody), async (request) => {
    await requireActor(app, request, "figures.read");
    const body = request.body as Record<string, any>;
    const period = readPeriod(body["start_at"], body["end_at"], app.clock.now());
    const limit = parseLimit(body["limit"], 10, 100);
    return eachKey(app, body["keys"], (db, key) =>
      dimension(app, db, key, { period, limit, subject: subjectIn(body, key) }),
    );
  });
  retentionRoute(server, app);
};
