// Presents views of calendar events as the JSON entity (docs/API-EXTENSIONS.md).

import type { EventView } from "./tables.ts";

const iso = (time: string): string => new Date(time).toISOString();

export const eventEntity = (event: EventView, icsUrl: string) => ({
  name: event.name,
  starts_at: iso(event.starts_at),
  ends_at: event.ends_at && iso(event.ends_at),
  place: event.place,
  yes_count: event.yes_count,
  maybe_count: event.maybe_count,
  no_count: event.no_count,
  answer: event.answer,
  ics_url: icsUrl,
});
