// The newest post written in this window, which lists that it belongs to show at once.

import { signal } from "@preact/signals";

export const posted = signal<{ id: string; parentId: string | null } | null>(null);
