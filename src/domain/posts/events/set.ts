// Stores calendar events of new and edited statuses in the same transaction.

export { upsertEvents as setEvents } from "./queries.ts";
