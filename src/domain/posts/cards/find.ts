// Finds the statuses that show a card.

export { selectWithCard as statusesWithCard } from "./queries.ts";
