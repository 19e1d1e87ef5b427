// Draws above the page by code that is loaded when it is needed.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export const overlay = signal<(() => ComponentChildren) | null>(null);
