// Holds the time when the shown data was stored on this device; null if it is from the server.

import { signal } from "@preact/signals";

export const keptSince = signal<string | null>(null);
