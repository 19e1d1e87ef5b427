// When what the window shows was kept on this device; null: it is from the server.

import { signal } from "@preact/signals";

export const keptSince = signal<string | null>(null);
