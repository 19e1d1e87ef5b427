// The staff's views by name.

import type { FunctionComponent } from "preact";
import type { StaffPages } from "../staff-pages.ts";

export const STAFF_VIEWS: {
  [Name in keyof StaffPages]: FunctionComponent<{ data: StaffPages[Name] }>;
} = {};
