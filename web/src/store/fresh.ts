// Number of notifications that came since the list of them was loaded.

import { signal } from "@preact/signals";

export const fresh = signal(0);
