// The newest post that was written in this window: lists that it belongs to show it at once.

import { signal } from "@preact/signals";

export const posted = signal<{ id: string; parentId: string | null } | null>(null);
