// Whether this browser shows push notifications, and which; null if not known (yet).

import { signal } from "@preact/signals";

export type PushState =
  | { kind: "unsupported" | "denied" | "off" }
  | { kind: "on"; alerts: Record<string, boolean> };

export const pushState = signal<PushState | null>(null);
