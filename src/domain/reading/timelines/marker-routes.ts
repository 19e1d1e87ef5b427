// Stores how far a person has read, for each timeline. https://docs.joinmastodon.org/methods/markers/

import type { App } from "../../../platform/app.ts";
import { parseId, isoTime } from "../../../platform/ids/index.ts";
import { Conflict, invalidField } from "../../../platform/errors.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { Type, withBody, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { readUpTo } from "./former-ids.ts";
import { selectMarkers, writeMarkers } from "./queries-markers.ts";
import type { MarkerRow } from "./queries-markers.ts";

export const TIMELINES = ["home", "notifications"] as const;

const MarkerQuery = Type.Object({ timeline: Type.Optional(Type.Array(Type.String())) });

const Given = Type.Optional(
  Type.Union([Type.Object({ last_read_id: Type.Optional(Type.String()) }), Type.Null()]),
);
const MarkerBody = Type.Object({ home: Given, notifications: Given });

type Body = { [name in (typeof TIMELINES)[number]]?: { last_read_id?: string } | null };

/** Makes the entity by timeline: https://docs.joinmastodon.org/entities/Marker/ */
const markersEntity = (rows: MarkerRow[]) =>
  Object.fromEntries(
    rows.map((row) => [
      row.timeline,
      {
        last_read_id: row.last_read_id,
        version: row.version,
        updated_at: isoTime(row.updated_at),
      },
    ]),
  );

/** Returns the markers to store; a timeline without an id is left out. Throws 422 for an invalid id. */
const markersOf = (body: Body): { timeline: string; lastReadId: string }[] =>
  TIMELINES.flatMap((timeline) => {
    const rawId = body[timeline]?.last_read_id;
    if (rawId === undefined || rawId === "") return [];
    const lastReadId = parseId(rawId);
    if (lastReadId !== null) return [{ timeline, lastReadId }];
    throw invalidField(`${timeline}.last_read_id`, "is not an id");
  });

/** Stores all or nothing: throws Conflict when another device wrote between the reading and the writing. */
const saveMarkers = async (
  app: App,
  who: { userId: string; accountId: string },
  body: Body,
): Promise<MarkerRow[]> => {
  const entries = markersOf(body);
  for (const entry of entries)
    if (entry.timeline === "notifications")
      entry.lastReadId = await readUpTo(app, who.accountId, entry.lastReadId);
  if (entries.length === 0) return [];
  const names = entries.map(({ timeline }) => timeline);
  const seen = await selectMarkers(app.sql, who.userId, names);
  const versions = new Map(seen.map((row) => [row.timeline, row.version]));
  const markers = entries.map((marker) => ({
    ...marker,
    version: versions.get(marker.timeline) ?? 0,
  }));
  return app.sql.begin(async (tx) => {
    const rows = await writeMarkers(tx, who, markers, app.clock.now());
    if (rows.length < markers.length) throw new Conflict();
    return rows;
  });
};

export const markerRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/markers", withQuery(user("read:statuses"), MarkerQuery), async (request) => {
    const names = request.query.timeline ?? [];
    if (names.length === 0) return {};
    return markersEntity(await selectMarkers(app.sql, viewerOf(request).userId, names));
  });

  server.post(
    "/api/v1/markers",
    withBody(userForm("write:statuses"), MarkerBody),
    async (request) => markersEntity(await saveMarkers(app, viewerOf(request), request.body)),
  );
};
